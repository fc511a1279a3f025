import type { Command } from "commander";
import type { Services } from "../start/services.ts";
import { withServices } from "./command-context.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { exampleClientId, formatExamples } from "./format-examples.ts";
import { printFields } from "./output.ts";

const note = `
Without a command it prints a link that signs in, in local mode. The link works once.
`;

export function addConsoleCommands(group: Command): void {
  group.addHelpText("after", note).action((_options: object, command: Command) =>
    withServices(command, async (services) => {
      if (!services.config.isLocal)
        throw new UsageFailure("name who it is for: rollcall console link --name NAME");
      await printLink(services, command, "terminal");
    }),
  );
  addLinkCommand(group);
  addEndCommand(group);
}

function addLinkCommand(group: Command): void {
  group
    .command("link")
    .description("print a one-time link that signs in an operator within 15 minutes")
    .requiredOption("--name <name>", "who it is for, as the audit record names them")
    .addHelpText("after", formatExamples("console link --name jo"))
    .action((options: { name: string }, command: Command) =>
      withServices(command, async (services) => {
        await printLink(services, command, parseName(options.name));
      }),
    );
}

function addEndCommand(group: Command): void {
  group
    .command("end")
    .description("end sessions of the console, and links that were not used: all without an option")
    .option("--name <name>", "only those of this operator")
    .option("--client <client_id>", "only those of this client's developers")
    .addHelpText(
      "after",
      formatExamples(
        "console end",
        "console end --name jo",
        `console end --client ${exampleClientId}`,
      ),
    )
    .action((options: { name?: string; client?: string }, command: Command) =>
      withServices(command, async (services) => {
        const { name, client: clientId } = options;
        if (name !== undefined && clientId !== undefined)
          throw new UsageFailure("give --name or --client, not both");
        const sessions = await openSessions(services);
        const ended = await sessions.endAll({ name, clientId });
        printFields(command, { ended_sessions: ended });
      }),
    );
}

async function printLink(services: Services, command: Command, name: string): Promise<void> {
  const { config } = services;
  if (!config.console.isOn)
    throw new CommandFailure("the console is off: set CONSOLE=on and start the service again");
  const { findAddress } = await import("../start/local-state.ts");
  const sessions = await openSessions(services);
  const { credential, expiresAt } = await sessions.createLink(name);
  const url = `${await findAddress(config)}/console/sign-in?link=${credential}`;
  printFields(command, { console_url: url, expires_at: expiresAt });
}

async function openSessions(services: Services) {
  const { ConsoleSessions } = await import("../console/index.ts");
  return new ConsoleSessions({ ...services, environment: services.config.environment });
}

/** It stands in the audit record, in which no text of a person's own is. */
function parseName(name: string): string {
  if (!/^[A-Za-z0-9._@-]{1,64}$/.test(name))
    throw new UsageFailure("--name has 1 to 64 letters, digits, dots, hyphens, underscores or @");
  return name;
}
