import { isDeepStrictEqual } from "node:util";
import type { ConnectionId } from "../model/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { transaction } from "../platform/db/index.ts";
import {
  cutEmployees,
  listEmployeeIds,
  type FoundEmployees,
  type StoredAnswer,
} from "../sync/index.ts";
import { findBodyInFlight, replaceListAfter } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { describeChanges } from "./describe-changes.ts";
import { findWishes } from "./endpoint-store.ts";
import { openPolledEmployees, sealPolledEmployees, type EmployeeList } from "./employee-list.ts";
import { sendPendingChanges } from "./make-delivery.ts";
import { openPolled, type PolledConnection } from "./open-polled.ts";
import { difference, type PackedList } from "../platform/packed-list.ts";
import {
  type Poll,
  type PollOutcome,
  claimPoll,
  findPoll,
  lockPoll,
  settlePoll,
  settleUnchanged,
} from "./poll-store.ts";
import {
  acknowledgeAll,
  applyPoll,
  beginState,
  hasPendingChanges,
  listAfterPoll,
  newsOfPoll,
  tellNews,
  type ReceiverState,
} from "./receiver-state.ts";
import { findState, lockStoredState, saveObserved, type StoredState } from "./state-store.ts";
import { openTombstones, sealTombstones, type Tombstones } from "./tombstones.ts";

export type PollDependencies = Pick<
  WebhookDependencies,
  "pool" | "clock" | "log" | "metrics" | "queue" | "connections" | "pollSource"
>;

/**
 * One poll: asks for the employees as every other caller does, compares them with the receiver's state and delivers
 * the difference. While they are being read, the poll waits: the end of the read runs it again. An incomplete answer
 * changes nothing. The provider is not asked while the end user has to sign in again, or when the account is known
 * to lack the employees.
 */
export async function runPoll(
  dependencies: PollDependencies,
  connectionId: ConnectionId,
): Promise<void> {
  const { pool, clock, connections } = dependencies;
  const poll = await claimPoll(pool, connectionId);
  if (!poll) return;
  const polled = await openPolled(connections, connectionId);
  const outcome = polled
    ? await ask(dependencies, poll, polled)
    : await settleFailure(dependencies, poll, "forbidden");
  if (outcome) reportPoll(dependencies, poll, outcome, clock.now());
}

/** Undefined while they are being read, and when a newer run has started or the connection is gone. */
async function ask(
  dependencies: PollDependencies,
  poll: Poll,
  polled: PolledConnection,
): Promise<PollOutcome | undefined> {
  const asked = await dependencies.pollSource.ask(poll.connectionId, poll.slot);
  if (asked.kind === "disconnected" || asked.kind === "pending") return undefined;
  return asked.kind === "ready"
    ? await compare(dependencies, { poll, polled }, asked.list)
    : await settleFailure(dependencies, poll, asked.kind);
}

/**
 * The employees of a connection were read, or could not be read. A poll that waits for them is settled at once when
 * they are those that were compared last. Returns whether there is one that has to be run.
 */
export async function continuePoll(
  dependencies: PollDependencies,
  connectionId: ConnectionId,
  answer: StoredAnswer | undefined,
): Promise<boolean> {
  const { pool, clock } = dependencies;
  const unchanged = answer && (await settleUnchanged(pool, connectionId, answer));
  if (unchanged) {
    reportPoll(dependencies, unchanged, "unchanged", clock.now());
    return false;
  }
  return (await findPoll(pool, connectionId))?.state === "pending";
}

function reportPoll(
  { metrics, log }: PollDependencies,
  {
    connectionId,
    clientId,
    provider,
    slot,
  }: Pick<Poll, "connectionId" | "clientId" | "provider" | "slot">,
  outcome: PollOutcome,
  now: Date,
): void {
  metrics.countPoll({ provider, clientId }, outcome);
  metrics.pollLag.observe(Math.max(0, (now.getTime() - slot.getTime()) / 1000));
  log.debug({ connectionId, provider, outcome }, "a poll has ended");
}

/** Undefined when a newer run has started. */
async function settleFailure(
  { pool }: PollDependencies,
  poll: Poll,
  outcome: PollOutcome,
): Promise<PollOutcome | undefined> {
  return (await settlePoll(pool, poll, outcome)) ? outcome : undefined;
}

/** The employees that were read, ready to be compared and stored. */
interface Polled extends FoundEmployees {
  list: PackedList;
  sealed: StoredState["employees"];
  /** Where the employees stand in the list that was read. */
  index: Buffer;
  /** The last known records of those who were in the previous list and are missing now. */
  missing: Tombstones;
}

