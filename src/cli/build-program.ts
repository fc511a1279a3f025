import { Command } from "commander";
import { addAuditCommands } from "./audit-commands.ts";
import { addClientCommands } from "./client-commands.ts";
import { UsageFailure } from "./command-context.ts";
import { addConnectionCommands } from "./connection-commands.ts";
import { addDeliveryCommands } from "./delivery-commands.ts";
import { formatExamples } from "./format-examples.ts";
import { addKeysCommands } from "./keys-commands.ts";
import { printError } from "./output.ts";
import { addPollCommands } from "./poll-commands.ts";
import { addProviderCommands } from "./provider-commands.ts";
import { addReadCommands } from "./read-commands.ts";
import { addSandboxCommands } from "./sandbox-commands.ts";
import { addTokenCommands } from "./token-commands.ts";
import { addTriggerCommand } from "./trigger-command.ts";
import { addWebhookCommands } from "./webhook-commands.ts";

const exitCodesNote = "\nExit codes: 0 done, 1 refused or failed, 2 arguments not valid.\n";

/** All commands. `isJson` is known before the arguments are parsed: an error of parsing is printed as JSON too. */
export function buildProgram({ isJson }: { isJson: boolean }): Command {
  const program = new Command("rollcall")
    .description(
      "Operates a Rollcall service. Finds the database by the same configuration as the service.",
    )
    .option("--json", "print JSON, for scripts")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError(isJson ? false : "(see --help)")
    .configureOutput({
      outputError: (text, write) =>
        isJson
          ? printError(new UsageFailure(text.replace(/^error: /, "").trim()), true)
          : write(text),
    })
    .exitOverride()
    .addHelpText("after", exitCodesNote + formatExamples("client list --json"));
  addClientCommands(program);
  addConnectionCommands(program);
  addTokenCommands(program);
  addReadCommands(program);
  addProviderCommands(program);
  addDeliveryCommands(program);
  addPollCommands(program);
  addWebhookCommands(program);
  addSandboxCommands(program);
  addTriggerCommand(program);
  addAuditCommands(program);
  addKeysCommands(program);
  for (const command of allCommands(program)) command.exitOverride();
  return program;
}

function allCommands(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...allCommands(child)]);
}
