import type { Command } from "commander";
import { chooseClient } from "./choose-client.ts";
import { withServices } from "./command-context.ts";
import { exampleClientId, formatExamples } from "./format-examples.ts";
import { printRows, type Row } from "./output.ts";
import { parseLimit } from "./parse-arguments.ts";
import { UsageFailure } from "./command-failure.ts";

const maxEvents = 1_000;
const atOnce = { waitMs: 0, signal: new AbortController().signal };

export function addEventCommands(event: Command): void {
  event
    .command("list")
    .description("the oldest first")
    .option("--client <client_id>", "whose events; default: the demo client")
    .option("--after <cursor>", "only those after this one, as a list over the API gives it", "0")
    .option("--limit <count>", "how many", "100")
    .addHelpText("after", formatExamples(`event list --client ${exampleClientId}`))
    .action((options: { client?: string; after: string; limit: string }, command: Command) =>
      withServices(command, async (services) => {
        const { clientId } = await chooseClient(services, options.client);
        const limit = parseLimit(options.limit, { max: maxEvents });
        if (!/^\d{1,15}$/.test(options.after)) throw new UsageFailure("--after is no cursor");
        const after = Number(options.after);
        const { events } = await services.events.list(clientId, { after, limit }, atOnce);
        printRows(command, events.map(toRow), "There is no event yet.");
      }),
    );
}

function toRow({
  id,
  type,
  timestamp,
  data,
}: {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}): Row {
  const { token, provider, mode: _mode, reference: _name, metadata: _more, ...details } = data;
  return {
    id,
    type,
    timestamp,
    token: token as string | undefined,
    provider: provider as string,
    details: JSON.stringify(details),
  };
}
