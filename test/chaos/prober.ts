// Asks for an address every 20 ms, whether or not the earlier answers have come, in a process of its own:
//
//   node test/chaos/prober.ts --url http://127.0.0.1:3000/healthz [--every-ms 20] [--bearer token]
//
// Each line on standard input prints the answer times since the line before, as JSON. An answer that has not come
// counts with the time that it has taken so far.
import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { runProgram } from "../support/vendors/run-program.ts";
import { percentile, type LatencySummary } from "./latency.ts";

const patienceMs = 60_000;
const warmingProbes = 300;

await runProgram(["url", "every-ms", "bearer"], async (given) => {
  const url = given.text("url") ?? "";
  const bearer = given.text("bearer");
  const everyMs = given.number("every-ms") ?? 20;
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const ownDelay = monitorEventLoopDelay({ resolution: 5 });
  ownDelay.enable();
  const pending = new Set<number>();
  let times: number[] = [];
  let failed = 0;

  const probe = (of = url): void => {
    const startedAt = performance.now();
    pending.add(startedAt);
    const end = (isGood: boolean): void => {
      if (!pending.delete(startedAt)) return;
      times.push(performance.now() - startedAt);
      if (!isGood) failed += 1;
    };
    get(
      of,
      { agent, timeout: patienceMs, headers: bearer ? { authorization: `Bearer ${bearer}` } : {} },
      (response) => response.resume().once("close", () => end(response.statusCode === 200)),
    )
      .once("timeout", function destroy(this: { destroy(): void }) {
        this.destroy();
      })
      .once("error", () => end(false));
  };

  const summarize = (): LatencySummary => {
    const now = performance.now();
    const all = [...times, ...[...pending].map((startedAt) => now - startedAt)];
    const summary = {
      count: all.length,
      failed,
      p50Ms: percentile(all, 0.5),
      p99Ms: percentile(all, 0.99),
      maxMs: percentile(all, 1),
      ownDelayP99Ms: ownDelay.percentile(99) / 1e6,
    };
    times = [];
    failed = 0;
    ownDelay.reset();
    return summary;
  };

  await warmUp(probe, () => pending.size === 0);
  summarize();
  setInterval(() => probe(), everyMs);
  createInterface({ input: process.stdin }).on("line", () =>
    process.stdout.write(`${JSON.stringify(summarize())}\n`),
  );
  return { url };
});

/** What this process takes while it is new is nobody else's. */
async function warmUp(probe: (of: string) => void, isIdle: () => boolean): Promise<void> {
  const server = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count < warmingProbes; count += 1) {
    probe(`http://127.0.0.1:${port}/`);
    while (!isIdle()) await delay(1);
  }
  server.closeAllConnections();
  server.close();
}
