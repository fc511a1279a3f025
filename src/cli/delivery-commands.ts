import { Option, type Command } from "commander";
import type { Services } from "../start/services.ts";
import { chooseClient } from "./choose-client.ts";
import { withServices } from "./command-context.ts";
import { exampleClientId, exampleId, formatExamples } from "./format-examples.ts";
import { isJson, printFields, printJson, printRows, type Row } from "./output.ts";
import { parseId, parseLimit, parsePeriod } from "./parse-arguments.ts";
import { withPeriod } from "./value-options.ts";

type Delivery = Awaited<ReturnType<Services["webhooks"]["find"]>>;

const maxDeliveries = 1_000;

export function addDeliveryCommands(delivery: Command): void {
  addListCommand(delivery);
  addShowCommand(delivery);
  addReplayCommand(delivery);
}

const statuses = ["pending", "delivered", "failed"] as const;

interface ListOptions {
  client?: string;
  status?: (typeof statuses)[number];
  provider?: string;
  since?: string;
  until?: string;
  limit: string;
}

function addListCommand(delivery: Command): void {
  const command = delivery
    .command("list")
    .description("the newest first, of all clients")
    .option("--client <client_id>", "only those of this client")
    .addOption(new Option("--status <status>", "only those that stand so").choices(statuses))
    .option("--provider <name>", "only those about connections of this provider");
  withPeriod(command, "made")
    .option("--limit <count>", "how many", "50")
    .addHelpText(
      "after",
      formatExamples(
        "delivery list --status failed --since 24h",
        `delivery list --client ${exampleClientId}`,
      ),
    )
    .action(({ client, status, provider, limit, ...period }: ListOptions, command: Command) =>
      withServices(command, async (services) => {
        const found = await services.webhooks.list({
          clientId:
            client === undefined ? undefined : (await chooseClient(services, client)).clientId,
          status,
          provider,
          ...parsePeriod(period, services.clock.now()),
          limit: parseLimit(limit, { max: maxDeliveries }),
        });
        printRows(command, found.map(toRow), "There is no such delivery.");
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
        const found = await webhooks.find(parseId("delivery", id));
        const attempts = (await webhooks.lists.attempts(found.id)).map(
          ({ number, at, durationMs, status, reason }) => ({
            attempt: number,
            at,
            ms: durationMs,
            status,
            reason,
          }),
        );
        const lastReply = await webhooks.lastReply(found);
        if (isJson(command)) return printJson({ ...toRow(found), last_reply: lastReply, attempts });
        // A stranger's text gives the terminal no commands.
        const shownReply = lastReply?.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ");
        printFields(command, { ...toRow(found), last_reply: shownReply });
        printRows(command, attempts, "There is no attempt yet.");
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
        const sent = await webhooks.replay(await webhooks.find(parseId("delivery", id)));
        printFields(command, toRow(sent));
      }),
    );
}

function toRow(delivery: Delivery): Row {
  return {
    id: delivery.id,
    client: delivery.clientId,
    token: delivery.tokenId,
    event: delivery.eventType,
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
