import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Services } from "../start/services.ts";
import { withServices } from "./command-context.ts";
import { reportFailure } from "./report-failure.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { formatExamples } from "./format-examples.ts";
import { printFields } from "./output.ts";
import { isUuid } from "./parse-arguments.ts";

export function addDatabaseCommands(database: Command): void {
  addMigrateCommand(database);
  addRestoredCommand(database);
}

const migrateNote = `
Every process does so when it starts. By itself it lets an upgrade begin before the first new process starts, while
those of the older version serve.
`;

function addMigrateCommand(database: Command): void {
  database
    .command("migrate")
    .description("bring the database to the schema of this version")
    .addHelpText("after", migrateNote + formatExamples("database migrate"))
    .action((_options: object, command: Command) =>
      withServices(
        command,
        async ({ pool }) => {
          const { findNewestMigration } = await import("../platform/db/index.ts");
          const newest = await findNewestMigration(pool);
          const fields = { migration: newest?.name, run_on: newest?.runOn };
          printFields(command, fields);
        },
        { checksKeys: false },
      ),
    );
}

interface RestoredOptions {
  disconnected?: string;
  checkpoint?: string;
}

const restoredNote = `
Run it after the database was restored from a backup, before the first process starts. It disconnects the
tokens that were disconnected since the backup, ends codes and sign-ins that may have been used since and the
sessions of the console, and deletes what Redis has under REDIS_PREFIX. The file has the id of a token on each
line. Without the file, tokens that were disconnected since the backup give access again. With the checkpoints
that were kept, audit verify knows that the entries up to the latest of them were lost by this restore, and
does not miss them.
`;

function addRestoredCommand(database: Command): void {
  database
    .command("restored")
    .description("make a database that comes from a backup ready to be used")
    .option("--disconnected <file>", "tokens that were disconnected since the backup, by their ids")
    .option("--checkpoint <file>", "checkpoints of the audit record that were kept elsewhere")
    .addHelpText(
      "after",
      restoredNote + formatExamples("database restored --disconnected disconnected.txt"),
    )
    .action((options: RestoredOptions, command: Command) =>
      reportFailure(command, async () => {
        const file = options.disconnected;
        const ids = file === undefined ? [] : readTokenIds(file);
        await withServices(command, async (services) => {
          await settle(services, { ids, checkpoint: options.checkpoint }, command);
          if (file === undefined)
            process.stderr.write(
              "No --disconnected was given: tokens that were disconnected since the backup give access again.\n",
            );
        });
      }),
    );
}

async function settle(
  services: Services,
  { ids, checkpoint }: { ids: readonly string[]; checkpoint: string | undefined },
  command: Command,
): Promise<void> {
  const [{ settleRestored }, { readCheckpoints }] = await Promise.all([
    import("../start/settle-restored.ts"),
    import("./read-checkpoints.ts"),
  ]);
  const checkpoints = readCheckpoints(checkpoint);
  if (!checkpoints.every((kept) => services.audit.key.isCheckpoint(kept)))
    throw new CommandFailure(`${checkpoint} has a checkpoint of another database or key`);
  const settled = await settleRestored(services, ids, checkpoints);
  const { newestEntryAt, signIns, redisKeys, from, until, ...counts } = settled;
  printFields(command, {
    newest_entry_at: newestEntryAt,
    ...counts,
    sign_ins: signIns,
    redis_keys: redisKeys,
    restored_to: from,
    lost_until: until ?? null,
  });
}

function readTokenIds(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const wrong = lines.findIndex((line) => line !== "" && !isUuid(line));
  if (wrong !== -1) throw new UsageFailure(`line ${wrong + 1} of ${file} is not the id of a token`);
  return [...new Set(lines.filter((line) => line !== ""))];
}
