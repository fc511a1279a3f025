import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Account } from "./state-folder.ts";

/** What the owner tells the supervisor, as the argument of its program. */
export interface SupervisorOrder {
  program: string;
  serverArguments: string[];
  dataDir: string;
  lockFile: string;
  logFile: string;
  account?: Account | undefined;
}

export interface SupervisorProcess {
  /** False when the server ended before it was ready. */
  ready: Promise<boolean>;
  ended: Promise<void>;
  /** Lets the owner's process end while the supervisor runs. The pipe then closes, and the server stops. */
  unref(): void;
  /** Closes the pipe. `ended` resolves when the server has stopped. */
  stop(): void;
}

/** What the supervisor writes to its standard output when the server accepts clients. */
export const readyLine = "ready\n";

const supervisorProgram = fileURLToPath(new URL("./supervisor.ts", import.meta.url));

export function spawnSupervisor(order: SupervisorOrder): SupervisorProcess {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", supervisorProgram, JSON.stringify(order)],
    {
      cwd: "/",
      env: {},
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    },
  );
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve()).once("error", () => resolve());
  });
  const isReady = new Promise<boolean>((resolve) => {
    child.stdout.once("data", () => resolve(true));
  });
  return {
    ready: Promise.race([isReady, ended.then(() => false)]),
    ended,
    unref: () => {
      for (const handle of [child, child.stdin, child.stdout] as { unref(): void }[])
        handle.unref();
    },
    stop: () => {
      child.ref();
      child.stdin.end();
    },
  };
}
