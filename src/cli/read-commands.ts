import { Option, type Command } from "commander";
import type { Read } from "../reading/index.ts";
import { chooseClient } from "./choose-client.ts";
import { withServices } from "./command-context.ts";
import { exampleId, formatExamples } from "./format-examples.ts";
import { printFields, printRows, type Row } from "./output.ts";
import { parseId, parseLimit, parsePeriod } from "./parse-arguments.ts";
import { withPeriod } from "./value-options.ts";

const maxReads = 1_000;

export function addReadCommands(reads: Command): void {
  addListCommand(reads);
  addShowCommand(reads);
  addCancelCommand(reads);
}

const statuses = [
  "pending",
  "running",
  "stored",
  "unavailable",
  "broken",
  "unsupported",
  "forbidden",
  "refused",
] as const;

interface ListOptions {
  pending?: boolean;
  status?: (typeof statuses)[number];
  client?: string;
  provider?: string;
  since?: string;
  until?: string;
  limit: string;
}

function addListCommand(reads: Command): void {
  const command = reads
    .command("list")
    .description("those that have not ended, then the others, the newest first")
    .option("--pending", "only those that have not ended")
    .addOption(new Option("--status <status>", "only those that stand so").choices(statuses))
    .option("--client <client_id>", "only those of this client")
    .option("--provider <name>", "only those of this provider");
  withPeriod(command, "requested, or ended,")
    .option("--limit <count>", "how many", "50")
    .addHelpText(
      "after",
      formatExamples(
        "reads list --pending",
        "reads list --status broken --provider odoo --since 24h",
      ),
    )
    .action(({ pending, limit, client, ...options }: ListOptions, command: Command) =>
      withServices(command, async (services) => {
        const { status = pending ? "pending" : undefined, provider } = options;
        const found = await services.reads.lists.list({
          status,
          provider,
          clientId:
            client === undefined ? undefined : (await chooseClient(services, client)).clientId,
          ...parsePeriod(options, services.clock.now()),
          limit: parseLimit(limit, { max: maxReads }),
        });
        printRows(command, found.map(toRow), "There is no such read.");
      }),
    );
}

function addShowCommand(reads: Command): void {
  reads
    .command("show <read_id>")
    .description("one read, with its progress")
    .addHelpText("after", formatExamples(`reads show ${exampleId}`))
    .action((id: string, _options: object, command: Command) =>
      withServices(command, async ({ reads: room }) => {
        const read = await room.find(parseId("read", id));
        printFields(command, { ...toRow(read), ...toDetails(read) });
      }),
    );
}

const cancelNote = `
Its callers get 503 for a minute. Then a request begins a new read.
`;

function addCancelCommand(reads: Command): void {
  reads
    .command("cancel <read_id>")
    .description("end a pending read; its run stops within two seconds")
    .addHelpText("after", cancelNote + formatExamples(`reads cancel ${exampleId}`))
    .action((id: string, _options: object, command: Command) =>
      withServices(command, async ({ reads: room }) => {
        const cancelled = await room.cancel(parseId("read", id));
        printFields(command, toRow(cancelled));
      }),
    );
}

function toRow({ id, connectionId, provider, resource, state, outcome, ...read }: Read): Row {
  return {
    id,
    client: read.clientId,
    connection: connectionId,
    provider,
    resource,
    state: state === "pending" && read.leaseUntil ? "running" : state,
    outcome,
    requested_at: read.requestedAt,
    settled_at: read.settledAt,
    pages: read.pages,
    records: read.records,
  };
}

function toDetails(read: Read): Row {
  return {
    mode: read.mode,
    run: read.run,
    failed_runs: read.tries,
    ended_processes: read.deaths,
    provider_requests: read.providerRequests,
    bytes: read.bytes,
    due_at: read.dueAt,
    refused_fields: read.refusedFields?.join(", ") ?? null,
  };
}
