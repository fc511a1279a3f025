import { BlockList, isIP } from "node:net";
import { z } from "zod";
import type { MasterKey } from "../platform/crypto/index.ts";
import { isPlainText } from "../platform/plain-text.ts";

// How the values of environment variables are written.

export const positive = z.coerce.number().int().min(1).max(1_000_000_000);
export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** As OpenTelemetry writes lists of names with values. */
export const keyValues = list.transform((items, context) => {
  const pairs = items.map(readPair);
  if (pairs.every((pair) => pair !== undefined)) return Object.fromEntries(pairs);
  context.addIssue({ code: "custom", message: "is a list such as name=value,name=value" });
  return z.NEVER;
});

function readPair(item: string): [string, string] | undefined {
  const [name = "", value] = item.split(/=(.*)/s, 2).map((part) => part.trim());
  if (name === "" || value === undefined) return undefined;
  try {
    return [name, decodeURIComponent(value)];
  } catch {
    return undefined;
  }
}

const cidrs = list
  .refine((items) => items.every(isCidr), {
    error: "is a list of addresses or CIDRs, separated by commas",
  })
  .transform((items) =>
    items.map((item) => (item.includes("/") ? item : `${item}/${isIP(item) === 6 ? 128 : 32}`)),
  );
/** One of these ranges that no network of an operator is as wide as: IPv4 below /8, IPv6 below /16 but for fc00::/7. */
export function findWide(ranges: readonly string[]): string | undefined {
  return ranges.find((range) => {
    const [address = "", prefix] = range.split("/");
    const bits = Number(prefix);
    if (isIP(address) === 4) return bits < 8;
    if (isIn("::ffff:0:0/96", address)) return bits < 96 + 8;
    return bits < (isIn("fc00::/7", address) ? 7 : 16);
  });
}

export const wideAdvice =
  "is wider than a network can be; name ranges of /8 or narrower, of IPv6 /16, or fc00::/7";

function isIn(range: string, ipv6: string): boolean {
  const [network = "", bits] = range.split("/");
  const list = new BlockList();
  list.addSubnet(network, Number(bits), "ipv6");
  return list.check(ipv6, "ipv6");
}

/** Whether these ranges have half of all IPv4 addresses together, or of all public IPv6 addresses, or more. */
export function holdsEverything(ranges: readonly string[]): boolean {
  const held = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    held.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  const ofIpv4 = Array.from({ length: 256 }, (_, part) => held.check(`${part}.77.131.9`));
  const ofIpv6 = Array.from({ length: 32 }, (_, part) =>
    held.check(`${(0x2000 + 0x100 * part).toString(16)}:4d::9`, "ipv6"),
  );
  return [ofIpv4, ofIpv6].some((are) => are.filter(Boolean).length * 2 >= are.length);
}

/** `none` says that callers reach the service without a proxy. */
export const proxies = z
  .string()
  .trim()
  .refine((value) => /[^,\s]/.test(value), { error: "is a list of addresses or CIDRs, or none" })
  .transform((value) => (value === "none" ? "" : value))
  .pipe(cidrs)
  .refine((ranges) => !holdsEverything(ranges), {
    error: "holds so many addresses that anybody could write X-Forwarded-For; name the proxies",
  })
  .refine((ranges) => findWide(ranges) === undefined, {
    error: ({ input }) => `has ${findWide(input as string[])}, which ${wideAdvice}`,
  });
export const masterKeys = z.string().transform((value, context): MasterKey[] => {
  const keys = value.split(",").map((entry) => parseMasterKey(entry.trim()));
  const obvious = keys.find((key) => key && isObvious(key));
  if (obvious) {
    const why = "is one byte again and again, which anybody would try first";
    const advice = "make one with: npx rollcall keys generate";
    context.addIssue({ code: "custom", message: `the key ${obvious.id} ${why}; ${advice}` });
    return z.NEVER;
  }
  if (
    keys.every((key) => key !== undefined) &&
    new Set(keys.map(({ id }) => id)).size === keys.length
  )
    return keys;
  context.addIssue({
    code: "custom",
    message:
      "is a list of name:key, separated by commas; a key is 32 bytes in base64, names are unique, the first one is used for new data",
  });
  return z.NEVER;
});
export const shownName = z
  .string()
  .max(100)
  .refine(isPlainText, { error: "holds characters that are not allowed" });
export const url = (protocols: RegExp) =>
  z.url({ protocol: protocols, error: `is a URL (${protocols.source})` });

/** A page, or an address of e-mail, that people are led to. */
export const contact = z.url({
  protocol: /^(https|mailto)$/,
  error: "is an address with https: or mailto:",
});

/** The address with the password, unless it has one. */
export function addPassword(
  address: string | undefined,
  password: string | undefined,
): string | undefined {
  if (address === undefined || password === undefined) return address;
  const url = new URL(address);
  if (url.password === "") url.password = encodeURIComponent(password);
  return url.href;
}

export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const family = isIP(host);
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8, "ipv4");
  loopback.addAddress("::1", "ipv6");
  return family !== 0 && loopback.check(host, family === 6 ? "ipv6" : "ipv4");
}

export function isLoopbackUrl(address: string): boolean {
  const { hostname = "" } = URL.parse(address) ?? {};
  return isLoopback(hostname.replaceAll(/^\[|\]$/g, ""));
}

/** An entry is `name:key`. */
export function parseMasterKey(entry: string): MasterKey | undefined {
  const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry);
  return match?.[1] && match[2]
    ? { id: match[1], key: Buffer.from(match[2], "base64") }
    : undefined;
}

/** Such as one of zeros. */
export function isObvious({ key }: Pick<MasterKey, "key">): boolean {
  return key.every((byte) => byte === key[0]);
}

function isCidr(value: string): boolean {
  const [address = "", bits, ...rest] = value.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}
