import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { Services } from "../services.ts";
import { CommandFailure, isJson, withServices } from "./command-context.ts";
import { printRows, type Row } from "./output.ts";
import { parseTokenId } from "./token-commands.ts";

const patienceMs = 60_000;
const lookAgainMs = 200;
const whatItTakes =
  "its client needs a webhook address, its scopes the employees, and its end user must not have to sign in again";

export function addPollCommands(program: Command): void {
  program
    .command("poll")
    .description("the hourly look for changed employees")
    .command("now")
    .description(
      "poll at once what is polled every hour: connections that read employees, of clients with a webhook address",
    )
    .option("--token <token_id>", "of this token alone")
    .addHelpText(
      "after",
      "\nA worker of the running service does it. The first poll of a connection only sets the baseline.\n\nExample:\n  $ rollcall poll now --token 01a1fd50-5c1e-7c3a-9d0e-2f6b8a4c1e77",
    )
    .action((options: { token?: string }, command: Command) =>
      withServices(command, async (services) => {
        const tokenId = options.token && parseTokenId(options.token);
        if (tokenId && !(await services.connections.loadByToken(tokenId)))
          throw new CommandFailure("no connection has this token", "not_found");
        const ids = await services.webhooks.pollNow(tokenId);
        const rows = (await Promise.all(ids.map((id) => untilPolled(services, id)))).filter(
          (row) => row !== undefined,
        );
        if (tokenId && rows.length === 0)
          throw new CommandFailure(`this connection is not polled: ${whatItTakes}`, "not_polled");
        printRows(rows, {
          isJson: isJson(command),
          empty: `There is no connection to poll: ${whatItTakes}.`,
        });
      }),
    );
}

/** Undefined when the connection was disconnected meanwhile. */
async function untilPolled({ webhooks }: Services, connectionId: string): Promise<Row | undefined> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookAgainMs) {
    const poll = await webhooks.findPoll(connectionId);
    if (!poll) return undefined;
    if (poll.state === "idle")
      return { token: poll.tokenId, outcome: poll.outcome, polled_at: poll.polledAt };
    await delay(lookAgainMs);
  }
  throw new CommandFailure("the poll has not ended; is a worker running?", "timeout");
}
