import { spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { request } from "undici";
import { programEnvironment, projectDir } from "../program-environment.ts";
import type { RequestCounts } from "./request-log.ts";
import type { VendorControl } from "./vendor-server.ts";

interface Program<Description> {
  pid: number;
  description: Description;
  stop(): Promise<void>;
}

/** A vendor in a process of its own, so that it costs the measuring process nothing. */
export interface VendorProgram {
  url: string;
  urls: readonly string[];
  counts(account?: string): Promise<RequestCounts>;
  /** Requests without a whole answer, of which the other side is still there. */
  open(): Promise<number>;
  requestTimes(account?: string): Promise<number[]>;
  control(change: VendorControl): Promise<void>;
  stop(): Promise<void>;
}

/** Lower than that of the service: a hostile server must not win by taking the processor. */
const vendorPriority = 5;

export function startSlowVendorProgram(options: {
  employees: number;
  delayMs?: number;
  hosts?: number;
  isNested?: boolean;
}): Promise<VendorProgram> {
  const { employees, delayMs = 0, hosts, isNested = false } = options;
  const args = ["--employees", String(employees), "--delay-ms", String(delayMs)];
  const addresses = hosts === undefined ? [] : ["--hosts", String(hosts)];
  const nested = isNested ? ["--nested", "yes"] : [];
  return startVendorProgram("slow-vendor.ts", [...args, ...addresses, ...nested]);
}

export function startHostileProgram(options: {
  case: string;
  phase: "sign-in" | "read";
  hosts?: number;
  pages?: number;
}): Promise<VendorProgram> {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return startVendorProgram("hostile-server.ts", args);
}

/** The addresses of all hostile cases, in one process. */
export async function startAllHostilePrograms(
  phase: "sign-in" | "read",
): Promise<{ urls: ReadonlyMap<string, string>; stop: () => Promise<void> }> {
  const program = await startProgram<{ cases: Record<string, string> }>("hostile-server.ts", [
    "--case",
    "all",
    "--phase",
    phase,
  ]);
  return { urls: new Map(Object.entries(program.description.cases)), stop: program.stop };
}

async function startVendorProgram(file: string, args: readonly string[]): Promise<VendorProgram> {
  const program = await startProgram<{ url: string; urls: string[] }>(file, args);
  const { url, urls } = program.description;
  const ask = async (path: string, account?: string): Promise<unknown> => {
    const query = account === undefined ? "" : `?account=${encodeURIComponent(account)}`;
    return await (await request(url + path + query)).body.json();
  };
  return {
    url,
    urls,
    counts: async (account) => (await ask("/__requests", account)) as RequestCounts,
    open: async () => (await ask("/__open")) as number,
    requestTimes: async (account) => (await ask("/__times", account)) as number[],
    control: async (change) => {
      const { body } = await request(`${url}/__control`, {
        method: "POST",
        body: JSON.stringify(change),
      });
      await body.dump();
    },
    stop: program.stop,
  };
}

async function startProgram<Description>(
  file: string,
  args: readonly string[],
): Promise<Program<Description>> {
  const child = spawn(
    join(projectDir, "node_modules/.bin/node"),
    [join(import.meta.dirname, file), ...args, "--with-parent"],
    { cwd: projectDir, env: programEnvironment({}), stdio: ["pipe", "pipe", "inherit"] },
  );
  const exited = once(child, "exit");
  const pid = child.pid ?? 0;
  setPriority(pid, vendorPriority);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([
    once(lines, "line"),
    exited.then(() => {
      throw new Error(`${file} ${args.join(" ")} did not start`);
    }),
  ])) as [string];
  return {
    pid,
    description: JSON.parse(line) as Description,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await exited;
    },
  };
}
