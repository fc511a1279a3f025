import { securityHeaders } from "./security-headers.ts";

/** The headers of a page for people. It shows in no frame and tells no other site where its reader was. */
export function pageHeaders({
  policy,
  isSecure,
}: {
  /** The directives of its content security policy. */
  policy: readonly string[];
  isSecure: boolean;
}): Record<string, string> {
  return {
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    ...securityHeaders({ isSecure }),
  };
}
