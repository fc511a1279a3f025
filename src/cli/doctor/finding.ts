import type { Config, Secrets } from "../../config/index.ts";

/** What a check has found out. It holds no secret and nothing of a secret. */
export interface Finding {
  check: string;
  result: "ok" | "warning" | "failed";
  found: string;
  /** What the operator can do. */
  advice?: string;
}

/** Without a name of its own it is of the check of its group. */
export type Found = Omit<Finding, "check"> & { check?: string };
type Named = Pick<Found, "check">;

export function ok(found: string, named?: Named): Found {
  return { ...named, result: "ok", found };
}

export function warning(found: string, advice: string, named?: Named): Found {
  return { ...named, result: "warning", found, advice };
}

export function failed(found: string, advice: string, named?: Named): Found {
  return { ...named, result: "failed", found, advice };
}

/** The set-up that is looked at. */
export interface Deployment {
  config: Config;
  secrets: Secrets;
}

/** Looks at one part of the set-up. What it throws is a failure of the check of this name. */
export interface CheckGroup {
  name: string;
  look(deployment: Deployment): AsyncIterable<Found>;
}

/** Whether what goes to this host is encrypted, unless it never leaves the machine. */
export function checkTls(isEncrypted: boolean, host: string, todo: string): Found {
  if (isEncrypted) return ok("the connection is encrypted");
  return isOwnHost(host)
    ? ok("not encrypted, on this machine")
    : warning(
        "what goes to another machine is not encrypted",
        `${todo}, unless the network is private.`,
      );
}

/** An address of this machine alone, where nobody else can listen. */
function isOwnHost(host: string): boolean {
  return host.startsWith("/") || /^(?:localhost|127\.[\d.]+|\[?::1\]?|)$/.test(host);
}
