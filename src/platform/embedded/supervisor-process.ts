import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Account } from "./state-folder.ts";

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
  /** Lets our process end while the supervisor runs. Its pipe closes then, and with it the server. */
  unref(): void;
  /** Closes the pipe; `ended` tells when the server has stopped. */
  stop(): void;
}

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
  const hasSaidReady = new Promise<boolean>((resolve) => {
    child.stdout.once("data", () => resolve(true));
  });
  return {
    ready: Promise.race([hasSaidReady, ended.then(() => false)]),
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
