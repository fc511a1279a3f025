import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { createLog } from "../platform/log.ts";
import { buildServices, type Services } from "../services.ts";
import { printError } from "./output.ts";

/** The operator asked for something that is not there or not allowed; the message is for a person. */
export class CommandFailure extends Error {
  readonly code: string;
  constructor(message: string, code = "failed") {
    super(message);
    this.code = code;
  }
}

/** The command was called in a way that it does not understand. */
export class UsageFailure extends CommandFailure {
  constructor(message: string) {
    super(message, "usage");
  }
}

export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

export function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** Runs a command on the database of the running service, or of the state folder when none runs. */
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

/** Says what went wrong, and leaves the exit code for it. */
export function fail(command: Command, error: unknown): void {
  process.exitCode = error instanceof UsageFailure ? exitCodes.usage : exitCodes.failed;
  printError(error, isJson(command));
}
