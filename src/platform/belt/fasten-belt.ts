import module from "node:module";
import { lstatSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { subscribe } from "node:diagnostics_channel";

/** Whether this process was started with a belt. */
export function wearsBelt(): boolean {
  return "permission" in process && process.permission !== undefined;
}

/**
 * Gives up what the start of a belted process needed. Its own modules are kept compiled before. To be called when they
 * are loaded, and before anything else is.
 */
export function fastenBelt(): void {
  module.flushCompileCache();
  const folder = module.getCompileCacheDir();
  // Node writes there again when the process ends, whatever it is permitted. See `openCompileCache`.
  if (folder !== undefined && isLink(dirname(folder))) unlinkSync(dirname(folder));
  const { permission } = process as unknown as { permission: { drop(scope: string): void } };
  for (const scope of ["fs.write", "worker"]) permission.drop(scope);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

const lookForParentMs = 500;

/** A process in an endless loop does not hear that the channel to its parent is closed. This thread ends it all the same. */
export function watchParent(): void {
  const look = `if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL");`;
  const program = `setInterval(() => { ${look} }, ${lookForParentMs});`;
  new Worker(program, { eval: true, env: {}, execArgv: [] }).unref();
}

/** What a belted process was refused, in words for the operator. */
interface Refusal {
  what: string;
  /** Made where it was refused, so that its stack tells by whom. */
  error: Error;
}

/** The channels of Node's permission model, and the names in their messages. */
const channels = ["fs", "child", "worker", "inspector", "wasi", "addon", "ffi"];
const words: Readonly<Record<string, string>> = {
  FileSystemRead: "reading a file",
  FileSystemWrite: "writing a file",
  ChildProcess: "starting a process",
  WorkerThreads: "starting a thread",
  Inspector: "using the inspector",
  WASI: "using WASI",
  Addon: "loading a native addon",
  FFI: "loading a native library",
};

/** Calls back for each thing that this process is refused, also when the code that is refused swallows it. */
export function watchRefusals(onRefused: (refusal: Refusal) => void): void {
  const tell = (permission: string): void =>
    onRefused({ what: words[permission] ?? "another permission", error: makeDeepError() });
  for (const name of channels)
    subscribe(`node:permission-model:${name}`, (message) =>
      tell((message as { permission: string }).permission),
    );
  // Node says nothing about native addons.
  const { dlopen } = process;
  process.dlopen = (...given: Parameters<typeof dlopen>): void => {
    tell("Addon");
    dlopen(...given);
  };
}

/** Node's own calls are the innermost ones, and many. */
function makeDeepError(): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  const error = new Error("refused");
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
