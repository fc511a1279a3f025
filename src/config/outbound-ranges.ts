import { isIP } from "node:net";
import { z } from "zod";
import { findWide, holdsEverything, list, wideAdvice } from "./values.ts";
import { AddressPolicy, type OpenedRange } from "../platform/outbound/index.ts";

const form =
  "write 10.1.2.0/24:443 or [fd00::/8]:8069, with * as the port for all of them, and before it <client_id>= for one " +
  "client alone";

const entryPattern =
  /^(?:([0-9A-F]{8}(?:-[0-9A-F]{8}){3})=)?(?:\[([^\]]+)\]|([^:[\]]+)):(\*|\d{1,5})$/;

/** Ranges with ports that requests of one purpose may go to, although they are not public. */
export const outboundRanges = list.transform((entries, context): OpenedRange[] => {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  const ranges: OpenedRange[] = [];
  for (const entry of entries) {
    const range = parseEntry(entry);
    if (!range)
      return refuse(`has ${JSON.stringify(entry)}, which is no range with a port; ${form}`);
    ranges.push(range);
  }
  const addresses = ranges.map(({ range }) => addressesOf(range));
  if (holdsEverything(addresses))
    return refuse("opens everything that is not public; name the ranges that are meant");
  const wide = findWide(addresses);
  return wide === undefined ? ranges : refuse(`has ${wide}, which ${wideAdvice}`);
});

/**
 * What is to be written in place of `OUTBOUND_ALLOW`, which opened a range to providers and to the webhooks of every
 * client alike. Undefined when it is not set.
 */
export function findFormerRanges(former: string | undefined): string | undefined {
  if (former === undefined) return undefined;
  const entries = former.split(",").map((entry) => entry.trim());
  const ranges = entries
    .map((range) => `${range.includes(":") ? `[${range}]` : range}:*`)
    .join(",");
  return (
    `OUTBOUND_ALLOW: is taken no more, because a range that was meant for a provider was open to every client's ` +
    `webhooks too; set OUTBOUND_ALLOW_PROVIDERS=${ranges} for providers, OUTBOUND_ALLOW_WEBHOOKS in the same form for ` +
    `webhooks, and the port in place of * where there is one`
  );
}

function parseEntry(entry: string): OpenedRange | undefined {
  const [, ownerId, ipv6, ipv4, port] = entryPattern.exec(entry) ?? [];
  const address = ipv6 ?? ipv4;
  if (address === undefined) return undefined;
  const whole = address.includes("/") ? address : `${address}/${isIP(address) === 6 ? 128 : 32}`;
  const range = ipv6 === undefined ? `${whole}:${port}` : `[${whole}]:${port}`;
  return isRange(range) ? { range, ...(ownerId !== undefined && { ownerId }) } : undefined;
}

function isRange(range: string): boolean {
  try {
    return Boolean(new AddressPolicy([range]));
  } catch {
    return false;
  }
}

/** Without the port. */
function addressesOf(range: string): string {
  return range.slice(0, range.lastIndexOf(":")).replaceAll(/[[\]]/g, "");
}
