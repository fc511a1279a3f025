import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

/** What is known of a name. A family that is missing has no addresses; `silent` ones are never answered. */
export interface FakeName {
  A?: string[] | FakeFault;
  AAAA?: string[] | FakeFault;
}
type FakeFault = "silent" | "nxdomain" | "servfail" | "refused";

const rcodes = { servfail: 2, nxdomain: 3, refused: 5 };
const types = { 1: "A", 28: "AAAA" } as const;

/** A DNS server on a port of its own. A name that it does not know is absent. */
export class FakeDns {
  readonly queries: string[] = [];
  readonly #socket = createSocket("udp4");
  readonly #find: (name: string) => FakeName | FakeFault;

  private constructor(find: (name: string) => FakeName | FakeFault) {
    this.#find = find;
    this.#socket.on("message", (query, from) => this.#answer(query, from));
  }

  static async start(find: (name: string) => FakeName | FakeFault): Promise<FakeDns> {
    const server = new FakeDns(find);
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  stop(): void {
    this.#socket.close();
  }

  /** The names that were asked for, each once. */
  get names(): string[] {
    return [...new Set(this.queries.map((query) => query.split(" ")[0] ?? ""))];
  }

  #answer(query: Buffer, from: RemoteInfo): void {
    const { name, end } = readName(query);
    const type = types[query.readUInt16BE(end) as keyof typeof types];
    this.queries.push(`${name} ${type}`);
    const known = this.#find(name);
    const found = typeof known === "string" ? known : (known[type] ?? []);
    if (found === "silent") return;
    const addresses = typeof found === "string" ? [] : found;
    const header = Buffer.alloc(12);
    header.writeUInt16BE(query.readUInt16BE(0), 0);
    header.writeUInt16BE(0x8180 | (typeof found === "string" ? rcodes[found] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) => recordOf(address, type));
    const answer = Buffer.concat([header, query.subarray(12, end + 4), ...records]);
    this.#socket.send(answer, from.port, from.address);
  }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}

/** Its name is a pointer to the question. */
function recordOf(address: string, type: "A" | "AAAA"): Buffer {
  const data = type === "A" ? Buffer.from(address.split(".").map(Number)) : bytesOf(address);
  const head = Buffer.from([
    0xc0,
    0x0c,
    0,
    type === "A" ? 1 : 28,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    data.length,
  ]);
  return Buffer.concat([head, data]);
}

function bytesOf(address: string): Buffer {
  const [left = "", right = ""] = address.split("::");
  const [first, last] = [left, right].map((part) =>
    part.split(":").filter((group) => group !== ""),
  );
  const zeros = Array.from({ length: 8 - first!.length - last!.length }, () => "0");
  const groups = [...first!, ...zeros, ...last!];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}
