import { InvalidArgumentError, Option, type Command } from "commander";
import { isJson } from "./output.ts";
import { reportFailure } from "./report-failure.ts";
import { examplesOf } from "./format-examples.ts";
import type { RunOptions } from "./run-task.ts";
import { withValueOptions } from "./value-options.ts";

export function addProviderCommands(provider: Command): void {
  addRunCommand(provider);
  addCheckCommand(provider);
  addDiffCommand(provider);
}

const nameArgument = [
  "<name>",
  "a built-in or registered provider, or the name, file or folder of a package",
] as const;

function addRunCommand(provider: Command): void {
  withValueOptions(provider.command("run"))
    .description(
      "sign in to a system and read it by hand: its requests, its records, and what is made of them",
    )
    .argument(...nameArgument)
    .argument("[resource]", "such as employees; default: all of them")
    .addOption(new Option("--mode <mode>", "default: the first one").choices(["xhr", "official"]))
    .option("--range <days>", "of pay runs, timesheets and time off; default: the last 60 days")
    .option("--limit <count>", "so many records of each resource are shown", parseLimit, usualLimit)
    .option("--origin <url>", "send all requests to this machine instead, such as to a fake")
    .option("--sign-in", "sign in anew, although an earlier run did")
    .option("--watch", "run again whenever the package is saved")
    .option("--explain", "tell of each field where it comes from, by the adapter's tables")
    .option("--record <folder>", "keep what the system answers, with its values made up")
    .option("--replay <folder>", "read a recording instead of the system")
    .addHelpText(
      "after",
      examplesOf(
        "./index.js employees --watch",
        "odoo --record recordings/odoo",
        "./index.js payslips --replay recordings/acme",
      ),
    )
    .action((name: string, resource: string | undefined, options: RunOptions, command: Command) =>
      reportFailure(command, async () => {
        const { runProviderByHand } = await import("./provider-run.ts");
        await runProviderByHand(name, resource, options, { isJson: isJson(command) });
      }),
    );
}

function addCheckCommand(provider: Command): void {
  provider
    .command("check")
    .description("run every check of the contract beside a fake of the provider's system")
    .argument(...nameArgument)
    .option("--replay <folder>", "check beside a recording instead of the fake of the package")
    .addHelpText(
      "after",
      examplesOf("sandbox", "./index.js", "./index.js --replay recordings/acme"),
    )
    .action((name: string, { replay }: { replay?: string }, command: Command) =>
      reportFailure(command, async () => {
        const { checkProvider } = await import("./provider-check.ts");
        await checkProvider(name, replay, { isJson: isJson(command) });
      }),
    );
}

function addDiffCommand(provider: Command): void {
  provider
    .command("diff")
    .description("what the records of one recording have otherwise than those of another")
    .argument(...nameArgument)
    .argument("<before>", "the folder of a recording")
    .argument("[after]", "the folder of another one; default: the same")
    .option("--with <name>", "read the second one with this provider, such as a newer version")
    .addHelpText(
      "after",
      examplesOf(
        "./index.js recordings/march recordings/april",
        "acme recordings/acme --with ./index.js",
      ),
    )
    .action(
      (
        name: string,
        before: string,
        after: string | undefined,
        options: { with?: string },
        command: Command,
      ) =>
        reportFailure(command, async () => {
          const { diffRecordings } = await import("./provider-diff.ts");
          await diffRecordings(
            { name, folder: before },
            { name: options.with ?? name, folder: after ?? before },
            { isJson: isJson(command) },
          );
        }),
    );
}

const usualLimit = 5;

function parseLimit(given: string): number {
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 0)
    throw new InvalidArgumentError("It is a whole number.");
  return limit;
}
