import type { Command } from "commander";
import type { Read } from "../reading/index.ts";
import { withServices } from "./command-context.ts";
import { isJson } from "./report-failure.ts";
import { exampleId, formatExamples } from "./format-examples.ts";
import { printFields, printRows, type Row } from "./output.ts";
import { parseLimit, parseReadId } from "./parse-arguments.ts";

const maxReads = 1_000;

export function addReadCommands(reads: Command): void {
  addListCommand(reads);
  addShowCommand(reads);
  addCancelCommand(reads);
}

function addListCommand(reads: Command): void {
  reads
    .command("list")
    .description("the newest request first")
    .option("--pending", "only those that have not ended")
    .option("--limit <count>", "how many", "50")
    .addHelpText("after", formatExamples("reads list --pending"))
    .action((options: { pending?: boolean; limit: string }, command: Command) =>
      withServices(command, async ({ reads: room }) => {
        const limit = parseLimit(options.limit, { max: maxReads });
        const found = await room.list({ isPending: options.pending === true, limit });
        printRows(found.map(toRow), { isJson: isJson(command), empty: "There is no read." });
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
        const read = await room.find(parseReadId(id));
        printFields({ ...toRow(read), ...toDetails(read) }, { isJson: isJson(command) });
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
        const cancelled = await room.cancel(parseReadId(id));
        printFields(toRow(cancelled), { isJson: isJson(command) });
      }),
    );
}

function toRow({ id, connectionId, provider, resource, state, outcome, ...read }: Read): Row {
  return {
    id,
    connection: connectionId,
    provider,
    resource,
    state: state === "pending" && read.leaseUntil ? "running" : state,
    outcome,
    requested_at: read.requestedAt,
    pages: read.pages,
    records: read.records,
  };
}

function toDetails(read: Read): Row {
  return {
    mode: read.mode,
    client: read.clientId,
    run: read.run,
    failed_runs: read.tries,
    ended_processes: read.deaths,
    provider_requests: read.providerRequests,
    bytes: read.bytes,
    due_at: read.dueAt,
    settled_at: read.settledAt,
  };
}
