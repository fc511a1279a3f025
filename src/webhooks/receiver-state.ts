import {
  changedIds,
  countEntries,
  difference,
  listIds,
  withEntriesOf,
  withoutEntries,
  type ListChange,
  type PackedId,
  type PackedList,
} from "../platform/packed-list.ts";
import {
  hasLostRights,
  keepEarlier,
  withoutTold,
  withRights,
  type EarlierList,
} from "./earlier-lists.ts";

/**
 * What a receiver knows of one connection's employees, and what we know. Every function here returns the next
 * state and does not change its argument. Unchanged fields stay the same object. The store loads and saves a
 * state under the lock of its row.
 */
export interface ReceiverState {
  /** The stored version of the employees that `current` comes from. */
  readonly version: string;
  /** Fields that the account could not read at the last poll. */
  readonly limited: readonly string[];
  /** The list of the last poll, with those who are suspected missing. */
  readonly current: PackedList;
  /** The list after the last body that the receiver acknowledged. */
  readonly acknowledged: PackedList;
  /** Missing from the last list. They are removed when everybody was read again and they are missing still. */
  readonly suspectedMissing: ReadonlySet<PackedId>;
  /** Employees of a body that was given up. The receiver may have processed it, so the next body has them again. */
  readonly unconfirmed: ReadonlySet<PackedId>;
  /** Those who left and whose last known record is stored, because a body may have to remove them. */
  readonly tombstones: ReadonlySet<PackedId>;
  /** What the receiver knew before the account lost rights that it has not got back. */
  readonly earlier: readonly EarlierList[];
}

const nobody: ReadonlySet<PackedId> = new Set();

/** Of one body. A receiver takes it in one piece, and 50,000 employees are 195 MB. */
export const mostChanges = 1_000;
const fewestSuspected = 2;
const leastSuspectedPart = 1 / 5;

/** The first poll only sets the baseline. The receiver counts as knowing it. */
export function beginState(
  list: PackedList,
  { version, limited }: Pick<ReceiverState, "version" | "limited">,
): ReceiverState {
  return {
    version,
    limited,
    current: list,
    acknowledged: list,
    suspectedMissing: nobody,
    unconfirmed: nobody,
    tombstones: nobody,
    earlier: [],
  };
}

/** A body on its way. */
interface InFlight {
  /** What the receiver knows when it has taken the body in. Null where that changes nothing. */
  listAfter: PackedList | null;
}

/** What a poll found. */
export interface PolledEmployees {
  list: PackedList;
  version: string;
  /** False when somebody may be missing who was not removed. */
  isSteady: boolean;
  /**
   * False when nobody has read everybody since that was asked for: who is suspected missing was not looked for again.
   */
  isReread: boolean;
  limited: readonly string[];
  inFlight?: InFlight | undefined;
}

/**
 * A complete poll. A fault at the provider must not look like a layoff: when a list becomes empty, when at least two
 * people and at least a fifth of all are missing at once, or when the list is not steady, they stay in `current` until
 * everybody was read again and they are missing still.
 *
 * When the account has lost a right, the changes enter both lists and no webhook, because nobody was updated. When it
 * has the right again, nobody is updated who is what he was before. The list after a body in flight changes with the
 * others: see `withRights`.
 */
export function applyPoll(state: ReceiverState, polled: PolledEmployees): ReceiverState {
  const { limited, inFlight } = polled;
  const listAfter = inFlight?.listAfter ?? state.acknowledged;
  const acknowledged = withRights(state.acknowledged, state, polled);
  const earlier = keepEarlier({ ...state, listAfter }, polled);
  const isSteady = polled.isSteady && !hasLostRights(state, polled);
  // Whom the body tells of is known by the difference of two lists, which may be the same now.
  const isMoved = acknowledged !== state.acknowledged;
  const unconfirmed = isMoved ? doubt(state, listAfter) : state.unconfirmed;
  return applyList(
    { ...state, limited, acknowledged, earlier, unconfirmed },
    { ...polled, isSteady },
  );
}

/** What a poll finds new, whatever the receiver has acknowledged. */
export function newsOfPoll(state: ReceiverState, polled: PolledEmployees): ListChange {
  const known = { ...state, acknowledged: state.current, unconfirmed: nobody };
  const { acknowledged, current } = applyPoll(known, { ...polled, inFlight: undefined });
  return difference(acknowledged, current);
}

/** Events tell of them what they are now, without the fields that are limited: what they were before counts no more. */
export function tellNews(state: ReceiverState, news: ListChange): ReceiverState {
  return { ...state, earlier: withoutTold(state.earlier, changedIds(news)) };
}

/** For a receiver that is sent no bodies: it counts as knowing everything. */
export function acknowledgeAll(state: ReceiverState): ReceiverState {
  return { ...state, acknowledged: state.current, unconfirmed: nobody };
}

