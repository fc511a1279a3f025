import { execFile, fork, type ChildProcess, type ForkOptions } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { refuseInTransaction } from "../open-transaction.ts";

export interface BeltedProcess {
  child: ChildProcess;
  /** What was made for its start is removed, if it is still there. */
  cleanUp: () => void;
}

/** The one of `bin/rollcall`. */
const compileCache = fileURLToPath(
  new URL("../../../node_modules/.cache/rollcall", import.meta.url),
);
const longestRunMs = 10_000;
/** The first of each line of Node that can take back what the start of a process is permitted. */
const leastNodes: Readonly<Record<number, number>> = { 24: 20, 26: 5 };

/** Whether this Node can hold a belt, which a process fastens itself. */
export function canBelt(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 26 || minor >= (leastNodes[major] ?? Infinity);
}

/**
 * Starts a program of ours that reads what is named and nothing else of the disk. It has no environment but what is
 * given. Until it calls `fastenBelt`, it may also keep its compiled modules and start threads.
 */
export function forkBelted(
  program: string,
  {
    readable,
    env = {},
    execArgv = [],
    isOptional = false,
    ...options
  }: ForkOptions & {
    readable: readonly string[];
    execArgv?: readonly string[];
    /** Where Node cannot hold a belt, the program runs without: for a package on its author's own machine. */
    isOptional?: boolean;
  },
): BeltedProcess {
  refuseInTransaction("a start of a process");
  if (isOptional && !canBelt())
    return {
      child: fork(program, [], { ...options, env, execArgv: [...execArgv] }),
      cleanUp: () => {},
    };
  const flags = listFlags(readable);
  const cache = openCompileCache();
  const child = fork(program, [], {
    ...options,
    env: { ...env, ...(cache && { NODE_COMPILE_CACHE: cache }) },
    execArgv: [
      ...flags,
      ...(cache ? [`--allow-fs-read=${cache}`, `--allow-fs-write=${cache}`] : []),
      "--allow-worker",
      "--disable-warning=SecurityWarning",
      ...execArgv,
    ],
  });
  const cleanUp = (): void => {
    if (cache !== undefined && cache !== compileCache) rmSync(cache, { force: true });
  };
  return { child, cleanUp };
}

/** Runs a module, given as its text, with the belt fastened. Returns what it wrote to standard error. */
export async function runBelted(source: string, readable: readonly string[]): Promise<string> {
  refuseInTransaction("a run of a process");
  const args = [...listFlags(readable), "--input-type=module", "--eval", source];
  return await new Promise((done) => {
    execFile(process.execPath, args, { env: {}, timeout: longestRunMs }, (_error, _out, errors) =>
      done(errors),
    );
  });
}

function listFlags(readable: readonly string[]): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  return [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    // Providers are reached by sockets, which some versions of Node restrict too.
    ...["--allow-net"].filter((flag) => known.has(flag)),
    // Its files are out of the reach of the permission model.
    ...["--no-experimental-sqlite"].filter(() => known.has("--experimental-sqlite")),
  ];
}

/**
 * A link to the folder of compiled modules, for one process. Node keeps a process's modules only where it may write,
 * and writes again at its end. When the link is gone, that process can write there no more. Where this account cannot
 * write there either, the folder itself is named. Undefined where there is none.
 */
function openCompileCache(): string | undefined {
  const link = join(dirname(compileCache), `rollcall-${process.pid}-${randomUUID()}`);
  try {
    mkdirSync(compileCache, { recursive: true });
    removeLeftLinks();
    symlinkSync(compileCache, link);
    return link;
  } catch {
    return existsSync(compileCache) && !mayWrite(compileCache) ? compileCache : undefined;
  }
}

/** Those of programs that were killed while a process of theirs started. To lose one costs a start the cache. */
function removeLeftLinks(): void {
  const folder = dirname(compileCache);
  for (const name of readdirSync(folder)) {
    const pid = /^rollcall-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
