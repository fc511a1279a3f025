import { addSeconds, secondsBetween } from "../../platform/clock.ts";
import { findOlderSessions, takesWrites } from "../../platform/db/index.ts";
import { createLog } from "../../platform/log.ts";
import { explainRefusal } from "../../start/explain-start.ts";
import type { ListedProcess } from "../../keys/index.ts";
import { buildServices, type Services } from "../../start/services.ts";
import { formatAge } from "../format-age.ts";
import { checkClock } from "./database-checks.ts";
import type { CheckGroup, Deployment, Finding } from "./finding.ts";

/** As the alerts in examples/operations say it. */
const oldReadSeconds = 1_800;
const oldWebhookSeconds = 21_600;
const turnsUntilLate = 3;
const patienceSeconds = 60;
const mostNamed = 5;
/** A process has told of its schedules by then. */
const youngProcessSeconds = 60;

/** Each looks at the database of the service, without a write. */
async function* withDatabase(
  deployment: Deployment,
  look: (services: Services) => AsyncIterable<Finding>,
): AsyncGenerator<Finding> {
  const log = createLog({ level: "silent" });
  const services = await buildServices(deployment, { log, isReadOnly: true });
  try {
    yield* look(services);
  } finally {
    await services.dispose();
  }
}

export const work: CheckGroup = {
  name: "work",
  async *look(deployment) {
    yield* withDatabase(deployment, async function* look(services) {
      yield* checkMasterKeys(services);
      yield* checkProcesses(services);
      yield* checkEarlierRows(services);
      yield await checkPkce(services);
      yield await checkRangesOfClients(services);
      yield checkAge("reads", await services.reads.oldestPendingAge(), {
        longestSeconds: oldReadSeconds,
        what: "read",
        advice: "See npx rollcall reads list --pending.",
      });
      yield checkAge("webhooks", await services.webhooks.undeliveredAge(), {
        longestSeconds: oldWebhookSeconds,
        what: "webhook",
        advice: "See npx rollcall delivery list; the receiver may be away.",
      });
    });
  },
};

/** Rows that an earlier version has not bound, and who may still write such rows. */
async function* checkEarlierRows({ boundSince, clients, pool }: Services): AsyncGenerator<Finding> {
  const check = "bound rows";
  const unused = await clients.listUnused();
  if (unused.length > 0)
    yield {
      check,
      result: "failed",
      found: `${unused.length} clients are not used: somebody else changed their rows in the database`,
      advice: "See npx rollcall client confirm.",
    };
  const open = await boundSince.countUnbound();
  if (open.length === 0) yield { check, result: "ok", found: "every row has to be bound" };
  else {
    const rows = open.map((each) => `${each.rows} in ${each.table}`).join(", ");
    const [oldest] = await findOlderSessions(pool);
    const older = oldest
      ? `; the session ${oldest.processId} of ${oldest.role} may be an older program`
      : "; no older program is connected";
    yield {
      check,
      result: "warning",
      found: `an upgrade is under way: not bound are ${rows}${older}`,
      advice: "Stop the processes of the earlier version. It ends 35 minutes after that.",
    };
  }
}

/** A code that was stolen on its way is worth nothing with PKCE. Programs of before PKCE send none. */
async function checkPkce({ clients, config }: Services): Promise<Finding> {
  const check = "PKCE";
  const without = (await clients.list()).filter(({ requirePkce }) => !requirePkce);
  if (without.length === 0) return { check, result: "ok", found: "a duty of every client" };
  const named = without.slice(0, mostNamed).map(({ clientId }) => clientId);
  const others = without.length > mostNamed ? ` and ${without.length - mostNamed} more` : "";
  const found = `sign-in links without it are taken of ${named.join(", ")}${others}`;
  if (config.isLocal) return { check, result: "ok", found };
  const advice =
    "Once the application sends code_challenge: npx rollcall client update <client_id> --require-pkce.";
  return { check, result: "warning", found, advice };
}

