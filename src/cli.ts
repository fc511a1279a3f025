import { CommanderError } from "commander";
import { buildProgram } from "./cli/build-program.ts";
import { exitCodes } from "./cli/command-failure.ts";

const words = process.argv.slice(2);
const program = await buildProgram({ isJson: words.includes("--json"), words });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
}
