import type { Command } from "commander";
import { isJson, UsageFailure, withServices } from "./command-context.ts";
import { printRows } from "./output.ts";

export function addAuditCommands(program: Command): void {
  program
    .command("audit")
    .description("what happened to clients, secrets, tokens and connections")
    .command("list")
    .description("the newest entries first")
    .option("--limit <count>", "how many", "50")
    .option("--client <client_id>", "of one client")
    .addHelpText(
      "after",
      "\nExamples:\n  $ rollcall audit list --limit 20\n  $ rollcall audit list --client 3FDAEDF9-1DCA4F54-87949F6A-41027643 --json",
    )
    .action((options: { limit: string; client?: string }, command: Command) =>
      withServices(command, async ({ audit, pool }) => {
        const limit = Number(options.limit);
        if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
          throw new UsageFailure("--limit is a number from 1 to 10000");
        const entries = await audit.list(pool, {
          limit,
          ...(options.client && { clientId: options.client }),
        });
        const rows = entries.map(({ id, at, action, clientId, tokenId, connectionId, detail }) => ({
          id,
          at,
          action,
          client_id: clientId,
          token: tokenId,
          connection: connectionId,
          detail: isJson(command) ? (detail as never) : summarise(detail),
        }));
        printRows(rows, { isJson: isJson(command), empty: "Nothing has happened yet." });
      }),
    );
}

/** Short enough for a line of a table: of a long list, how long it is. `--json` has all of it. */
function summarise(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => summary(name, value))
    .join(", ");
}

function summary(name: string, value: unknown): string {
  if (!Array.isArray(value))
    return `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`;
  return value.length > 4 ? `${value.length} ${name}` : `${name} ${value.join(" ")}`;
}
