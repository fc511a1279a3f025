import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Stage } from "./stage.ts";

interface Bearer {
  token: string;
}

export interface Ended {
  /** The first status that is not 202, or 202 when the time was over first. */
  status: number;
  tookMs: number;
  /** What the service says of it, when it is not 200. */
  message: string;
  bytes: number;
}

const waitSeconds = 5;
/** For answers that take long, and for as many callers as a row has. */
export const patientAgent = new Agent({
  headersTimeout: 120_000,
  bodyTimeout: 120_000,
  connections: 512,
});

export async function requestJson(
  stage: Stage,
  method: "GET" | "POST",
  path: string,
  { bearer, json }: { bearer?: string; json?: unknown } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { statusCode, body } = await request(stage.baseUrl + path, {
    dispatcher: patientAgent,
    method,
    signal: stage.signal,
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(json !== undefined && { "content-type": "application/json" }),
    },
    body: json === undefined ? null : JSON.stringify(json),
  });
  return { status: statusCode, body: (await body.json()) as Record<string, unknown> };
}

/** One request for a resource. The body of a 200 is only counted. */
export async function askOnce(
  stage: Stage,
  { token }: Bearer,
  resource = "employees",
  headers: Record<string, string> = {},
): Promise<Omit<Ended, "tookMs">> {
  const { statusCode, body } = await request(`${stage.baseUrl}/2023-03-01/xhr/${resource}`, {
    dispatcher: patientAgent,
    signal: stage.signal,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  if (statusCode !== 200) {
    const { message } = (await body.json()) as { message?: string };
    return { status: statusCode, message: message ?? "", bytes: 0 };
  }
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) bytes += chunk.length;
  return { status: statusCode, message: "", bytes };
}

/** Asks, with patience, until the answer is not 202 or the time is over. */
export async function askUntilEnded(
  stage: Stage,
  account: Bearer,
  { resource = "employees", limitMs }: { resource?: string; limitMs: number },
): Promise<Ended> {
  const startedAt = performance.now();
  for (;;) {
    const ended = await askOnce(stage, account, resource, { prefer: `wait=${waitSeconds}` });
    const tookMs = performance.now() - startedAt;
    if (ended.status !== 202 || tookMs > limitMs) return { ...ended, tookMs };
    await delay(50);
  }
}

/** How a read ended, in the words of the service: the same statuses can have other reasons. */
export function describeEnd({ status, message }: Ended): string {
  if (status === 200) return "ready";
  if (status === 202) return "pending";
  if (status === 500 && message.includes("provider")) return "broken";
  if (status === 503 && message.includes("provider")) return "unavailable";
  return `${status} ${message}`;
}

/** Those that did not end with 200, by how they ended. */
export function describeOthers(ended: readonly Ended[]): string {
  const others = ended.filter(({ status }) => status !== 200).map(describeEnd);
  const counts = Map.groupBy(others, (end) => end);
  return [...counts].map(([end, { length }]) => `${length} ${end}`).join(", ") || "none";
}

/** Asks again also after answers that say nothing of the read, such as that the service is busy. */
export async function askUntilSettled(
  stage: Stage,
  account: Bearer,
  { limitMs, resource = "employees" }: { limitMs: number; resource?: string },
): Promise<Ended> {
  const startedAt = performance.now();
  for (;;) {
    const leftMs = limitMs - (performance.now() - startedAt);
    const ended = await askUntilEnded(stage, account, { resource, limitMs: leftMs }).catch(
      (error: unknown): Ended => ({ status: 0, message: String(error), bytes: 0, tookMs: 0 }),
    );
    stage.signal.throwIfAborted();
    const tookMs = performance.now() - startedAt;
    const isSettled = ["ready", "broken", "unavailable"].includes(describeEnd(ended));
    if (isSettled || tookMs > limitMs) return { ...ended, tookMs };
    await delay(500);
  }
}
