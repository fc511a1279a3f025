import { Command, CommanderError } from "commander";
import { addAuditCommands } from "./cli/audit-commands.ts";
import { addClientCommands } from "./cli/client-commands.ts";
import { exitCodes, UsageFailure } from "./cli/command-context.ts";
import { addConnectionCommands } from "./cli/connection-commands.ts";
import { addDeliveryCommands } from "./cli/delivery-commands.ts";
import { formatExamples } from "./cli/format-examples.ts";
import { addKeysCommands } from "./cli/keys-commands.ts";
import { printError } from "./cli/output.ts";
import { addPollCommands } from "./cli/poll-commands.ts";
import { addSandboxCommands } from "./cli/sandbox-commands.ts";
import { addTokenCommands } from "./cli/token-commands.ts";
import { addWebhookCommands } from "./cli/webhook-commands.ts";

/** Read before the arguments are parsed, because an error of parsing is printed as JSON too. */
const isJson = process.argv.includes("--json");

const exitCodesNote = "\nExit codes: 0 done, 1 refused or failed, 2 arguments not valid.\n";

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
addDeliveryCommands(program);
addPollCommands(program);
addWebhookCommands(program);
addSandboxCommands(program);
addAuditCommands(program);
addKeysCommands(program);
for (const command of allCommands(program)) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
}

function allCommands(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...allCommands(child)]);
}
