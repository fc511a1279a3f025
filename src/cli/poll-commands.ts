import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { Services } from "../services.ts";
import { CommandFailure, isJson, withServices } from "./command-context.ts";
import { printRows, type Row } from "./output.ts";
import { parseTokenId } from "./token-commands.ts";

const patienceMs = 60_000;
const lookAgainMs = 200;

export function addPollCommands(program: Command): void {
  program
    .command("poll")
    .description("the hourly look for changed employees")
    .command("now")
    .description("poll at once what is polled every hour: connections that read employees, of clients with a webhook address")
    .option("--token <token_id>", "of this token alone")
    .addHelpText("after", "\nA worker of the running service does it. The first poll of a connection only sets the baseline.\n\nExample:\n  $ rollcall poll now --token 01a1fd50-5c1e-7c3a-9d0e-2f6b8a4c1e77")
    .action((options: { token?: string }, command: Command) =>
      withServices(command, async (services) => {
        const ids = await services.webhooks.pollNow(options.token && parseTokenId(options.token));
        const rows = await Promise.all(ids.map((id) => untilPolled(services, id)));
        printRows(rows.filter((row) => row !== undefined), { isJson: isJson(command), empty: "There is no connection to poll: its client needs a webhook address, and its scopes the employees." });
      }),
    );
}

/** Undefined for a connection that is not polled, because its client wants no webhooks. */
async function untilPolled({ webhooks }: Services, connectionId: string): Promise<Row | undefined> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookAgainMs) {
    const watch = await webhooks.findWatch(connectionId);
    if (!watch) return undefined;
    if (watch.state === "idle") return { token: watch.tokenId, outcome: watch.outcome, polled_at: watch.polledAt };
    await delay(lookAgainMs);
  }
  throw new CommandFailure("the poll has not ended; is a worker running?", "timeout");
}
