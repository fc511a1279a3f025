import { Resolver } from "node:dns/promises";

/** For one try of one family at one server. */
const tryTimeoutMs = 2_000;
const tries = 2;
/** For all tries of both families. */
const totalTimeoutMs = 5_000;
/** How long the second family may take after the first one has an address. */
const secondFamilyMs = 1_000;
const absent = new Set(["ENOTFOUND", "ENODATA"]);

/** The name has no address, or nobody said which. The code of the DNS, or ours, tells why. */
export class NameNotResolved extends Error {
  readonly code: string;

  constructor(code: string) {
    super("The name could not be resolved.");
    this.code = code;
  }
}

/**
 * Asks the DNS servers for the addresses of both families, IPv4 first in the result. One family is enough.
 * The query is sent by c-ares and needs no thread, so a slow name delays no other one. The search list and
 * `options ndots` of resolv.conf are not used: a name is complete as it was typed.
 */
export async function queryDns(
  name: string,
  { signal, servers }: { signal: AbortSignal; servers: readonly string[] | undefined },
): Promise<string[]> {
  // One for each name: a cancellation ends all queries of a resolver.
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries });
  if (servers) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  let timer = setTimeout(cancel, totalTimeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const families = [resolver.resolve4(name), resolver.resolve6(name)];
    const limitSecond = (): void => {
      clearTimeout(timer);
      timer = setTimeout(cancel, secondFamilyMs);
    };
    const first = Promise.any(families).then(limitSecond, () => undefined);
    const [results] = await Promise.all([Promise.allSettled(families), first]);
    const addresses = results.flatMap((result) =>
      result.status === "fulfilled" ? result.value : [],
    );
    if (addresses.length > 0) return addresses;
    throw new NameNotResolved(codeOf(results.flatMap(toFailure)));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  }
}

function toFailure(result: PromiseSettledResult<unknown>): string[] {
  if (result.status === "fulfilled") return [];
  const { code = "EUNKNOWN" } = result.reason as NodeJS.ErrnoException;
  return [code === "ECANCELLED" ? "ETIMEOUT" : code];
}

/** A name is absent only when no family of it is there. */
function codeOf(codes: readonly string[]): string {
  return codes.find((code) => !absent.has(code)) ?? "ENOTFOUND";
}
