import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { Receiver, answers, bytesById, type Answer, type Received } from "../support/receiver.ts";
import { createClient, listenAt, type TestClient } from "./accounts.ts";
import { patientAgent } from "./asking.ts";
import { untilSo } from "./measuring.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

export const toldEvents: Row = {
  name: "told-events",
  target:
    "10,000 events, a receiver that refuses a third, workers killed, the stores away: each arrives or is named by the " +
    "newer state that replaced it, in order for its connection, the same id with the same bytes, nothing invented",
  limitMinutes: 40,
  run: measure,
};

const management = "/2023-03-01/management";
const stepsOfConnection = 98;
const connectionsAtOnce = 8;
const pageOfEvents = 1_000;
/** Of the requests in a row while the stores are away. */
const mostTries = 60;

interface ListedEvent {
  id: string;
  type: string;
  data: { token: string; replaces?: string[] };
}

let answered = 0;
const refusingThird: Answer = (response, call) => {
  answered += 1;
  const refusals = [answers.status(500), answers.reset, answers.status(429)];
  const isRefused = answered % 3 === 0;
  return isRefused
    ? refusals[(answered / 3) % refusals.length]!(response, call)
    : answers.status(204)(response, call);
};

async function measure(context: RowContext): Promise<Measured> {
  const stage = await context.stage({}, { hasOwnStores: true });
  await stage.start("api");
  await stage.start("worker");
  const client = await createClient(stage);
  const receiver = await Receiver.start();
  context.defer("the receiver", () => receiver.close());
  receiver.answer = refusingThird;
  const manage = callerOf(stage, client);
  await listenAt(stage, client, receiver.url, "eventUri");

  const connections = context.scaled(100, 6);
  const working = new AbortController();
  const faults = makeFaults(context, stage, working.signal);
  const hurrying = hurry(stage, working.signal);
  await liveConnections(manage, connections);
  receiver.answer = answers.status(204);
  working.abort();
  const [kills] = await Promise.all([faults, hurrying]);
  const isQuiet = await untilSo(stage, context.scaled(600_000, 240_000), async () => {
    await stage.query("update deliveries set due_at = now() where due_at is not null");
    const rows = await stage.query(
      `select from deliveries where status = 'pending' union all select from events where position is null`,
    );
    return rows.length === 0;
  });
  const listed = await listEvents(manage);
  const [made] = await stage.query(
    `select count(*)::integer as count from connections where client_id = '${client.clientId}'`,
  );
  const violations = findViolations(listed, receiver.received, {
    // A reply that was lost can have made another connection.
    "connection.created": Number(made?.["count"]),
    "connection.rights_changed": connections * stepsOfConnection,
  });
  return {
    isOk: isQuiet && violations.length === 0 && kills > 0,
    measured:
      `${listed.length} events of ${connections} connections in ${receiver.received.length} attempts, ` +
      `${listed.flatMap(({ data }) => data.replaces ?? []).length} replaced; ${kills} kills and outages; ` +
      `${isQuiet ? "nothing" : "something"} left pending; violations: ${violations.slice(0, 3).join(", ") || "none"}`,
  };
}

type Manage = (method: "GET" | "POST", path: string, json?: object) => Promise<unknown>;

/** Asks again while the service says that a store is away. */
function callerOf(stage: Stage, { clientId, secret }: TestClient): Manage {
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`;
  return async (method, path, json) => {
    for (let tries = 0; ; tries += 1) {
      const { statusCode, body } = await request(stage.baseUrl + management + path, {
        dispatcher: patientAgent,
        method,
        signal: stage.signal,
        headers: { authorization, ...(json && { "content-type": "application/json" }) },
        body: json === undefined ? null : JSON.stringify(json),
      });
      const content = await body.json();
      if (statusCode < 300) return content;
      if (statusCode !== 503 || tries > mostTries)
        throw new Error(`${method} ${path} was answered with ${statusCode}`);
      await delay(500, undefined, { signal: stage.signal });
    }
  };
}

/** Each connection is made, and loses and gains rights. */
async function liveConnections(manage: Manage, count: number): Promise<void> {
  let left = count;
  const liveNext = async (): Promise<void> => {
    while ((left -= 1) >= 0) {
      const { token } = (await manage("POST", "/sandbox/connections", {})) as { token: string };
      const path = `/sandbox/connections/${token}/rights`;
      for (let step = 0; step < stepsOfConnection; step += 1)
        await manage("POST", path, { forbidden: step % 2 === 0 ? ["groups"] : [] });
    }
  };
  await Promise.all(Array.from({ length: connectionsAtOnce }, liveNext));
}

/** Kills the worker, and lets a store be away, in turns. Returns how often. */
async function makeFaults(
  { onRedis }: RowContext,
  stage: Stage,
  signal: AbortSignal,
): Promise<number> {
  const faultsOfStore = Object.values((onRedis ? stage.redis! : stage.postgres).faults);
  let made = 0;
  while (!signal.aborted) {
    await delay(4_000);
    const fault = made % 2 === 1 ? faultsOfStore[made % faultsOfStore.length] : undefined;
    if (fault) await fault(2_000);
    else {
      await stage.running.at(-1)!.kill("SIGKILL");
      await stage.start("worker");
    }
    made += 1;
  }
  return made;
}

/** The schedule of refused deliveries has hours. */
async function hurry(stage: Stage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(1_000);
    await stage
      .query("update deliveries set due_at = now() where due_at is not null")
      .catch(() => stage.forgetClient());
  }
}

async function listEvents(manage: Manage): Promise<ListedEvent[]> {
  const listed: ListedEvent[] = [];
  for (let after = ""; ;) {
    const query = `limit=${pageOfEvents}${after && `&after=${after}`}`;
    const page = (await manage("GET", `/events?${query}`)) as {
      events: ListedEvent[];
      after: string;
      more: boolean;
    };
    listed.push(...page.events);
    ({ after } = page);
    if (!page.more) return listed;
  }
}

/** Each rule that is broken, in a few words. */
function findViolations(
  listed: readonly ListedEvent[],
  received: readonly Received[],
  expected: Readonly<Record<string, number>>,
): string[] {
  const { bytes, changed } = bytesById(received);
  const found = changed > 0 ? [`${changed} times one id with two bodies`] : [];
  const replaced = new Set(listed.flatMap(({ data }) => data.replaces ?? []));
  const lost = listed.filter(({ id }) => !bytes.has(id) && !replaced.has(id)).length;
  if (lost > 0) found.push(`${lost} events neither arrived nor were replaced`);
  const places = new Map(listed.map(({ id }, place) => [id, place]));
  const invented = [...bytes.keys()].filter((id) => !places.has(id)).length;
  if (invented > 0) found.push(`${invented} events arrived that are not listed`);
  const byToken = Map.groupBy(bytes.keys(), (id) => listed[places.get(id) ?? 0]?.data.token);
  for (const ids of byToken.values()) {
    const inOrder = ids.map((id) => places.get(id) ?? 0);
    if (inOrder.some((place, at) => place < (inOrder[at - 1] ?? 0)))
      found.push("a connection's events out of order");
  }
  for (const [type, count] of Object.entries(expected)) {
    const told = listed.filter((event) => event.type === type).length;
    if (told !== count) found.push(`${told} times ${type} instead of ${count}`);
  }
  return found;
}
