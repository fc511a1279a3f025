import type { Command } from "commander";
import type { ClientId } from "../model/index.ts";
import { toRow } from "./client-row.ts";
import { withServices } from "./command-context.ts";
import { exampleClientId, formatExamples } from "./format-examples.ts";
import { printRows } from "./output.ts";

const confirmNote = `
A client whose row was changed in the database by somebody else is not used: neither its requests nor its webhooks.
Look at what its row says now, and with --yes take it as it is. Its webhooks go on then. Its secrets are taken as they
are, too, and an earlier one may be among them: rotate them. Without an id, all such clients are listed.
`;

export function addConfirmCommand(client: Command): void {
  client
    .command("confirm [client_id]")
    .description("take a client as its row says, after somebody else changed that in the database")
    .option("--yes", "what was shown is right")
    .addHelpText("after", confirmNote + formatExamples(`client confirm ${exampleClientId} --yes`))
    .action((clientId: ClientId | undefined, { yes }: { yes?: boolean }, command: Command) =>
      withServices(command, async (services) => {
        const { clients } = services;
        const unused = await clients.listUnused();
        const shown = unused.filter((each) => clientId === undefined || each.clientId === clientId);
        const isWanted = yes === true && clientId !== undefined && shown.length > 0;
        const confirmed = isWanted ? await clients.confirm(clientId) : undefined;
        const rows = confirmed ? [confirmed] : shown;
        printRows(
          command,
          await Promise.all(rows.map((each) => toRow(services, each))),
          "There is no client whose row was changed by somebody else.",
        );
      }),
    );
}
