import type { Connections, ListedConnection } from "../../connections/index.ts";
import type { Events } from "../../events/index.ts";
import type { Keys, ListedProcess } from "../../keys/index.ts";
import { resourcesOfScopes, type ClientId } from "../../model/index.ts";
import { secondsBetween, type Clock } from "../../platform/clock.ts";
import { takesWrites } from "../../platform/db/index.ts";
import { readProgramVersion } from "../../platform/program-version.ts";
import type { Reads, TroubledReads } from "../../reading/index.ts";
import type { FailingReceiver, Webhooks } from "../../webhooks/index.ts";
import { describeProblem, type Problem, type ProblemCut, type ProblemList } from "./problem.ts";

export interface ProblemSources {
  databaseUrl: string;
  clock: Clock;
  connections: Connections;
  events: Events;
  reads: Reads;
  webhooks: Webhooks;
  keys: Keys;
}

/** Of each kind that a connection can have, and of receivers. Whoever has more of them begins with these. */
export const mostOfKind = 100;
type References = ReadonlyMap<string, { reference: string | null }>;

const lateSeconds = 15 * 60;

/**
 * What is wrong now: of a client, or of all with what is the operator's own. It reads as many rows as it lists, however
 * many connections there are.
 */
export async function findProblems(
  sources: ProblemSources,
  clientId?: ClientId,
): Promise<ProblemList> {
  const ofConnections = await findOfConnections(sources, clientId);
  const [troubled, receivers, ofService] = await Promise.all([
    sources.reads.lists.troubled(clientId),
    findOfReceivers(sources, clientId, { limit: mostOfKind + 1 }),
    clientId === undefined ? findOfService(sources) : [],
  ]);
  const ofReads = describeReads(troubled);
  const ofReceivers = receivers.slice(0, mostOfKind);
  const problems = [...ofService, ...ofReads, ...ofReceivers, ...ofConnections.problems];
  const cut: ProblemCut[] = [...ofConnections.cut];
  if (troubled.isCut) cut.push("reads");
  if (receivers.length > mostOfKind) cut.push("receivers");
  return { problems, cut };
}

/**
 * What is wrong beside connections: as operators see it, and as the developers of each client do. `areReadsCut` when
 * there are problems of reads that were not looked at.
 */
export async function findListed(
  sources: ProblemSources,
): Promise<{ ofAll: Problem[]; ofEach: Problem[]; receivers: Problem[]; areReadsCut: boolean }> {
  const [troubled, troubledOfEach, receivers, ofService] = await Promise.all([
    sources.reads.lists.troubled(undefined),
    sources.reads.lists.troubledOfEach(),
    findOfReceivers(sources, undefined, {}),
    findOfService(sources),
  ]);
  return {
    ofAll: [...ofService, ...describeReads(troubled)],
    ofEach: describeReads(troubledOfEach),
    receivers,
    areReadsCut: troubled.isCut || troubledOfEach.isCut,
  };
}

async function findOfConnections(
  { connections, events }: ProblemSources,
  clientId: ClientId | undefined,
): Promise<ProblemList> {
  const found = await Promise.all(
    (["refused", "forbidden", "limited"] as const).map((state) =>
      connections.listing.page({ clientId, state, limit: mostOfKind }),
    ),
  );
  const [refused = [], forbidden = [], limited = []] = found.map(({ listed }) => listed);
  const ids = refused.map(({ id }) => id);
  const times =
    ids.length > 0
      ? await events.timesOf("connection.reauthentication_required", ids)
      : new Map<string, number>();
  const labels = await connections.labels.ofConnections(
    [...refused, ...forbidden, ...limited].map(({ id }) => id),
  );
  const ended = refused.map((connection) =>
    describeProblem({
      ...subjectOf(connection, labels),
      kind: "sign_in_ended",
      since: connection.authFailedAt,
      times: Math.max(1, times.get(connection.id) ?? 0),
      detail: connection.authFailure,
    }),
  );
  const missing = forbidden.flatMap((connection) => describeForbidden(connection, labels));
  const hidden = limited.flatMap((connection) => describeLimited(connection, labels));
  const isCut = found.some(({ next }) => next !== undefined);
  return { problems: [...ended, ...missing, ...hidden], cut: isCut ? ["connections"] : [] };
}

