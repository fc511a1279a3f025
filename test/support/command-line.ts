import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect } from "vitest";
import { runInProcess } from "./command-in-process.ts";
import { programEnvironment, projectDir } from "./program-environment.ts";

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The output of a command with `--json`. Throws when it is not JSON. */
  json<Value = Record<string, unknown>>(): Value;
}

const commandFile = "bin/rollcall";
const limitMs = 300_000;

export interface CommandOptions {
  /** Its standard input. */
  input?: string;
  cwd?: string;
  /** The folder of another version of the program. */
  program?: string;
  /** A process of its own: what is proved is that it ends, or what it loads, or that it holds no socket. */
  isProcess?: boolean;
}

/**
 * Runs a command without a terminal: in this process, or as one of its own where a test asks for that, or hands in what
 * only a process has.
 */
export async function rollcall(
  args: readonly string[],
  env: Record<string, string>,
  { input = "", isProcess = false, ...place }: CommandOptions = {},
): Promise<CommandResult> {
  const needsProcess = isProcess || Object.keys(place).length > 0 || "NODE_OPTIONS" in env;
  const whole = programEnvironment(env);
  const { code, stdout, stderr } = needsProcess
    ? await runProcess(args, whole, { input, ...place })
    : await runInProcess(args, whole, input);
  const json = (): never => {
    if (stdout === "") throw new Error(`rollcall ${args.join(" ")} said nothing but: ${stderr}`);
    return JSON.parse(stdout) as never;
  };
  return { code, stdout, stderr, json };
}

async function runProcess(
  args: readonly string[],
  env: Record<string, string>,
  { input = "", cwd = projectDir, program = projectDir }: CommandOptions,
): Promise<Pick<CommandResult, "code" | "stdout" | "stderr">> {
  const child = spawn(join(program, commandFile), args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    timeout: limitMs,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** The result of a command that fails: no standard output, and the reason on standard error. */
export function failedWith(code: number, reason: RegExp): Partial<CommandResult> {
  return { code, stdout: "", stderr: expect.stringMatching(reason) as string };
}

/** Makes a client with `client create`. */
export async function createClient(
  env: Record<string, string>,
  {
    name = "Acme",
    redirectUri = "https://acme.example/callback",
    ...options
  }: CommandOptions & { name?: string; redirectUri?: string } = {},
): Promise<{ id: string; secret: string }> {
  const args = ["client", "create", "--name", name, "--redirect-uri", redirectUri, "--json"];
  const { client_id: id, client_secret: secret } = (await rollcall(args, env, options)).json<{
    client_id: string;
    client_secret: string;
  }>();
  return { id, secret };
}

/** The arguments that sign in and print a code. */
export function createConnectionArgs(
  clientId: string,
  { provider = "sandbox", fields = [] }: { provider?: string; fields?: readonly string[] } = {},
): string[] {
  const args = ["connection", "create", "--client", clientId, "--provider", provider];
  return [...args, ...fields.flatMap((field) => ["--field", field])];
}

export const hasTerminal =
  process.platform === "linux" &&
  spawnSync("script", ["--version"], { stdio: "ignore" }).status === 0;
if (!hasTerminal)
  process.stdout.write(
    "The tests on a terminal are left out: there is no `script` of util-linux on this machine.\n",
  );

export interface TerminalSession {
  /** Everything that was shown so far, without colours and movements of the cursor. */
  readonly screen: string;
  until(text: string | RegExp): Promise<void>;
  type(keys: string): void;
  exited: Promise<number | null>;
}

/** Runs `bin/rollcall` on a pseudo terminal. */
export function rollcallOnTerminal(
  args: readonly string[],
  env: Record<string, string>,
): TerminalSession {
  return onTerminal([join(projectDir, commandFile), ...args], env);
}

/** Runs a program on a pseudo terminal. */
export function onTerminal(
  command: readonly string[],
  env: Record<string, string>,
): TerminalSession {
  const quoted = command.map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", quoted, "/dev/null"], {
    cwd: projectDir,
    env: programEnvironment(env),
    stdio: ["pipe", "pipe", "inherit"],
    timeout: limitMs,
  });
  let screen = "";
  child.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
  child.stdin.on("error", () => {});
  const exited = once(child, "close").then(([code]) => code as number | null);
  const isThere = (text: string | RegExp): boolean =>
    typeof text === "string"
      ? stripVTControlCharacters(screen).includes(text)
      : text.test(stripVTControlCharacters(screen));
  const until = async (text: string | RegExp): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (isThere(text)) resolve();
    };
    child.stdout.on("data", look);
    void exited.then(() =>
      reject(new Error(`the command ended and never showed ${String(text)}:\n${screen}`)),
    );
    look();
    await promise.finally(() => child.stdout.off("data", look));
  };
  return {
    get screen() {
      return stripVTControlCharacters(screen);
    },
    until,
    type: (keys) => void child.stdin.write(keys),
    exited,
  };
}
