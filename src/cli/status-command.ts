import { styleText } from "node:util";
import type { Command } from "commander";
import type { Services } from "../start/services.ts";
import { withServices } from "./command-context.ts";
import { formatExamples } from "./format-examples.ts";
import { formatAge } from "./format-age.ts";
import { isJson, printFields, printJson, printLine, printRows, type Row } from "./output.ts";

const note = `
Reads the database and the queue, and changes nothing. Processes tell every 15 seconds what they do.
`;

export function describeStatusCommand(status: Command): void {
  status
    .addHelpText("after", note + formatExamples("status", "status --json"))
    .action((_options: object, command: Command) =>
      withServices(
        command,
        async (services) => {
          const found = await findStatus(services);
          if (isJson(command)) return printJson(found);
          printStatus(command, found);
        },
        { isReadOnly: true },
      ),
    );
}

type Status = Awaited<ReturnType<typeof findStatus>>;

async function findStatus(services: Services) {
  const [
    { readProgramVersion },
    { findSchemaState, takesWrites },
    { Connect },
    { secondsBetween },
  ] = await Promise.all([
    import("../platform/program-version.ts"),
    import("../platform/db/index.ts"),
    import("../connect/index.ts"),
    import("../platform/clock.ts"),
  ]);
  const { pool, clock, reads, webhooks, keys } = services;
  const now = clock.now();
  const ageOf = (moment: Date | null): number | null =>
    moment && Math.max(0, Math.round(secondsBetween(moment, now)));
  const schema = await findSchemaState(pool);
  const isWritable = await takesWrites(services.databaseUrl);
  const running = isWritable ? await keys.processes() : await keys.lastProcesses();
  const polls = await webhooks.lists.countPolls();
  const signIns = await Connect.countSignIns(pool);
  return {
    version: readProgramVersion(),
    database: { takes_writes: isWritable },
    schema: {
      newest: schema.newest ?? null,
      state: describeSchema(schema),
    },
    processes: running.map(({ id, role, version, startedAt, seenAt }) => ({
      role,
      version,
      started_at: startedAt,
      seen_seconds_ago: ageOf(seenAt),
      id,
    })),
    reads: (await reads.lists.counts()).map(({ state, reads: count, oldest }) => ({
      state,
      reads: count,
      oldest_seconds: ageOf(oldest),
    })),
    polls: { polled: polls.polled, due: polls.due, lag_seconds: ageOf(polls.oldestDue) ?? 0 },
    deliveries: (await webhooks.lists.countDeliveries()).map(({ status, deliveries, oldest }) => ({
      status,
      deliveries,
      oldest_seconds: ageOf(oldest),
    })),
    sign_ins: { running: signIns.leased, waiting: signIns.waiting },
    queues: await findQueues(services),
    schedules: running.flatMap(({ role, schedules }) =>
      schedules.map(({ schedule, everySeconds, succeededAt }) => ({
        schedule,
        role,
        every_seconds: everySeconds,
        succeeded_seconds_ago: succeededAt === null ? null : ageOf(new Date(succeededAt)),
      })),
    ),
  };
}

function describeSchema({ missing, unknown }: { missing: string[]; unknown: string[] }): string {
  if (unknown.length > 0) return "newer than this program";
  return missing.length > 0 ? "older than this program" : "current";
}

/** Null when the queue cannot be asked: everything else is worth knowing then. */
async function findQueues({ queue }: Pick<Services, "queue">) {
  const [{ queueNames }, { systemClock }, { retry }, { withTimeout }] = await Promise.all([
    import("../start/build-queue.ts"),
    import("../platform/clock.ts"),
    import("../platform/retry.ts"),
    import("../platform/with-timeout.ts"),
  ]);
  const ask = () => queue.depths(queueNames);
  const depths = await withTimeout(queueTimeoutMs, (signal) =>
    retry(ask, { findPause: () => queueRetryMs, clock: systemClock, signal }),
  ).catch(() => null);
  return (
    depths?.map(({ name, waiting, active, delayed, oldestSeconds }) => ({
      queue: name,
      waiting,
      active,
      delayed,
      oldest_seconds: Math.round(oldestSeconds),
    })) ?? null
  );
}

const queueTimeoutMs = 3_000;
/** A queue has to connect first. */
const queueRetryMs = 100;

function printStatus(command: Command, status: Status): void {
  const { database, schema, polls, sign_ins: signIns } = status;
  printFields(command, {
    version: status.version,
    database: database.takes_writes
      ? "takes writes"
      : "takes no writes: no process can tell that it runs",
    schema: `${schema.newest ?? "none"} (${schema.state})`,
    polls: `${polls.polled} polled, ${polls.due} due${polls.due > 0 ? `, the oldest for ${formatAge(polls.lag_seconds)}` : ""}`,
    sign_ins: `${signIns.running} running, ${signIns.waiting} waiting`,
  });
  const printSection = (title: string, rows: readonly Row[], empty: string): void => {
    printLine(`\n${styleText("bold", title)}`);
    printRows(command, rows.map(withAges), empty);
  };
  printSection(
    database.takes_writes ? "processes" : "processes, when one told last",
    status.processes,
    "No process has told within a minute that it runs.",
  );
  printSection("reads", status.reads, "There is no read.");
  printSection("deliveries", status.deliveries, "There is no delivery.");
  printSection("queues", status.queues ?? [], "The queue cannot be asked: see rollcall doctor.");
  printSection("schedules", status.schedules, "No worker has told which schedules it has.");
}

/** Seconds as people read them. */
function withAges(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) =>
      /_seconds|_ago/.test(name) && typeof value === "number"
        ? [name.replace("_seconds", ""), formatAge(value)]
        : [name.replace("_seconds", ""), value],
    ),
  );
}