/** A range for a client that there is not, as of a misspelt id, opens nothing. */
async function checkRangesOfClients({ clients, config }: Services): Promise<Finding> {
  const check = "ranges of clients";
  const { providers, webhooks } = config.outboundAllow;
  const named = [...providers, ...webhooks].flatMap(({ ownerId }) => ownerId ?? []);
  const there = [...(await clients.list()), ...(await clients.listUnused())];
  const known = new Set(there.map(({ clientId }) => clientId));
  const unknown = [...new Set(named)].filter((clientId) => !known.has(clientId));
  if (unknown.length === 0)
    return { check, result: "ok", found: "each is for a client that there is" };
  return {
    check,
    result: "warning",
    found: `OUTBOUND_ALLOW_* opens ranges for clients that there are not: ${unknown.join(", ")}`,
    advice: "Write the client_id as npx rollcall client list has it, or take the range away.",
  };
}

async function* checkMasterKeys({ keys, keySource }: Services): AsyncGenerator<Finding> {
  const check = "master keys";
  try {
    await keys.check(keySource);
  } catch (error) {
    const refusal = explainRefusal(error);
    if (refusal === undefined) throw error;
    yield {
      check,
      result: "failed",
      found: refusal,
      advice: "See docs/backups.md, Master keys.",
    };
  }
  for (const { id, state, rows } of await keys.status()) {
    const count = Object.values(rows).reduce((sum, each) => sum + each, 0);
    const found = `${id}: ${state}, ${count} rows`;
    if (state === "active") yield { check, result: "ok", found: `${found}, seals what is new` };
    else if (state === "opens")
      yield count === 0
        ? {
            check,
            result: "warning",
            found,
            advice: `Nothing is under it: npx rollcall keys retire ${id}, and take it out.`,
          }
        : { check, result: "ok", found };
    else if (state === "retired") yield { check, result: "ok", found };
    else
      yield {
        check,
        result: count > 0 ? "failed" : "warning",
        found,
        advice:
          count > 0
            ? "Put it back behind the first key: without it those rows cannot be read."
            : `Put it back, or retire it: npx rollcall keys retire ${id}.`,
      };
  }
}

async function* checkProcesses(services: Services): AsyncGenerator<Finding> {
  const { keys, clock, databaseUrl } = services;
  if (!(await takesWrites(databaseUrl)))
    return yield {
      check: "processes",
      result: "warning",
      found: `${describeRoles(await keys.lastProcesses())} told last; none can tell while the database takes no writes`,
      advice: "Let the database take writes, and run this again.",
    };
  const running = await keys.processes();
  const count = (role: string): number => running.filter((each) => each.role === role).length;
  const found = running.length === 0 ? "none" : describeRoles(running);
  const hasBoth = count("all") > 0 || (count("api") > 0 && count("worker") > 0);
  yield hasBoth
    ? { check: "processes", result: "ok", found }
    : {
        check: "processes",
        result: running.length === 0 ? "warning" : "failed",
        found,
        advice:
          "Start a process of the role all, or one of the role api and one of the role worker.",
      };
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
    const check = /^(?:removing|forgetting)/.test(name) ? "clean-up" : "schedule";
    const ages = running
      .flatMap(({ schedules }) => schedules)
      .filter(({ schedule, succeededAt }) => schedule === name && succeededAt !== null)
      .map(({ succeededAt }) => secondsBetween(new Date(succeededAt ?? now), now));
    const youngest = Math.min(...ages);
    const everySeconds = told.find(({ schedule }) => schedule === name)?.everySeconds ?? Infinity;
    const isLate = youngest > turnsUntilLate * everySeconds + patienceSeconds;
    const last = ages.length === 0 ? "not yet" : `${formatAge(Math.max(0, youngest))} ago`;
    yield isLate
      ? {
          check,
          result: "failed",
          found: `${name}: last succeeded ${last}`,
          advice: "Look at the log of the workers for what failed.",
        }
      : { check, result: "ok", found: `${name}: last succeeded ${last}` };
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
): Finding {
  if (seconds === 0) return { check, result: "ok", found: `no ${what} waits` };
  const found = `the oldest ${what} waits for ${formatAge(seconds)}`;
  return seconds > longestSeconds
    ? { check, result: "warning", found, advice }
    : { check, result: "ok", found };
}
