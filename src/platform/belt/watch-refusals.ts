import { subscribe } from "node:diagnostics_channel";

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
