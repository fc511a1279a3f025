import { setTimeout as delay } from "node:timers/promises";
import type { HttpClient, Reply } from "./http-client.ts";

const limitMs = 300_000;

/** Repeats the request as `Retry-After` asks until the reply is not 202. */
export async function readWhenReady(
  http: Pick<HttpClient, "get">,
  path: string,
  options: Parameters<HttpClient["get"]>[1],
): Promise<Reply> {
  const startedAt = performance.now();
  for (;;) {
    const reply = await http.get(path, options);
    if (reply.status !== 202 || performance.now() - startedAt > limitMs) return reply;
    await delay(Number(reply.headers["retry-after"]) * 1000);
  }
}
