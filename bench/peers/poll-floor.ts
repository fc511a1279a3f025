// The least that a poll can cost: one process that makes the same requests with undici, parses the answers, hashes them
// and compares; and of a changed one finds the records that changed, signs them and posts them. Its parent sends the task
// first, then anything for each round, and is answered when all companies were asked.
import { createHmac, hash, randomUUID } from "node:crypto";
import { Agent, request } from "undici";
import type { SeenRequest } from "./tee.ts";

export interface FloorTask {
  requests: readonly SeenRequest[];
  /** The address of the vendor, for each company. */
  urls: readonly string[];
  atOnce: number;
  /** Where changes are posted. */
  receiver: string;
}

interface Known {
  digest: string;
  records: ReadonlyMap<unknown, string>;
}

const secret = "a-secret-of-the-bench";
const known = new Map<string, Known>();
const dispatcher = new Agent({ connections: 8 });

process.once("disconnect", () => process.exit());
process.once("message", (task: FloorTask) => {
  process.on("message", () => void pollAll(task).then(() => process.send?.("polled")));
  process.send?.("ready");
});

async function pollAll({ requests, urls, atOnce, receiver }: FloorTask): Promise<void> {
  const companies = [...urls.entries()];
  const pollNext = async (): Promise<void> => {
    for (let next = companies.pop(); next; next = companies.pop()) {
      const [company, url] = next;
      for (const [at, each] of requests.entries()) {
        const updated = compare(`${company}/${at}`, await ask(url, each));
        if (updated.length > 0) await post(receiver, updated);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, pollNext));
}

async function ask(url: string, { method, path, headers, body }: SeenRequest): Promise<Buffer> {
  const options = { method, headers, dispatcher, ...(body !== "" && { body }) };
  const reply = await request(url + path, options as Parameters<typeof request>[1]);
  return Buffer.from(await reply.body.arrayBuffer());
}

/** The records, as JSON, that are other ones than before. */
function compare(what: string, bytes: Buffer): string[] {
  const answer = JSON.parse(bytes.toString()) as unknown;
  const digest = hash("sha256", bytes);
  const before = known.get(what);
  if (before?.digest === digest) return [];
  const records = recordsOf(answer);
  known.set(what, { digest, records });
  if (!before) return [];
  return [...records].flatMap(([id, json]) => (before.records.get(id) === json ? [] : [json]));
}

function recordsOf(answer: unknown): Map<unknown, string> {
  const { result } = answer as { result?: unknown };
  const list = Array.isArray(result) ? (result as { id: unknown }[]) : [];
  return new Map(list.map((record) => [record.id, JSON.stringify(record)]));
}

async function post(receiver: string, updated: readonly string[]): Promise<void> {
  const body = `{"added":[],"removed":[],"updated":[${updated.join(",")}]}`;
  const id = randomUUID();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature.digest("base64")}`,
  };
  const reply = await request(receiver, { method: "POST", headers, body, dispatcher });
  await reply.body.dump();
}
