import { isDeepStrictEqual } from "node:util";
import type { ConnectionId } from "../model/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { transaction, type Pool } from "../platform/db/index.ts";
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
import { openPolledEmployees, sealPolledEmployees } from "./employee-list.ts";
import { sendPendingChanges } from "./make-delivery.ts";
import { openPolled, type PolledConnection } from "./open-polled.ts";
import { difference, type PackedId, type PackedList } from "../platform/packed-list.ts";
import {
  type Poll,
  type PollOutcome,
  claimPoll,
  findPoll,
  lockPoll,
  settlePoll,
  settleUnchanged,
} from "./poll-store.ts";
import { withRights } from "./earlier-lists.ts";
import {
  acknowledgeAll,
  applyPoll,
  beginState,
  hasPendingChanges,
  newsOfPoll,
  tellNews,
  type PolledEmployees,
  type ReceiverState,
} from "./receiver-state.ts";
import { findState, lockStoredState, saveObserved, type StoredState } from "./state-store.ts";
import { openTombstones, sealTombstones, type Tombstones } from "./tombstones.ts";

const nobody: ReadonlySet<PackedId> = new Set();

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
    : await settle(dependencies, poll, "forbidden");
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
    : await settle(dependencies, poll, asked.kind);
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
async function settle(
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
  prepared: PreparedTombstones;
}

/** Those that the state will have when no body ends meanwhile. */
interface PreparedTombstones {
  ids: ReadonlySet<PackedId>;
  records: Tombstones;
  sealed: Buffer;
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
    return await settle(dependencies, poll, "unchanged");
  }
  const opened = await pollSource.open(connectionId, version);
  if (!opened) {
    if (!(await connections.find(connectionId))) return undefined;
    throw new Error("the list that was read just now is gone");
  }
  const { dataKey } = connection;
  const { list, index } = opened;
  const sealed = sealPolledEmployees(dataKey, connectionId, opened);
  const ids = known ? await findTombstoneIds(pool, known, { ...asked, list }) : nobody;
  const records = known ? await findLastRecords(dataKey, known, ids) : new Map();
  const prepared = { ids, records, sealed: await sealTombstones(dataKey, connectionId, records) };
  const polled = { ...asked, list, index, sealed, prepared };
  const outcome = await store(dependencies, { poll, connection }, polled);
  if (outcome !== "moved") return outcome;
  return await compare(dependencies, { poll, polled: connection }, asked);
}

/** The SQL of `settleUnchanged` says the same. */
function isCompared(state: ReceiverState, { version, limited }: FoundEmployees): boolean {
  return (
    state.version === version &&
    state.suspectedMissing.size === 0 &&
    isDeepStrictEqual(state.limited, limited)
  );
}

async function findTombstoneIds(
  pool: Pool,
  { connectionId, state }: StoredState,
  polled: Omit<PolledEmployees, "inFlight">,
): Promise<ReadonlySet<PackedId>> {
  const isNobodyMissing = difference(state.current, polled.list).removed.length === 0;
  if (isNobodyMissing && state.tombstones.size === 0) return nobody;
  const inFlight = await findBodyInFlight(pool, connectionId);
  return applyPoll(state, { ...polled, inFlight }).tombstones;
}

/** What was known last of these employees: of who is missing for longer, and of who was in the list of before. */
async function findLastRecords(
  key: DataKey,
  { connectionId, employees, sealedTombstones }: StoredState,
  ids: ReadonlySet<PackedId>,
): Promise<Tombstones> {
  const earlier = await openTombstones(key, connectionId, sealedTombstones, ids);
  const others = new Set([...ids].filter((id) => !earlier.has(id)));
  if (others.size === 0) return earlier;
  const list = openPolledEmployees(key, connectionId, employees);
  return new Map([...earlier, ...(await cutEmployees(list, others))]);
}

/**
 * Compares under the lock of the state, because the receiver may acknowledge a body in the meantime: it has "moved"
 * when other tombstones are needed than were prepared, which takes too long for a transaction. Only the newest run of a
 * poll changes the list, so the rest of the preparation still fits. What has changed is on its way when it is known.
 */
async function store(
  { pool, clock, queue, connections, pollSource }: PollDependencies,
  { poll, connection }: { poll: Poll; connection: PolledConnection },
  { list, sealed, prepared, index, ...polled }: Polled,
): Promise<PollOutcome | "moved" | undefined> {
  const { connectionId } = poll;
  const { clientId, tokenId } = connection;
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
    if (!isDeepStrictEqual(applied.tombstones, prepared.ids)) return "moved";
    const told = news ? tellNews(applied, news) : applied;
    const state = hasWebhooks ? told : acknowledgeAll(told);
    const outcome = describe(stored?.state.current, state.current);
    await settlePoll(tx, poll, outcome);
    const changes =
      news &&
      describeChanges("employees", news, (ids) => [
        ...listEmployeeIds(index),
        ...[...ids].flatMap((id) => wholeIdOf(prepared.records.get(id)) ?? []),
      ]);
    const lists = { employees: sealed, sealedTombstones: prepared.sealed };
    const saved = { connectionId, clientId, tokenId, state, ...lists };
    await saveObserved(tx, saved, changes);
    if (stored && inFlight?.listAfter) {
      // The body may wait for ever for a receiver that fails or is stopped. The poll does not.
      const listAfter = withRights(inFlight.listAfter, stored.state, found);
      if (!listAfter.equals(inFlight.listAfter)) await replaceListAfter(tx, inFlight.id, listAfter);
    }
    if (hasPendingChanges(state) && !inFlight)
      await sendPendingChanges(tx, { clock, queue, polled: connection, stored: saved });
    if (state.suspectedMissing.size > 0) await pollSource.rereadEverybody(tx, connectionId);
    return outcome;
  });
}

/** The id of an employee's record, as bytes. */
function wholeIdOf(json: string | undefined): Buffer | undefined {
  return json === undefined
    ? undefined
    : Buffer.from((JSON.parse(json) as { id: string }).id, "base64url");
}

function describe(before: PackedList | undefined, after: PackedList): PollOutcome {
  if (!before) return "baseline";
  return before === after ? "unchanged" : "changed";
}
