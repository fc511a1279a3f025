import { Worker } from "node:worker_threads";

const lookForParentMs = 500;

/** A process in an endless loop does not hear that the channel to its parent is closed. This thread ends it all the same. */
export function watchParent(): void {
  const look = `if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL");`;
  const program = `setInterval(() => { ${look} }, ${lookForParentMs});`;
  new Worker(program, { eval: true, env: {}, execArgv: [] }).unref();
}
