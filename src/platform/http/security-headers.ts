import type { FastifyReply } from "fastify";

/** The headers of every reply, also of one that no route made. Browsers keep to https where the service has it. */
export function securityHeaders({ isSecure }: { isSecure: boolean }): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    ...(isSecure && { "strict-transport-security": "max-age=31536000" }),
  };
}

/**
 * The headers of a page for people. It loads files of ours alone, shows in no frame and tells no other site where its
 * reader was.
 */
export function pageHeaders({
  isSecure,
  leadsAway = false,
}: {
  isSecure: boolean;
  /** The answer to one of its forms may be a redirect to another site. */
  leadsAway?: boolean;
}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(leadsAway ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    ...securityHeaders({ isSecure }),
  };
}

/** A page of any site may read the reply, and all its headers. */
export function allowEverySite(reply: FastifyReply): void {
  reply.headers({ "access-control-allow-origin": "*", "access-control-expose-headers": "*" });
}
