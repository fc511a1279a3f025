import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { ConnectionId } from "../model/index.ts";
import type { Services } from "../start/services.ts";
import { withServices } from "./command-context.ts";
import { CommandFailure } from "./command-failure.ts";
import { exampleId, formatExamples } from "./format-examples.ts";
import { isJson, printRows, type Row } from "./output.ts";
import { parseId } from "./parse-arguments.ts";

const timeoutMs = 60_000;
const lookIntervalMs = 200;

export function addPollCommands(poll: Command): void {
  addNowCommand(poll);
}

const nowNote = `
A worker of the running service makes the polls. The first poll of a connection only sets
the baseline.
`;

function addNowCommand(poll: Command): void {
  poll
    .command("now")
    .description("poll all connections that are polled every hour, without waiting for the hour")
    .option("--token <token_id>", "only the connection of this token")
    .addHelpText("after", nowNote + formatExamples(`poll now --token ${exampleId}`))
    .action((options: { token?: string }, command: Command) =>
      withServices(command, async (services) => {
        const tokenId = options.token && parseId("token", options.token);
        if (tokenId && !(await services.connections.loadByToken(tokenId)))
          throw new CommandFailure("no connection has this token", "not_found");
        const ids = await services.webhooks.pollNow(tokenId);
        if (ids.length > 0 && !isJson(command))
          process.stderr.write(
            `Waiting for a worker, a minute at most. Connections to poll: ${ids.length}\n`,
          );
        const rows = (await Promise.all(ids.map((id) => untilPolled(services, id)))).filter(
          (row) => row !== undefined,
        );
        if (rows.length === 0) throw nothingToPoll(tokenId);
        printRows(command, rows, "");
      }),
    );
}

function nothingToPoll(tokenId: string | undefined): CommandFailure {
  const [what, whose] = tokenId
    ? ["this connection is not polled", "its client needs a webhook address, and its scopes"]
    : [
        "there is no connection to poll",
        "a client needs a webhook address, and a token whose scopes",
      ];
  return new CommandFailure(
    `${what}: ${whose} have to include the employees, or what the client has in poll_resources, and the end user must ` +
      "not have to sign in again (see rollcall client show and rollcall token list)",
    "not_polled",
  );
}

/** Undefined when the connection was disconnected meanwhile. */
async function untilPolled(
  { webhooks }: Services,
  connectionId: ConnectionId,
): Promise<Row | undefined> {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += lookIntervalMs) {
    const poll = await webhooks.findPoll(connectionId);
    if (!poll) return undefined;
    if (poll.state === "idle")
      return { token: poll.tokenId, outcome: poll.outcome, polled_at: poll.polledAt };
    await delay(lookIntervalMs);
  }
  throw new CommandFailure(
    "the poll has not ended within a minute, and goes on; its read is in: rollcall reads list --pending " +
      "(when that shows none that runs, check that a worker runs)",
    "timeout",
  );
}
