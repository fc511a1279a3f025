import type { AddHelpTextContext, Command } from "commander";

/** Ids for the examples. No client, token or delivery has them. */
export const exampleClientId = "3FDAEDF9-1DCA4F54-87949F6A-41027643";
export const exampleId = "01a1fd50-5c1e-7c3a-9d0e-2f6b8a4c1e77";

/** The last lines of a command's help, from command lines without the name of the program. */
export function formatExamples(...commandLines: readonly string[]): string {
  return layOut(commandLines.map((line) => `rollcall ${line}`));
}

/** The same for a command that stands in several programs, from what follows its name. */
export function examplesOf(
  ...argumentsOf: readonly string[]
): (context: AddHelpTextContext) => string {
  return ({ command }) => layOut(argumentsOf.map((line) => `${wordsOf(command)} ${line}`));
}

function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}

function layOut(commandLines: readonly string[]): string {
  const title = commandLines.length === 1 ? "Example" : "Examples";
  return `\n${title}:\n${commandLines.map((line) => `  $ ${line}`).join("\n")}`;
}
