// Loaded before the service (`--import`). On SIGUSR2 it appends the delays of the event loop since the signal before
// to the file that CHAOS_EVENT_LOOP_FILE names. Only the process of the service itself does so.
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env["CHAOS_EVENT_LOOP_FILE"];
if (file && isMainThread && process.argv[1]?.endsWith("src/main.ts")) {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  process.on("SIGUSR2", () => {
    const summary = {
      count: delays.count,
      p50Ms: delays.percentile(50) / 1e6,
      p99Ms: delays.percentile(99) / 1e6,
      maxMs: delays.max / 1e6,
    };
    appendFileSync(file, `${JSON.stringify(summary)}\n`);
    delays.reset();
  });
}