/** A resource that no scope covers is missed by nobody. */
function describeForbidden(connection: ListedConnection, labels: References): Problem[] {
  const covered = resourcesOfScopes(connection.scopes);
  return connection.forbidden
    .filter((resource) => covered.includes(resource))
    .map((resource) =>
      describeProblem({
        ...subjectOf(connection, labels),
        kind: "right_missing",
        resource,
        since: connection.rightsSince[resource] ?? null,
        times: 1,
      }),
    );
}

/** Of a resource that may not be read at all, that is the problem. */
function describeLimited(connection: ListedConnection, labels: References): Problem[] {
  return resourcesOfScopes(connection.scopes)
    .filter((resource) => !connection.forbidden.includes(resource))
    .flatMap((resource) => {
      const fields = connection.limited[resource] ?? [];
      if (fields.length === 0) return [];
      const problem = describeProblem({
        ...subjectOf(connection, labels),
        kind: "fields_limited",
        resource,
        since: connection.rightsSince[resource] ?? null,
        times: fields.length,
        detail: fields.toSorted().join(", "),
      });
      return [problem];
    });
}

function subjectOf(
  { id, clientId, tokenId, provider, mode }: ListedConnection,
  labels: References,
): Pick<Problem, "clientId" | "tokenId" | "reference" | "provider" | "mode"> {
  return { clientId, tokenId, reference: labels.get(id)?.reference ?? null, provider, mode };
}

function describeReads({ failing, waiting }: TroubledReads): Problem[] {
  const failed = failing.map(({ outcome, reads: times, fields, ...read }) => {
    const kind = outcome === "unavailable" ? "provider_away" : "answers_broken";
    const detail = fields.length > 0 ? fields.join(", ") : null;
    return describeProblem({ ...read, kind, times, detail });
  });
  const waits = waiting.map(({ reads: times, ...read }) =>
    describeProblem({ ...read, kind: "quota_used_up", times }),
  );
  return [...failed, ...waits];
}

async function findOfReceivers(
  { webhooks }: ProblemSources,
  clientId: ClientId | undefined,
  most: { limit?: number },
): Promise<Problem[]> {
  const failing = await webhooks.lists.failing(clientId, most);
  return failing.map((receiver) =>
    describeProblem({
      kind: receiver.status === "active" ? "receiver_failing" : "receiver_stopped",
      clientId: receiver.clientId,
      receiver: receiver.kind,
      since: receiver.since,
      times: Math.max(1, receiver.attempts),
      detail: describeReply(receiver),
    }),
  );
}

function describeReply({ lastStatus, lastError }: FailingReceiver): string | null {
  return lastStatus === null ? lastError : `HTTP ${lastStatus}`;
}

/** While the database takes no writes, no process can tell that it runs: then those that told last. */
async function findProcesses({ keys, databaseUrl }: ProblemSources): Promise<ListedProcess[]> {
  const running = await keys.processes();
  // The other rows were read, so what is asked besides may fail without them.
  const takes = async (): Promise<boolean> => await takesWrites(databaseUrl).catch(() => true);
  return running.some(isWorker) || (await takes()) ? running : await keys.lastProcesses();
}

function isWorker({ role }: ListedProcess): boolean {
  return role !== "api";
}

/** What only the operator can see and mend. */
async function findOfService(sources: ProblemSources): Promise<Problem[]> {
  const { keys, reads, webhooks, clock } = sources;
  const [processes, former, readAge, oldestPoll] = await Promise.all([
    findProcesses(sources),
    keys.listUnretired(),
    reads.lists.oldestPendingAge(),
    webhooks.lists.oldestDuePoll(),
  ]);
  const now = clock.now();
  const problems: Problem[] = [];
  const add = (known: Parameters<typeof describeProblem>[0]): void =>
    void problems.push(describeProblem(known));
  const since = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
  if (!processes.some(isWorker)) add({ kind: "no_worker", since: null, times: 1 });
  const late = oldestPoll ? secondsBetween(oldestPoll, now) : 0;
  if (oldestPoll && late > lateSeconds) add({ kind: "polls_late", since: oldestPoll, times: 1 });
  if (readAge > lateSeconds) add({ kind: "reads_late", since: since(readAge), times: 1 });
  const version = readProgramVersion();
  const others = processes.filter((process) => process.version !== version);
  if (others.length > 0)
    add({
      kind: "older_process",
      since: others[0]?.startedAt ?? null,
      times: others.length,
      detail: others[0]?.version ?? null,
    });
  for (const { id, addedAt } of former)
    add({ kind: "key_not_retired", since: addedAt, times: 1, detail: id });
  return problems;
}
