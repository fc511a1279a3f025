import { isIP } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";

/** Names that the public DNS never has: of one label, and those of RFC 6761, 6762 and 8375, and .internal. */
const isPrivateName = (host: string): boolean =>
  !host.includes(".") || /(?:^|\.)(?:local|internal|home\.arpa|invalid)$/.test(host);

/**
 * False for an address of the web that no request can ever get to: this machine, an address that is not public, a name
 * that the public DNS never has. A range of the operator can make it reachable.
 */
export function isReachable(
  { protocol, hostname, port: given }: URL,
  policy: AddressPolicy,
): boolean {
  const port = given === "" ? (protocol === "https:" ? 443 : 80) : Number(given);
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, "").toLowerCase();
  if (isIP(host) !== 0) return policy.isAllowed(host, port);
  if (host === "localhost" || host.endsWith(".localhost"))
    return policy.isAllowed("127.0.0.1", port) || policy.isAllowed("::1", port);
  return !isPrivateName(host) || policy.hasRanges(port);
}
