import { BlockList, isIP, isIPv4, SocketAddress } from "node:net";

const refusedRanges = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/96",
  "::ffff:0:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "100:0:0:1::/64",
  "2001::/32",
  "2001:2::/48",
  "2001:10::/28",
  "2001:20::/28",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

/** Decides which addresses may be reached: public ones, and those in the operator's own ranges. */
export class AddressPolicy {
  readonly #ofAllPorts: RangeSet;
  readonly #ofPorts: ReadonlyMap<number, RangeSet>;

  /**
   * Takes ranges such as `10.20.0.0/16`, or for one port `10.20.0.0/16:443` or `[fd00::/8]:443`. Throws an error that
   * quotes what is not a range.
   */
  constructor(allowedRanges: readonly string[] = []) {
    const parsed = allowedRanges.map(splitPort);
    const rangesOf = (port: number | undefined): RangeSet =>
      new RangeSet(parsed.filter((each) => each.port === port).map(({ range }) => range));
    this.#ofAllPorts = rangesOf(undefined);
    const ports = new Set(parsed.flatMap(({ port }) => port ?? []));
    this.#ofPorts = new Map([...ports].map((port) => [port, rangesOf(port)]));
  }

  isAllowed(ip: string, port: number): boolean {
    const address = parseAddress(ip);
    return address !== undefined && (this.#isNamed(address, port) || !refused.has(address));
  }

  /** True when one of the operator's ranges has this address; false when it is only public. */
  isNamed(ip: string, port: number): boolean {
    const address = parseAddress(ip);
    return address !== undefined && this.#isNamed(address, port);
  }

  /** Whether one of the operator's ranges is for this port. */
  hasRanges(port: number): boolean {
    return this.#ofPorts.has(port) || !this.#ofAllPorts.isEmpty;
  }

  /** Whether one of the operator's ranges is for this port alone. */
  hasRangesOfPort(port: number): boolean {
    return this.#ofPorts.has(port);
  }

  #isNamed(address: SocketAddress, port: number): boolean {
    return this.#ofAllPorts.has(address) || (this.#ofPorts.get(port)?.has(address) ?? false);
  }
}

/** A port of `*` is every port, as is none. */
function splitPort(allowed: string): { range: string; port: number | undefined } {
  const [, ipv6, ipv4, port] =
    /^(?:\[([^\]]*)\]|([^:[\]]*)):(\*|[1-9]\d{0,4})$/.exec(allowed) ?? [];
  const range = ipv6 ?? ipv4;
  if (range === undefined) return { range: allowed, port: undefined };
  if (Number(port) > 65_535)
    throw new TypeError(`"${allowed}" names no port; the last one is 65535.`);
  return { range, port: port === "*" ? undefined : Number(port) };
}

/** One list per family: in a single list, a wide IPv6 range such as `::/0` would match IPv4 addresses too. */
class RangeSet {
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  readonly isEmpty: boolean;

  constructor(ranges: readonly string[]) {
    this.isEmpty = ranges.length === 0;
    for (const range of ranges) {
      const { address, prefix } = parseRange(range);
      this.#lists[address.family].addSubnet(address, prefix);
    }
  }

  has(address: SocketAddress): boolean {
    return this.#lists[address.family].check(address);
  }
}

/** A v4-mapped address counts as the v4 address that a socket to it reaches. A zone does not matter. */
function parseAddress(ip: string): SocketAddress | undefined {
  const bare = ip.split("%", 1)[0] ?? "";
  const version = isIP(bare);
  if (version === 0) return undefined;
  if (version === 4) return new SocketAddress({ address: bare, family: "ipv4" });
  const canonical = new SocketAddress({ address: bare, family: "ipv6" });
  const mapped = canonical.address.startsWith("::ffff:")
    ? canonical.address.slice("::ffff:".length)
    : "";
  return isIPv4(mapped) ? new SocketAddress({ address: mapped, family: "ipv4" }) : canonical;
}

function parseRange(range: string): { address: SocketAddress; prefix: number } {
  const [ip = "", prefix = "", ...rest] = range.trim().split("/");
  const address = ip.includes("%") ? undefined : parseAddress(ip);
  const longestPrefix = address?.family === "ipv4" ? 32 : 128;
  const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) <= longestPrefix;
  if (address === undefined || !isPrefix || rest.length > 0) {
    throw new TypeError(
      `"${range}" is not an address range; write it like 10.20.0.0/16 or fd00::/8.`,
    );
  }
  if (address.family === "ipv4" && ip.includes(":")) {
    throw new TypeError(`"${range}" is a range of v4-mapped addresses; write it as IPv4.`);
  }
  return { address, prefix: Number(prefix) };
}

const refused = new RangeSet(refusedRanges);

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
