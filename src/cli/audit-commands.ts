import { once } from "node:events";
import type { Command } from "commander";
import type { verifyRecord } from "../audit/index.ts";
import { CommandFailure } from "./command-failure.ts";
import { withServices } from "./command-context.ts";
import { exampleClientId, formatExamples } from "./format-examples.ts";
import { isJson, printFields, printJson, printLine, printRows } from "./output.ts";
import { parseLimit, parsePosition } from "./parse-arguments.ts";

const maxEntries = 10_000;
/** Of the lines for a person. */
const mostShown = 20;

export function addAuditCommands(audit: Command): void {
  addListCommand(audit);
  addVerifyCommand(audit);
  addExportCommand(audit);
}

const verifyNote = `
Without --checkpoint, an older copy of the whole record is not found. The file has checkpoints among its lines: an
export, or the log of a worker, which has one each hour. Exit code 1: something was found.
`;

function addVerifyCommand(audit: Command): void {
  audit
    .command("verify")
    .description("find what was changed, added, deleted or cut off in the record")
    .option("--checkpoint <file>", "checkpoints that were kept elsewhere")
    .addHelpText(
      "after",
      verifyNote + formatExamples("audit verify", "audit verify --checkpoint audit.jsonl --json"),
    )
    .action(({ checkpoint }: { checkpoint?: string }, command: Command) =>
      withServices(command, async ({ audit: { key }, auditChain, pool }) => {
        const [{ verifyRecord: verify }, { readCheckpoints }] = await Promise.all([
          import("../audit/index.ts"),
          import("./read-checkpoints.ts"),
        ]);
        const verification = await verify({ pool, key }, readCheckpoints(checkpoint));
        const now = await auditChain.makeCheckpoint();
        printVerification(command, verification, now);
        if (verification.findingsInAll > 0)
          throw new CommandFailure(
            `the audit record is not as it was written: ${verification.findingsInAll} findings`,
            "findings",
          );
      }),
    );
}

function printVerification(
  command: Command,
  verification: Awaited<ReturnType<typeof verifyRecord>>,
  checkpoint: object | undefined,
): void {
  const { findings, findingsInAll, checkpoints, restoredBehind, withoutMac } = verification;
  const fields = {
    linked: verification.linked,
    unlinked: verification.unlinked,
    unlinked_since: verification.unlinkedSince ?? null,
    without_mac: withoutMac,
    checkpoints,
    checkpoints_lost_by_restores: restoredBehind,
  };
  if (isJson(command)) return printJson({ ...fields, checkpoint, findings });
  printFields(command, { ...fields, findings: findingsInAll });
  for (const { message } of findings.slice(0, mostShown)) printLine(message);
  if (findingsInAll > mostShown) printLine(`and ${findingsInAll - mostShown} more`);
}

const exportNote = `
JSON, one object a line: linked entries with what proves them, oldest first, and at the end a checkpoint. Keep the
output where nobody who may write to the database can.
`;

function addExportCommand(audit: Command): void {
  audit
    .command("export")
    .description("print the record and a checkpoint, to be kept elsewhere")
    .option("--after <position>", "only what comes after this position of the chain", "0")
    .option("--only-checkpoint", "print no entries")
    .addHelpText(
      "after",
      exportNote + formatExamples("audit export > audit.jsonl", "audit export --only-checkpoint"),
    )
    .action((options: { after: string; onlyCheckpoint?: true }, command: Command) =>
      withServices(command, async (services) => {
        const { exportLines } = await import("../audit/index.ts");
        const after = parsePosition(options.after);
        const hasEntries = options.onlyCheckpoint !== true;
        for await (const line of await exportLines(services, { after, hasEntries }))
          if (!process.stdout.write(line)) await once(process.stdout, "drain");
      }),
    );
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
        printRows(command, rows, "There is no entry yet.");
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
