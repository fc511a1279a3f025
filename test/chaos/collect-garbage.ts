// Loaded before the service (`--import`). Collects its garbage every 25 seconds, so that what is resident right after
// is what the service keeps: V8 lets the garbage of minutes come together, more than a slow leak adds. The last resort
// alone gives the pages of that garbage back to the system; else the most that there ever was at once stays resident.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const everyMs = 25_000;

if (isMainThread && process.argv[1]?.endsWith("src/main.ts")) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  setInterval(() => collect({ type: "major", flavor: "last-resort" }), everyMs).unref();
}
