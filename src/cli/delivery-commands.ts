import type { Command } from "commander";
import { z } from "zod";
import type { Services } from "../services.ts";
import { findClient } from "./client-commands.ts";
import { isJson, UsageFailure, withServices } from "./command-context.ts";
import { printFields, printRows, type Row } from "./output.ts";

type Delivery = Awaited<ReturnType<Services["webhooks"]["find"]>>;

export function addDeliveryCommands(program: Command): void {
  const delivery = program.command("delivery").description("webhooks that were sent or are owed");

  delivery
    .command("list")
    .description("the newest first")
    .requiredOption("--client <client_id>", "whose deliveries")
    .option("--limit <count>", "how many", "50")
    .addHelpText(
      "after",
      "\nExample:\n  $ rollcall delivery list --client 3FDAEDF9-1DCA4F54-87949F6A-41027643",
    )
    .action((options: { client: string; limit: string }, command: Command) =>
      withServices(command, async ({ clients, webhooks }) => {
        const { clientId } = await findClient(clients, options.client);
        const limit = Number(options.limit);
        if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
          throw new UsageFailure("--limit is a number from 1 to 1000");
        const found = await webhooks.list(clientId, { after: undefined, limit });
        printRows(found.map(toRow), {
          isJson: isJson(command),
          empty: "Nothing was sent yet, and nothing is owed.",
        });
      }),
    );

  delivery
    .command("show <delivery_id>")
    .description("one delivery and its attempts")
    .addHelpText(
      "after",
      "\nExample:\n  $ rollcall delivery show 01a1fd50-5c1e-7c3a-9d0e-2f6b8a4c1e77",
    )
    .action((id: string, _options: object, command: Command) =>
      withServices(command, async ({ webhooks }) => {
        const found = await webhooks.find(parseId(id));
        const attempts = (await webhooks.attempts(found.id)).map(
          ({ number, at, durationMs, status, reason }) => ({
            attempt: number,
            at,
            ms: durationMs,
            status,
            reason,
          }),
        );
        if (isJson(command))
          return printFields({ ...toRow(found), attempts: attempts as never }, { isJson: true });
        printFields(toRow(found), { isJson: false });
        printRows(attempts, { isJson: false, empty: "It was not attempted yet." });
      }),
    );

  delivery
    .command("replay <delivery_id>")
    .description("send it again, and resume an endpoint that was paused or gone")
    .addHelpText(
      "after",
      "\nThe same bytes are sent under the same id, unless a later body was acknowledged;\nthen what it was about is sent as it is now, under a new id.\n\nExample:\n  $ rollcall delivery replay 01a1fd50-5c1e-7c3a-9d0e-2f6b8a4c1e77",
    )
    .action((id: string, _options: object, command: Command) =>
      withServices(command, async ({ webhooks }) => {
        const sent = await webhooks.replay(await webhooks.find(parseId(id)));
        printFields(toRow(sent), { isJson: isJson(command) });
      }),
    );
}

function parseId(id: string): string {
  if (!z.uuid().safeParse(id).success)
    throw new UsageFailure("a delivery is named by its id, as in: rollcall delivery list");
  return id;
}

function toRow({
  id,
  tokenId,
  status,
  attempts,
  createdAt,
  nextAttemptAt,
  lastStatus,
  added,
  removed,
  updated,
}: Delivery): Row {
  return {
    id,
    token: tokenId,
    status,
    attempts,
    last_status: lastStatus,
    added,
    removed,
    updated,
    created_at: createdAt,
    next_attempt_at: nextAttemptAt,
  };
}
