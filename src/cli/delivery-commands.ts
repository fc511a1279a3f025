import type { Command } from "commander";
import type { Services } from "../start/services.ts";
import { chooseClient } from "./choose-client.ts";
import { withServices } from "./command-context.ts";
import { isJson } from "./report-failure.ts";
import { exampleClientId, exampleId, formatExamples } from "./format-examples.ts";
import { printFields, printRows, type Row } from "./output.ts";
import { parseDeliveryId, parseLimit } from "./parse-arguments.ts";

type Delivery = Awaited<ReturnType<Services["webhooks"]["find"]>>;

const maxDeliveries = 1_000;

export function addDeliveryCommands(delivery: Command): void {
  addListCommand(delivery);
  addShowCommand(delivery);
  addReplayCommand(delivery);
}

function addListCommand(delivery: Command): void {
  delivery
    .command("list")
    .description("the newest first")
    .option("--client <client_id>", "whose deliveries; default: the demo client")
    .option("--limit <count>", "how many", "50")
    .addHelpText("after", formatExamples(`delivery list --client ${exampleClientId}`))
    .action((options: { client?: string; limit: string }, command: Command) =>
      withServices(command, async (services) => {
        const { clientId } = await chooseClient(services, options.client);
        const limit = parseLimit(options.limit, { max: maxDeliveries });
        const found = await services.webhooks.list(clientId, { after: undefined, limit });
        printRows(found.map(toRow), {
          isJson: isJson(command),
          empty: "There is no delivery yet.",
        });
      }),
    );
}

function addShowCommand(delivery: Command): void {
  delivery
    .command("show <delivery_id>")
    .description("one delivery and its attempts")
    .addHelpText("after", formatExamples(`delivery show ${exampleId}`))
    .action((id: string, _options: object, command: Command) =>
      withServices(command, async ({ webhooks }) => {
        const found = await webhooks.find(parseDeliveryId(id));
        const attempts = (await webhooks.attempts(found.id)).map(
          ({ number, at, durationMs, status, reason }) => ({
            attempt: number,
            at,
            ms: durationMs,
            status,
            reason,
          }),
        );
        const lastReply = await webhooks.lastReply(found);
        if (isJson(command))
          return printFields(
            { ...toRow(found), last_reply: lastReply, attempts: attempts as never },
            { isJson: true },
          );
        // A stranger's text gives the terminal no commands.
        const shownReply = lastReply?.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ");
        printFields({ ...toRow(found), last_reply: shownReply }, { isJson: false });
        printRows(attempts, { isJson: false, empty: "There is no attempt yet." });
      }),
    );
}

const replayNote = `
The same bytes are sent again under the same id. When the receiver has acknowledged a
later body, the present state of the same employees is sent instead, under a new id.
`;

function addReplayCommand(delivery: Command): void {
  delivery
    .command("replay <delivery_id>")
    .description("send it again, and resume an endpoint that was paused or gone")
    .addHelpText("after", replayNote + formatExamples(`delivery replay ${exampleId}`))
    .action((id: string, _options: object, command: Command) =>
      withServices(command, async ({ webhooks }) => {
        const sent = await webhooks.replay(await webhooks.find(parseDeliveryId(id)));
        printFields(toRow(sent), { isJson: isJson(command) });
      }),
    );
}

function toRow(delivery: Delivery): Row {
  return {
    id: delivery.id,
    token: delivery.tokenId,
    status: delivery.status,
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    added: delivery.added,
    removed: delivery.removed,
    updated: delivery.updated,
    created_at: delivery.createdAt,
    next_attempt_at: delivery.nextAttemptAt,
  };
}
