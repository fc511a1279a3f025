/**
 * The program of a child process that runs adapters. It has no database, no queue and no key of the service. Its
 * parent alone decides when it ends: by the channel, which closes when the parent is gone.
 */
import { readdirSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { constants, setPriority } from "node:os";
import { Worker } from "node:worker_threads";

const lookForParentMs = 500;

process.once("disconnect", () => process.exit());
// A terminal's Ctrl-C goes to the whole process group. The parent still lets running work end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
// What an adapter or a package prints may be data.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
watchParent(process.ppid);

const { serveCalls } = await import("./serve-calls.ts");
serveCalls();
lowerPriority();
// At its end the process is killed, and keeps nothing then.
flushCompileCache();

/** An adapter in an endless loop does not hear that the channel is closed. This thread ends it all the same. */
function watchParent(parentPid: number): void {
  const look = `if (process.ppid !== ${parentPid}) process.kill(process.pid, "SIGKILL");`;
  const program = `setInterval(() => { ${look} }, ${lookForParentMs});`;
  new Worker(program, { eval: true, env: {}, execArgv: [] }).unref();
}

/** The service comes first, once this process has started. On Linux each thread has its own priority. */
function lowerPriority(): void {
  try {
    for (const thread of readdirSync("/proc/self/task"))
      setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  }
}
