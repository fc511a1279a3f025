import { CommanderError } from "commander";
import { buildProgram } from "./cli/build-program.ts";
import { exitCodes } from "./cli/command-context.ts";

const program = buildProgram({ isJson: process.argv.includes("--json") });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
}
