import type { Command } from "commander";
import type { ClientId } from "../model/index.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { withServices } from "./command-context.ts";
import { exampleClientId, formatExamples } from "./format-examples.ts";
import { printFields } from "./output.ts";

const note = `
From now on its secrets and tokens are refused, and it gets no sign-in and no data. The workers disconnect its
connections, one after the other, and tell it of each at its address of events. Its name stays for the audit record.
Nothing brings it back.
`;

const mostCounted = 1_000_000;

export function addEndCommand(client: Command): void {
  client
    .command("end <client_id>")
    .description("end a client for good, with all its connections")
    .option("--yes", "do not ask again")
    .addHelpText("after", note + formatExamples(`client end ${exampleClientId}`))
    .action((clientId: ClientId, { yes = false }: { yes?: boolean }, command: Command) =>
      withServices(command, async ({ clients, connections }) => {
        const known = await clients.findAlsoUnused(clientId);
        if (!known) throw new CommandFailure(`no client has the id ${clientId}`, "not_found");
        const count = await connections.listing.count({ clientId }, mostCounted);
        if (!yes && !known.endedAt) await askAgain(known.name, count);
        const ended = await clients.ends.begin(clientId);
        printFields(command, {
          client_id: clientId,
          name: known.name,
          ended_at: ended?.endedAt ?? null,
          connections_to_end: count,
        });
      }),
    );
}

/** Throws when nobody says yes. */
async function askAgain(name: string, count: number): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageFailure("nothing was ended: without a terminal to ask at, give --yes");
  const { confirm } = await import("@inquirer/prompts");
  const message = `End ${name} for good? Connections that end with it: ${count}.`;
  const isWanted = await confirm({ message, default: false }, { output: process.stderr });
  if (!isWanted) throw new CommandFailure("nothing was ended", "refused");
}
