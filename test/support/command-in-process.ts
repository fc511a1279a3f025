import { Readable } from "node:stream";
import { vi } from "vitest";
import { runProgram } from "../../src/cli/build-program.ts";
import { exitCodes } from "../../src/cli/command-failure.ts";
import { Turns } from "../../src/platform/turns.ts";
import * as starting from "../../src/start/build-adapters.ts";
import { shareChildren } from "./shared-children.ts";

const commands = new Turns({ places: 1 });

export interface CommandEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command as `src/cli.ts` does, in this process and one after another: what loads the program, half a second of
 * a core, is paid once. Its environment, its streams and its exit code are those of a process without a terminal.
 */
export async function runInProcess(
  args: readonly string[],
  env: Record<string, string>,
  input: string,
): Promise<CommandEnd> {
  return await commands.run({}, () => runAlone(args, env, input));
}

async function runAlone(
  args: readonly string[],
  env: Record<string, string>,
  input: string,
): Promise<CommandEnd> {
  const { env: own, exitCode } = process;
  const [stdout, stderr, stdin] = [catchWrites("stdout"), catchWrites("stderr"), giveInput(input)];
  const sharing = shareChildren(starting.buildAdapters);
  const building = vi.spyOn(starting, "buildAdapters").mockImplementation(sharing);
  process.env = env;
  process.exitCode = undefined;
  try {
    await runProgram(args);
    const { exitCode: code = exitCodes.done } = process as { exitCode?: number };
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    building.mockRestore();
    process.env = own;
    process.exitCode = exitCode;
    for (const { restore } of [stdout, stderr, stdin]) restore();
  }
}

function catchWrites(name: "stdout" | "stderr"): { text: () => string; restore: () => void } {
  const stream = process[name];
  const own = Object.getOwnPropertyDescriptor(stream, "write");
  let written = "";
  const write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    written += Buffer.from(chunk as string).toString();
    const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
    done?.();
    return true;
  };
  Object.defineProperty(stream, "write", { value: write, configurable: true, writable: true });
  return {
    text: () => written,
    restore: () => {
      if (own) Object.defineProperty(stream, "write", own);
      else delete (stream as { write?: unknown }).write;
    },
  };
}

function giveInput(input: string): { restore: () => void } {
  const own = Object.getOwnPropertyDescriptor(process, "stdin")!;
  const value = Readable.from(input === "" ? [] : [input]);
  Object.defineProperty(process, "stdin", { value, configurable: true });
  return { restore: () => void Object.defineProperty(process, "stdin", own) };
}
