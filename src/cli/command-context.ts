import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { createLog } from "../platform/log.ts";
import { buildServices, type Services } from "../services.ts";
import { printError } from "./output.ts";

/** A command that cannot be carried out. The message is for a person, the code for a script. */
export class CommandFailure extends Error {
  readonly code: string;
  constructor(message: string, code = "failed") {
    super(message);
    this.code = code;
  }
}

/** The arguments of the command are not valid. */
export class UsageFailure extends CommandFailure {
  constructor(message: string) {
    super(message, "usage");
  }
}

export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

export function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** Uses the database of the running service; when none runs, starts that of the state folder. */
export async function withServices(
  command: Command,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  try {
    const { config, secrets } = readConfig();
    const log = createLog({
      level: config.logLevel === "debug" ? "debug" : "error",
      destination: process.stderr,
    });
    const services = await buildServices({ config, secrets }, { log });
    try {
      await work(services);
    } finally {
      await services.dispose();
    }
  } catch (error) {
    fail(command, error);
  }
}

/** Prints the error and sets the exit code of the process. */
export function fail(command: Command, error: unknown): void {
  process.exitCode = error instanceof UsageFailure ? exitCodes.usage : exitCodes.failed;
  printError(error, isJson(command));
}
