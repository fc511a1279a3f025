// Loaded before the service (`--import`). On SIGUSR2 the steady clock of the service leaps by 36 minutes, which is more
// than it waits for older programs to come back.
import { isMainThread } from "node:worker_threads";

const leapMs = 36 * 60_000;

if (isMainThread && process.argv[1]?.endsWith("src/main.ts")) {
  const { now } = performance;
  let leaptMs = 0;
  performance.now = () => now.call(performance) + leaptMs;
  process.on("SIGUSR2", () => {
    leaptMs += leapMs;
  });
}
