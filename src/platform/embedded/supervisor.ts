/**
 * The program that stands between the owner and Postgres, because the owner can be killed without a last word.
 * Its standard input is a pipe from the owner: when that closes, for whatever reason, it stops Postgres.
 * It runs one Postgres and ends with it; the owner, which sees it end, decides whether to start another.
 *
 * It runs under the owner's account, not the one of Postgres: Node and this file may lie where only the owner gets.
 */
import { spawn } from "node:child_process";
import { openBoundedLog } from "./bounded-log.ts";
import { findPostmaster, stopPostmaster } from "./postmaster.ts";
import { waitForProcessLock } from "./process-lock.ts";
import { binaryEnvironment } from "./binaries.ts";
import { readyLine, type SupervisorOrder } from "./supervisor-process.ts";

const readyPollMs = 10;
const lockPatienceMs = 5_000;
/** A child of a killed Postgres may keep the log pipe open for long; the last lines of Postgres arrive well before. */
const lastLinesMs = 200;

const order: SupervisorOrder = JSON.parse(process.argv[2] ?? "");
const appendLog = openBoundedLog(order.logFile);

// A signal to the whole group or service must not take the supervisor away before Postgres.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
process.on("uncaughtException", (error) => {
  appendLog(`supervisor: ${error.stack}\n`);
  process.exit(1);
});
process.stdout.on("error", () => {});
const ownerIsGone = new Promise<void>((resolve) => {
  process.stdin
    .once("end", resolve)
    .once("close", resolve)
    .on("error", () => {})
    .resume();
});

const lock = await waitForProcessLock(order.lockFile, lockPatienceMs);
const postgres = spawn(order.program, order.serverArguments, {
  cwd: "/",
  env: binaryEnvironment,
  stdio: ["ignore", "ignore", "pipe"],
  detached: true,
  ...order.account,
});
const isRunning = () => postgres.exitCode === null && postgres.signalCode === null;
const end = () => {
  lock.release();
  process.exit();
};

postgres.stderr.on("data", (chunk: Buffer) => appendLog(chunk.toString()));
postgres.once("error", (error) => {
  appendLog(`supervisor: cannot run Postgres: ${error.message}\n`);
  end();
});
postgres.once("close", end);
postgres.once("exit", () => {
  setTimeout(end, lastLinesMs);
});

const untilReady = setInterval(() => {
  const postmaster = findPostmaster(order.dataDir);
  if (postmaster?.pid !== postgres.pid || !postmaster?.isReady) return;
  clearInterval(untilReady);
  process.stdout.write(readyLine);
}, readyPollMs);

await ownerIsGone;
if (postgres.pid !== undefined) await stopPostmaster(postgres.pid, isRunning);
