import type { Command } from "commander";
import { exitCodes, UsageFailure } from "./command-failure.ts";
import { isJson, printError } from "./output.ts";

/** Prints an error and sets the exit code of the process. */
export async function reportFailure(command: Command, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = error instanceof UsageFailure ? exitCodes.usage : exitCodes.failed;
    printError(error, isJson(command));
  }
}
