import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { getPublicSuffix } from "tough-cookie";
import { Turns } from "../turns.ts";
import { withTimeout } from "../with-timeout.ts";
import { NameNotResolved, queryDns } from "./query-dns.ts";

/** With the wait for a place. */
const longestMs = 10_000;

export interface LookupOptions {
  /** Ends the look-up for this caller. When no caller is left, it ends. */
  signal?: AbortSignal | undefined;
}

interface Lookup {
  found: Promise<string[]>;
  callers: number;
  abort: AbortController;
}

/** Finds the addresses of names: in the hosts file, and otherwise by DNS. It keeps no answers. */
export class NameResolver {
  readonly #servers: readonly string[] | undefined;
  readonly #hosts: HostsFile;
  /** Names of one domain that never resolve leave places for others. */
  readonly #turns = new Turns({
    places: 64,
    placesOfOne: 8,
    waiting: {
      most: 1_024,
      mostOfOne: 128,
      tooMany: () => new NameNotResolved("TOO_MANY_LOOKUPS"),
    },
  });
  readonly #lookups = new Map<string, Lookup>();

  /** Without `servers`, those of the machine. */
  constructor({
    servers,
    hostsPath = "/etc/hosts",
  }: { servers?: readonly string[]; hostsPath?: string } = {}) {
    this.#servers = servers;
    this.#hosts = new HostsFile(hostsPath);
  }

  /** Throws NameNotResolved, or the signal's reason. */
  async resolve(hostname: string, { signal }: LookupOptions = {}): Promise<readonly string[]> {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    const known = await this.#hosts.find(name);
    if (known) return known;
    if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    return await this.#share(name, signal);
  }

  /** Look-ups of one name at one time are one look-up. */
  async #share(name: string, signal?: AbortSignal): Promise<string[]> {
    const lookup = this.#lookups.get(name) ?? this.#begin(name);
    lookup.callers += 1;
    try {
      return await withTimeout(longestMs, () => lookup.found, { signal, timedOut });
    } finally {
      lookup.callers -= 1;
      if (lookup.callers === 0) {
        this.#lookups.delete(name);
        lookup.abort.abort();
      }
    }
  }

  #begin(name: string): Lookup {
    const abort = new AbortController();
    const { signal } = abort;
    const found = this.#turns.run({ client: domainOf(name), signal }, () =>
      queryDns(name, { signal, servers: this.#servers }),
    );
    found.catch(() => undefined);
    const lookup = { found, callers: 0, abort };
    this.#lookups.set(name, lookup);
    return lookup;
  }
}

function timedOut(): Error {
  return new NameNotResolved("ETIMEOUT");
}

function domainOf(name: string): string {
  return getPublicSuffix(name, { allowSpecialUseDomain: true, ignoreError: true }) ?? name;
}

/** A change of the file has an effect after this time at the latest. */
const rereadAfterMs = 5_000;

/** The names that the machine knows by itself. A file that cannot be read has none. */
class HostsFile {
  readonly #path: string;
  #names: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  #readAtMs = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The addresses of a name. Undefined for a name that is not in the file. */
  async find(name: string): Promise<readonly string[] | undefined> {
    const nowMs = performance.now();
    if (this.#names === undefined || nowMs - this.#readAtMs > rereadAfterMs) {
      this.#readAtMs = nowMs;
      this.#names = readNames(this.#path);
    }
    return (await this.#names).get(name);
  }
}

async function readNames(path: string): Promise<Map<string, string[]>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const names = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...hosts] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const host of hosts.map((name) => name.toLowerCase()))
      names.set(host, [...new Set([...(names.get(host) ?? []), address])]);
  }
  return names;
}
