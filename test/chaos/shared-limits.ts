import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { createClient, type TestClient } from "./accounts.ts";
import { patientAgent } from "./asking.ts";
import { Fleet } from "./fleet.ts";
import type { Measured, Row, RowContext } from "./row.ts";

export const sharedLimits: Row = {
  name: "shared-limits",
  target:
    "two APIs on Redis let exactly 15, 25, 40 and 40 in; another key is unaffected; on Redis always",
  limitMinutes: 10,
  run: measure,
};

const atOnce = 100;
/** Longer than a window of a minute. */
const nextMinuteMs = 62_000;

interface Sent {
  path: string;
  network: string;
  client?: TestClient;
}

async function measure(context: RowContext): Promise<Measured> {
  const limits = {
    RATE_LIMIT_OPEN_1M: "15",
    RATE_LIMIT_OPEN_5M: "25",
    RATE_LIMIT_GATED_IP_1M: "40",
    RATE_LIMIT_GATED_CLIENT_5M: "40",
  };
  const stage = await context.stage(limits, { onRedis: true, hasOwnStores: true });
  const { ports } = await Fleet.start(context, stage, { workers: 0 });
  const clients = [await createClient(stage), await createClient(stage), await createClient(stage)];
  const open = { path: "/providers", network: "198.51.100.1" };
  const gated = { path: "/2023-03-01/management/client", network: "198.51.100.2" };
  const passed = async (send: (index: number) => Sent): Promise<number> => {
    const statuses = await Promise.all(
      Array.from({ length: atOnce }, (_, index) => ask(ports[index % 2] ?? 0, send(index))),
    );
    return statuses.filter((status) => status === 200).length;
  };
  const found: Record<string, [got: number, wanted: number]> = {};
  found["open, first minute"] = [await passed(() => open), 15];
  found["another address"] = [await passed(() => ({ ...open, network: "198.51.100.9" })), 15];
  // Many clients, so that the address alone is what is counted.
  found["gated, address"] = [
    await passed((index) => ({ ...gated, client: clients[index % 2]! })),
    40,
  ];
  found["gated, client"] = [
    await passed((index) => ({
      ...gated,
      network: `203.0.113.${index}`,
      client: clients[2]!,
    })),
    40,
  ];
  await delay(nextMinuteMs, undefined, { signal: stage.signal });
  found["open, second minute"] = [await passed(() => open), 10];
  const wrong = Object.values(found).filter(([got, wanted]) => got !== wanted);
  return {
    isOk: wrong.length === 0,
    measured: Object.entries(found)
      .map(([name, [got]]) => `${name}: ${got} of ${atOnce}`)
      .join("; "),
  };
}

async function ask(port: number, { path, network, client }: Sent): Promise<number> {
  const credentials = client && Buffer.from(`${client.clientId}:${client.secret}`);
  const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, {
    dispatcher: patientAgent,
    headers: {
      "x-forwarded-for": network,
      ...(credentials && { authorization: `Basic ${credentials.toString("base64")}` }),
    },
  });
  await body.dump();
  return statusCode;
}
