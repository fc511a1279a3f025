import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** A change of the file has an effect after this time at the latest. */
const rereadAfterMs = 5_000;

/** The names that the machine knows by itself. A file that cannot be read has none. */
export class HostsFile {
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
