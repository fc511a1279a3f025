import { addSeconds, secondsBetween } from "../../platform/clock.ts";
import { findOlderSessions, takesWrites } from "../../platform/db/index.ts";
import { createLog } from "../../platform/log.ts";
import { secondsUntilLate } from "../../platform/repeat.ts";
import { explainRefusal } from "../../start/explain-start.ts";
import type { KeyStatus, ListedProcess } from "../../keys/index.ts";
import { buildServices, type Services } from "../../start/services.ts";
import { formatAge } from "../format-age.ts";
import { checkClock } from "./database-checks.ts";
import { failed, ok, warning, type CheckGroup, type Found } from "./finding.ts";

/** As the alerts in examples/operations say it. */
const oldReadSeconds = 1_800;
const oldWebhookSeconds = 21_600;
const mostNamed = 5;
/** A process has told of its schedules by then. */
const youngProcessSeconds = 60;

/** Looks at the database of the service, without a write. */
export const work: CheckGroup = {
  name: "work",
  async *look(deployment) {
    const log = createLog({ level: "silent" });
    const services = await buildServices(deployment, { log, isReadOnly: true });
    try {
      yield* checkMasterKeys(services);
      yield* checkProcesses(services);
      yield* checkEarlierRows(services);
      yield await checkPkce(services);
      yield await checkRangesOfClients(services);
      yield checkAge("reads", await services.reads.lists.oldestPendingAge(), {
        longestSeconds: oldReadSeconds,
        what: "read",
        advice: "See npx rollcall reads list --pending.",
      });
      yield checkAge("webhooks", await services.webhooks.lists.undeliveredAge(), {
        longestSeconds: oldWebhookSeconds,
        what: "webhook",
        advice: "See npx rollcall delivery list; the receiver may be away.",
      });
    } finally {
      await services.dispose();
    }
  },
};

/** Rows that an earlier version has not bound, and who may still write such rows. */
async function* checkEarlierRows({ boundSince, clients, pool }: Services): AsyncGenerator<Found> {
  const named = { check: "bound rows" };
  const unused = await clients.listUnused();
  if (unused.length > 0)
    yield failed(
      `${unused.length} clients are not used: somebody else changed their rows in the database`,
      "See npx rollcall client confirm.",
      named,
    );
  const open = await boundSince.countUnbound();
  if (open.length === 0) yield ok("every row has to be bound", named);
  else {
    const rows = open.map((each) => `${each.rows} in ${each.table}`).join(", ");
    const [oldest] = await findOlderSessions(pool);
    const older = oldest
      ? `; the session ${oldest.processId} of ${oldest.role} may be an older program`
      : "; no older program is connected";
    yield warning(
      `an upgrade is under way: not bound are ${rows}${older}`,
      "Stop the processes of the earlier version. It ends 35 minutes after that.",
      named,
    );
  }
}

/** A code that was stolen on its way is worth nothing with PKCE. Programs of before PKCE send none. */
async function checkPkce({ clients, config }: Services): Promise<Found> {
  const named = { check: "PKCE" };
  const without = (await clients.list()).filter(({ requirePkce }) => !requirePkce);
  if (without.length === 0) return ok("a duty of every client", named);
  const ids = without.slice(0, mostNamed).map(({ clientId }) => clientId);
  const others = without.length > mostNamed ? ` and ${without.length - mostNamed} more` : "";
  const found = `sign-in links without it are taken of ${ids.join(", ")}${others}`;
  if (config.isLocal) return ok(found, named);
  const advice =
    "Once the application sends code_challenge: npx rollcall client update <client_id> --require-pkce.";
  return warning(found, advice, named);
}

/** A range for a client that there is not, as of a misspelt id, opens nothing. */
async function checkRangesOfClients({ clients, config }: Services): Promise<Found> {
  const named = { check: "ranges of clients" };
  const { providers, webhooks } = config.outboundAllow;
  const ranges = [...providers, ...webhooks].flatMap(({ ownerId }) => ownerId ?? []);
  const there = [...(await clients.list()), ...(await clients.listUnused())];
  const known = new Set(there.map(({ clientId }) => clientId));
  const unknown = [...new Set(ranges)].filter((clientId) => !known.has(clientId));
  if (unknown.length === 0) return ok("each is for a client that there is", named);
  return warning(
    `OUTBOUND_ALLOW_* opens ranges for clients that there are not: ${unknown.join(", ")}`,
    "Write the client_id as npx rollcall client list has it, or take the range away.",
    named,
  );
}

