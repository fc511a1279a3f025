import type { Config, Secrets } from "../../config/index.ts";

/** What a check has found out. It holds no secret and nothing of a secret. */
export interface Finding {
  check: string;
  result: "ok" | "warning" | "failed";
  found: string;
  /** What the operator can do. */
  advice?: string;
}

/** The set-up that is looked at. */
export interface Deployment {
  config: Config;
  secrets: Secrets;
}

/** Looks at one part of the set-up. What it throws is a failure of the check of this name. */
export interface CheckGroup {
  name: string;
  look(deployment: Deployment): AsyncIterable<Omit<Finding, "check"> & { check?: string }>;
}

/** An address of this machine alone, where nobody else can listen. */
export function isOwnHost(host: string): boolean {
  return host.startsWith("/") || /^(?:localhost|127\.[\d.]+|\[?::1\]?|)$/.test(host);
}
