import { CommanderError, type Command } from "commander";
import { exitCodes, UsageFailure } from "./command-failure.ts";
import { examplesOf } from "./format-examples.ts";
import { printError } from "./output.ts";

const exitCodesNote = "\nExit codes: 0 done, 1 refused or failed, 2 arguments not valid.\n";

/** What is the same in each program of ours: `--json`, the help, and arguments that are not valid. */
export function prepareProgram(
  program: Command,
  { isJson, example }: { isJson: boolean; example: string },
): Command {
  return program
    .option("--json", "print JSON, for scripts")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError(isJson ? false : "(see --help)")
    .configureOutput({
      outputError: (text, write) =>
        isJson
          ? printError(new UsageFailure(text.replace(/^error: /, "").trim()), true)
          : write(text),
    })
    .addHelpText("after", exitCodesNote)
    .addHelpText("after", examplesOf(example));
}

/** Runs the words of a command line, and sets the exit code of this process. */
export async function runWords(program: Command, words: readonly string[]): Promise<void> {
  endWithReader();
  for (const command of [program, ...allCommands(program)]) command.exitOverride();
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** Who reads the output may have seen enough, such as `head`. */
function endWithReader(): void {
  if (process.stdout.listenerCount("error") > 0) return;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

function allCommands(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...allCommands(child)]);
}