async function* checkMasterKeys({ keys, keySource }: Services): AsyncGenerator<Found> {
  const named = { check: "master keys" };
  try {
    await keys.check(keySource);
  } catch (error) {
    const refusal = explainRefusal(error);
    if (refusal === undefined) throw error;
    yield failed(refusal, "See docs/backups.md, Master keys.", named);
  }
  for (const key of await keys.status()) yield { ...named, ...describeKey(key) };
}

function describeKey({ id, state, isNeverFirst, rows }: KeyStatus): Found {
  const count = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const found = `${id}: ${state}, ${count} rows`;
  if (state === "active") return ok(`${found}, seals what is new`);
  if (state === "retired") return ok(found);
  if (state === "opens") {
    if (count > 0) return ok(found);
    return isNeverFirst
      ? warning(
          `${found}, was never the first key`,
          "It waits to be put first in MASTER_KEYS of every process, once all of them have it: see docs/backups.md.",
        )
      : warning(found, `Nothing is under it: npx rollcall keys retire ${id}, and take it out.`);
  }
  return count > 0
    ? failed(found, "Put it back behind the first key: without it those rows cannot be read.")
    : warning(found, `Put it back, or retire it: npx rollcall keys retire ${id}.`);
}

async function* checkProcesses(services: Services): AsyncGenerator<Found> {
  const named = { check: "processes" };
  const { keys, clock, databaseUrl } = services;
  if (!(await takesWrites(databaseUrl)))
    return yield warning(
      `${describeRoles(await keys.lastProcesses())} told last; none can tell while the database takes no writes`,
      "Let the database take writes, and run this again.",
      named,
    );
  const running = await keys.processes();
  const count = (role: string): number => running.filter((each) => each.role === role).length;
  const found = running.length === 0 ? "none" : describeRoles(running);
  const hasBoth = count("all") > 0 || (count("api") > 0 && count("worker") > 0);
  yield hasBoth
    ? ok(found, named)
    : (running.length === 0 ? warning : failed)(
        found,
        "Start a process of the role all, or one of the role api and one of the role worker.",
        named,
      );
  for (const process of running)
    if (process.clockAheadSeconds !== null)
      yield {
        check: "process clock",
        ...checkClock(describeProcess(process), process.clockAheadSeconds),
      };
  const now = clock.now();
  const young = addSeconds(now, -youngProcessSeconds);
  const told = running
    .filter(({ startedAt }) => startedAt !== null && startedAt < young)
    .flatMap(({ schedules }) => schedules);
  for (const name of new Set(running.flatMap((each) => each.schedules.map((s) => s.schedule)))) {
    const named = /^(?:removing|forgetting)/.test(name)
      ? { check: "clean-up" }
      : { check: "schedule" };
    const ages = running
      .flatMap(({ schedules }) => schedules)
      .filter(({ schedule, succeededAt }) => schedule === name && succeededAt !== null)
      .map(({ succeededAt }) => secondsBetween(new Date(succeededAt ?? now), now));
    const youngest = Math.min(...ages);
    const everySeconds = told.find(({ schedule }) => schedule === name)?.everySeconds ?? Infinity;
    const isLate = youngest > secondsUntilLate(everySeconds);
    const last = ages.length === 0 ? "not yet" : `${formatAge(Math.max(0, youngest))} ago`;
    yield isLate
      ? failed(
          `${name}: last succeeded ${last}`,
          "Look at the log of the workers for what failed.",
          named,
        )
      : ok(`${name}: last succeeded ${last}`, named);
  }
}

function describeProcess({ id, role, startedAt }: ListedProcess): string {
  const since = startedAt ? `, started ${startedAt.toISOString()}` : "";
  return `process ${id} (${role}${since})`;
}

function describeRoles(processes: readonly { role: string }[]): string {
  const count = (role: string): number => processes.filter((each) => each.role === role).length;
  return ["all", "api", "worker"].map((role) => `${count(role)} ${role}`).join(", ");
}

function checkAge(
  check: string,
  seconds: number,
  { longestSeconds, what, advice }: { longestSeconds: number; what: string; advice: string },
): Found {
  if (seconds === 0) return ok(`no ${what} waits`, { check });
  const found = `the oldest ${what} waits for ${formatAge(seconds)}`;
  return seconds > longestSeconds ? warning(found, advice, { check }) : ok(found, { check });
}
