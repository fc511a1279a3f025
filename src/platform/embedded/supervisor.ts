/**
 * The program between the owner and Postgres. It runs one Postgres and ends with it; the owner decides
 * whether to start another one.
 *
 * The owner can be killed at any moment. Therefore the standard input of this program is a pipe from the
 * owner: when it closes, for whatever reason, this program stops Postgres.
 *
 * It runs under the owner's account: the account of Postgres may not be able to reach Node and this file.
 */
import { spawn } from "node:child_process";
import { waitUntil } from "../repeat.ts";
import { binaryEnvironment } from "./binaries.ts";
import { findPostmaster, stopPostmaster } from "./postmaster.ts";
import { waitForProcessLock } from "./process-lock.ts";
import { openServerLog } from "./server-log.ts";
import { readyLine, type SupervisorOrder } from "./supervisor-process.ts";

const readyPollMs = 10;
const lockLimitMs = 5_000;
/** Time for the last lines of Postgres. A child of a killed Postgres can keep the pipe open much longer. */
const lastLinesMs = 200;

const order: SupervisorOrder = JSON.parse(process.argv[2] ?? "");
const appendLog = openServerLog(order.logFile);

// A signal to the whole process group must not end the supervisor before Postgres.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
process.on("uncaughtException", (error) => {
  appendLog(`supervisor: failed; the owner starts another one: ${error.stack}\n`);
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

const lock = await waitForProcessLock(order.lockFile, lockLimitMs);
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
  appendLog(`supervisor: cannot run Postgres; the owner starts it again: ${error.message}\n`);
  end();
});
postgres.once("close", end);
postgres.once("exit", () => {
  setTimeout(end, lastLinesMs);
});

const isReady = (): boolean => {
  const postmaster = findPostmaster(order.dataDir);
  return postmaster?.pid === postgres.pid && postmaster?.isReady === true;
};
void waitUntil(isReady, { everyMs: readyPollMs }).then(() => process.stdout.write(readyLine));

await ownerIsGone;
if (postgres.pid !== undefined) await stopPostmaster(postgres.pid, isRunning);