function applyList(
  state: ReceiverState,
  { list, version, isSteady, isReread, inFlight }: PolledEmployees,
): ReceiverState {
  const { current, suspectedMissing } = state;
  const missing = difference(current, list).removed;
  const missingStill = missing.filter((id) => suspectedMissing.has(id));
  const newlyMissing = missing.filter((id) => !suspectedMissing.has(id));
  const isHiccup = !isSteady || looksLikeHiccup(state, list, newlyMissing.length);
  const suspected = new Set([...(isReread ? [] : missingStill), ...(isHiccup ? newlyMissing : [])]);
  const removed = missing.filter((id) => !suspected.has(id));
  const next = withEntriesOf(list, current, suspected);
  return {
    ...state,
    version,
    current: next.equals(current) ? current : next,
    suspectedMissing: suspected,
    tombstones: keepTombstones(state, {
      next,
      isInFlight: inFlight !== undefined,
      missing: [...suspected, ...removed],
    }),
  };
}

function looksLikeHiccup(
  { current, suspectedMissing }: ReceiverState,
  list: PackedList,
  newlyMissing: number,
): boolean {
  if (newlyMissing === 0) return false;
  const before = countEntries(current) - suspectedMissing.size;
  const isMass = newlyMissing >= fewestSuspected && newlyMissing >= before * leastSuspectedPart;
  return list.length === 0 || isMass;
}

/**
 * While changes are pending, earlier tombstones stay: the body in flight may add somebody whom a later body has
 * to remove.
 */
function keepTombstones(
  state: ReceiverState,
  { next, isInFlight, missing }: { next: PackedList; isInFlight: boolean; missing: PackedId[] },
): ReadonlySet<PackedId> {
  if (!isInFlight && !hasPendingChanges(state)) return new Set(missing);
  const present = listIds(next);
  return new Set([...missing, ...[...state.tombstones].filter((id) => !present.has(id))]);
}

/** The receiver acknowledged a body: it knows the list after that body, and nothing is unconfirmed. */
export function acknowledge(state: ReceiverState, list: PackedList): ReceiverState {
  return { ...state, acknowledged: list, unconfirmed: nobody };
}

/** Every attempt at a body failed, but the receiver may have processed one: its employees are unconfirmed. */
export function giveUp(state: ReceiverState, list: PackedList): ReceiverState {
  return { ...state, unconfirmed: doubt(state, list) };
}

/** With those of whom a body tells after which the receiver has this list. */
function doubt(
  { acknowledged, unconfirmed }: ReceiverState,
  list: PackedList,
): ReadonlySet<PackedId> {
  return new Set([...unconfirmed, ...changedIds(difference(acknowledged, list))]);
}

/**
 * The next body: the difference between the receiver's list and ours. Employees who are unconfirmed, or requested
 * again, are part of it even when both lists agree on them.
 */
export function pendingChange(
  { acknowledged, current, unconfirmed }: ReceiverState,
  resent: Iterable<PackedId> = nobody,
): ListChange {
  const change = difference(acknowledged, current);
  const told = new Set(changedIds(change));
  const others = [...new Set([...unconfirmed, ...resent])].filter((id) => !told.has(id));
  if (others.length === 0) return change;
  const present = listIds(current);
  return {
    added: change.added,
    updated: [...change.updated, ...others.filter((id) => present.has(id))],
    removed: [...change.removed, ...others.filter((id) => !present.has(id))],
  };
}

/**
 * The changes of the next body, and the receiver's list after it. A body has a bounded number of changes. Those that
 * are unconfirmed or requested again come first; the rest stays pending until it is acknowledged.
 */
export function nextBody(
  state: ReceiverState,
  resent: ReadonlySet<PackedId> = nobody,
): { change: ListChange; listAfter: PackedList } {
  const { acknowledged, current, unconfirmed } = state;
  const change = pendingChange(state, resent);
  const ids = changedIds(change);
  if (ids.length <= mostChanges) return { change, listAfter: current };
  const isFirst = (id: PackedId): boolean => unconfirmed.has(id) || resent.has(id);
  const first = ids.filter(isFirst);
  const others = ids.filter((id) => !isFirst(id));
  const told = new Set([...first, ...others.slice(0, Math.max(0, mostChanges - first.length))]);
  const isTold = (id: PackedId): boolean => told.has(id);
  return {
    change: {
      added: change.added.filter(isTold),
      updated: change.updated.filter(isTold),
      removed: change.removed.filter(isTold),
    },
    listAfter: withEntriesOf(withoutEntries(acknowledged, told), current, told),
  };
}

/** True when `pendingChange` is not empty. */
export function hasPendingChanges({ acknowledged, current, unconfirmed }: ReceiverState): boolean {
  return unconfirmed.size > 0 || !acknowledged.equals(current);
}
