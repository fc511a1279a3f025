import type { Command } from "commander";
import type { Overrides, Services } from "../start/services.ts";
import { exitCodes, UsageFailure } from "./command-failure.ts";
import { printError } from "./output.ts";

export function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** Uses the database of the running service; when none runs, starts that of the state folder. */
export async function withServices(
  command: Command,
  work: (services: Services) => Promise<void>,
  overrides: Pick<Overrides, "checksKeys" | "isReadOnly"> = {},
): Promise<void> {
  await reportFailure(command, async () => {
    const { openServices } = await import("./open-services.ts");
    await openServices(work, overrides);
  });
}

/** Prints an error and sets the exit code of the process. */
export async function reportFailure(command: Command, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = error instanceof UsageFailure ? exitCodes.usage : exitCodes.failed;
    printError(error, isJson(command));
  }
}
