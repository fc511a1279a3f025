import { Command } from "commander";
import { readProgramVersion } from "../platform/program-version.ts";
import { addProviderCommands } from "./provider-commands.ts";
import { prepareProgram, runWords } from "./run-words.ts";

/** The commands of `rollcall provider` as a program of their own, for who has no service. */
export async function runProviderProgram(words: readonly string[]): Promise<void> {
  const program = prepareProgram(new Command("rollcall-provider"), {
    isJson: words.includes("--json"),
    example: "check ./index.js --replay recording",
  })
    .description("Runs and checks a provider package of Rollcall, without a service.")
    .version(readProgramVersion());
  addProviderCommands(program);
  await runWords(program, words);
}