/** Undefined when a newer run has started or the connection is gone. */
async function compare(
  dependencies: PollDependencies,
  { poll, polled: connection }: { poll: Poll; polled: PolledConnection },
  asked: FoundEmployees,
): Promise<PollOutcome | undefined> {
  const { pool, connections, pollSource } = dependencies;
  const { connectionId } = poll;
  const { version } = asked;
  const known = await findState(pool, connectionId);
  if (known && isCompared(known.state, asked)) {
    const isSettled = await settlePoll(pool, poll, "unchanged");
    return isSettled ? "unchanged" : undefined;
  }
  const opened = await pollSource.open(connectionId, version);
  if (!opened) {
    if (!(await connections.find(connectionId))) return undefined;
    throw new Error("the list that was read just now is gone");
  }
  const { dataKey } = connection;
  const polled = await prepare(dataKey, { connectionId, employees: opened, known });
  return await store(dependencies, { poll, connection }, { ...asked, ...polled });
}

/** The SQL of `settleUnchanged` says the same. */
function isCompared(state: ReceiverState, { version, limited }: FoundEmployees): boolean {
  return (
    state.version === version &&
    state.suspectedMissing.size === 0 &&
    isDeepStrictEqual(state.limited, limited)
  );
}

/** Does everything that takes time before the transaction. */
async function prepare(
  key: DataKey,
  {
    connectionId,
    employees,
    known,
  }: {
    connectionId: ConnectionId;
    employees: EmployeeList & { list: PackedList };
    known: StoredState | undefined;
  },
): Promise<Omit<Polled, keyof FoundEmployees>> {
  const { list } = employees;
  const sealed = sealPolledEmployees(key, connectionId, employees);
  const absent = new Set(known ? difference(known.state.current, list).removed : []);
  const missing =
    known && absent.size > 0
      ? await cutEmployees(openPolledEmployees(key, connectionId, known.employees), absent)
      : new Map<string, string>();
  return { list, sealed, missing, index: employees.index };
}

/**
 * Compares under the lock of the state, because the receiver may acknowledge a body in the meantime. Only the
 * newest run of a poll changes the list, so the preparation still fits. What has changed is on its way when it is known.
 */
async function store(
  { pool, clock, queue, connections, pollSource }: PollDependencies,
  { poll, connection }: { poll: Poll; connection: PolledConnection },
  { list, sealed, missing, index, ...polled }: Polled,
): Promise<PollOutcome | undefined> {
  const { connectionId } = poll;
  const { dataKey: key, clientId, tokenId } = connection;
  /** Whole ids of those who are in the list, and of those who have left it. */
  const knownIds = (earlier: Tombstones): Iterable<Buffer> => [
    ...listEmployeeIds(index),
    ...[...earlier.values(), ...missing.values()].map((json) => idOf(json)),
  ];
  return await transaction(pool, async (tx) => {
    if (!(await connections.lockAgainstRemoval(tx, connectionId))) return undefined;
    if (!(await lockPoll(tx, poll))) return undefined;
    const stored = await lockStoredState(tx, connectionId);
    const inFlight = await findBodyInFlight(tx, connectionId);
    const found = { ...polled, list, inFlight };
    const { hasWebhooks, polled: chosen } = await findWishes(tx, clientId);
    const isTold = stored && (chosen === null || chosen.includes("employees"));
    const news = isTold ? newsOfPoll(stored.state, found) : undefined;
    const applied = stored ? applyPoll(stored.state, found) : beginState(list, polled);
    const told = news ? tellNews(applied, news) : applied;
    const state = hasWebhooks ? told : acknowledgeAll(told);
    const outcome = describe(stored?.state.current, state.current);
    await settlePoll(tx, poll, outcome);
    const earlier = await openTombstones(key, connectionId, stored?.sealedTombstones ?? null);
    const tombstones = new Map(
      [...state.tombstones].flatMap((id) => {
        const json = earlier.get(id) ?? missing.get(id);
        return json === undefined ? [] : [[id, json] as const];
      }),
    );
    const changes = news && describeChanges("employees", news, () => knownIds(earlier));
    const sealedTombstones = await sealTombstones(key, connectionId, tombstones);
    const lists = { employees: sealed, sealedTombstones };
    const saved = { connectionId, clientId, tokenId, state, ...lists };
    await saveObserved(tx, saved, changes);
    if (stored && inFlight?.listAfter) {
      const listAfter = listAfterPoll(stored.state, found, inFlight.listAfter);
      if (!listAfter.equals(inFlight.listAfter)) await replaceListAfter(tx, inFlight.id, listAfter);
    }
    if (hasPendingChanges(state) && !inFlight)
      await sendPendingChanges(tx, { clock, queue, polled: connection, stored: saved });
    if (state.suspectedMissing.size > 0) await pollSource.rereadEverybody(tx, connectionId);
    return outcome;
  });
}

/** The id of an employee's record, as bytes. */
function idOf(json: string): Buffer {
  return Buffer.from((JSON.parse(json) as { id: string }).id, "base64url");
}

function describe(before: PackedList | undefined, after: PackedList): PollOutcome {
  if (!before) return "baseline";
  return before === after ? "unchanged" : "changed";
}
