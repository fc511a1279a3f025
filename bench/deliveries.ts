import { randomUUID } from "node:crypto";
import { AddressPolicy, createGuardedAgent } from "../src/platform/outbound/index.ts";
import { postWebhook } from "../src/webhooks/post-webhook.ts";
import { signedHeaders } from "../src/webhooks/sign.ts";
import { rounds } from "./options.ts";
import { makeEmployee } from "./people.ts";
import { profileHere, type CpuProfile } from "./profile-process.ts";
import type { Claim, Cost } from "./report.ts";
import { startServer } from "./start-server.ts";
import { withContext } from "./with-context.ts";

const deliveries = 2_000;
const atOnce = 8;
const profiledRounds = 10;
const timeoutMs = 20_000;
const secrets = ["a-secret-of-the-bench"];

/** Deliveries in a second of processor time of the sender, as our worker posts them, against `fetch`. */
export async function benchDeliveries(): Promise<Claim[]> {
  return await withReceiver(async (ours, fetched) => [await compare(ours, fetched)]);
}

/** Profiles the sender. */
export async function profileDeliveries(): Promise<CpuProfile> {
  return await withReceiver(async (ours) => {
    await costOfEach(ours);
    return await profileHere(async () => {
      for (let round = 0; round < profiledRounds; round += 1) await costOfEach(ours);
    });
  });
}

type Deliver = () => Promise<void>;

async function withReceiver<Result>(
  work: (ours: Deliver, fetched: Deliver) => Promise<Result>,
): Promise<Result> {
  return await withContext("embedded", async (context) => {
    const body = Buffer.from(
      JSON.stringify({ added: [], removed: [], updated: [makeEmployee(1)] }),
    );
    const reply = { name: "webhooks", encoding: undefined, bytes: Buffer.from("{}") };
    const receiver = await startServer("bare-server.ts", [reply], { defer: context.defer });
    const agent = createGuardedAgent({
      policy: new AddressPolicy(["127.0.0.0/8"]),
      allowsHttp: true,
      connectTimeoutMs: 5_000,
    });
    context.defer("the agent", () => agent.close());
    const url = `${receiver.origin}/webhooks`;
    const ours = async (): Promise<void> => {
      const request = { url, headers: headersOf(body), body };
      const { reason } = await postWebhook(agent, request, () => new Date());
      if (reason !== "ok") throw new Error(`a delivery ended with ${reason}`);
    };
    const fetched = async (): Promise<void> => {
      const signal = AbortSignal.timeout(timeoutMs);
      const headers = headersOf(body);
      const response = await fetch(url, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal,
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`fetch ended with ${response.status}`);
    };
    return await work(ours, fetched);
  });
}

async function compare(ours: Deliver, fetched: Deliver): Promise<Claim> {
  const costs: Cost[] = [];
  // The first round warms up.
  for (let round = -1; round < rounds; round += 1) {
    const reference = await costOfEach(fetched);
    const cost = await costOfEach(ours);
    if (round >= 0) costs.push({ ours: cost, reference });
  }
  return {
    name: "a signed webhook delivery against the same with fetch",
    target: 4,
    costs,
  };
}

/** Microseconds of this process. */
async function costOfEach(deliver: Deliver): Promise<number> {
  let left = deliveries;
  const deliverNext = async (): Promise<void> => {
    while ((left -= 1) >= 0) await deliver();
  };
  const start = process.cpuUsage();
  await Promise.all(Array.from({ length: atOnce }, deliverNext));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / deliveries;
}

function headersOf(body: Buffer): Record<string, string> {
  const [id, tokenId] = [randomUUID(), randomUUID()];
  return signedHeaders({ id, tokenId, reference: null, body, secrets, at: new Date() });
}
