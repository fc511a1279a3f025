import type { Command } from "commander";
import { isJson, withServices } from "./command-context.ts";
import { exampleClientId, formatExamples } from "./format-examples.ts";
import { printRows } from "./output.ts";
import { parseLimit } from "./parse-arguments.ts";

const maxEntries = 10_000;

export function addAuditCommands(audit: Command): void {
  addListCommand(audit);
}

function addListCommand(audit: Command): void {
  audit
    .command("list")
    .description("the newest entries first")
    .option("--limit <count>", "how many", "50")
    .option("--client <client_id>", "only entries of this client")
    .addHelpText(
      "after",
      formatExamples("audit list --limit 20", `audit list --client ${exampleClientId} --json`),
    )
    .action((options: { limit: string; client?: string }, command: Command) =>
      withServices(command, async ({ audit: records, pool }) => {
        const entries = await records.list(pool, {
          limit: parseLimit(options.limit, { max: maxEntries }),
          ...(options.client && { clientId: options.client }),
        });
        const rows = entries.map(({ id, at, action, clientId, tokenId, connectionId, detail }) => ({
          id,
          at,
          action,
          client_id: clientId,
          token: tokenId,
          connection: connectionId,
          detail: isJson(command) ? (detail as never) : formatDetail(detail),
        }));
        printRows(rows, { isJson: isJson(command), empty: "There is no entry yet." });
      }),
    );
}

/** Fits on a line of a table: of a long list only its length. `--json` prints all of it. */
function formatDetail(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => formatEntry(name, value))
    .join(", ");
}

function formatEntry(name: string, value: unknown): string {
  if (!Array.isArray(value))
    return `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`;
  return value.length > 4 ? `${value.length} ${name}` : `${name} ${value.join(" ")}`;
}
