// A process of Node that nobody asks anything. As ours it watches its event loop, and looks at something ten times a
// second. What it costs depends on what the machine's caches still have of it, and so does what ours costs.
import { monitorEventLoopDelay } from "node:perf_hooks";

const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: `name ${id}`, due_at: null }));

process.once("message", () => {
  monitorEventLoopDelay({ resolution: 10 }).enable();
  setInterval(() => JSON.parse(JSON.stringify(rows)) as unknown, 100);
  process.send?.(0);
});
process.once("disconnect", () => process.exit());
