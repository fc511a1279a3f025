import {
  changedIds,
  countEntries,
  difference,
  listIds,
  withEntriesOf,
  type ListChange,
  type PackedId,
  type PackedList,
} from "./packed-list.ts";

/**
 * What a receiver knows of one connection's employees, and what we know. Every function here gives
 * the next state and leaves the one it was given as it is; fields that did not change stay the same
 * object. The store loads a state and saves it under the lock of its row.
 */
export interface ReceiverState {
  /** The stored version of the employees that `current` was made of. */
  readonly version: string;
  /** The list of the last poll, and those whose absence is not believed yet. */
  readonly current: PackedList;
  /** What the receiver confirmed: the list after the last body that it acknowledged. */
  readonly acknowledged: PackedList;
  /** Missing from the last complete poll, and gone only when the next one agrees. */
  readonly suspectedMissing: ReadonlySet<PackedId>;
  /** Told of in a body that was given up: the receiver may know it or not, so it is told again. */
  readonly unconfirmed: ReadonlySet<PackedId>;
  /** Those of whom the last known record is kept, because a body may have to remove them. */
  readonly tombstones: ReadonlySet<PackedId>;
}

const nobody: ReadonlySet<PackedId> = new Set();

const fewestSuspected = 2;
const leastSuspectedPart = 1 / 5;

/** The first poll: it only sets the baseline, which the receiver is taken to know. */
export function beginState(list: PackedList, version: string): ReceiverState {
  return {
    version,
    current: list,
    acknowledged: list,
    suspectedMissing: nobody,
    unconfirmed: nobody,
    tombstones: nobody,
  };
}

/**
 * A complete poll. A provider's hiccup must not look like a layoff: when the list is empty after it
 * was not, or when at least two people and at least a fifth of them vanish at once, they stay in
 * `current` until the next complete poll agrees.
 */
export function observe(
  state: ReceiverState,
  { list, version, isInFlight }: { list: PackedList; version: string; isInFlight: boolean },
): ReceiverState {
  const { current, suspectedMissing } = state;
  const missing = difference(current, list).removed;
  const confirmed = missing.filter((id) => suspectedMissing.has(id));
  const newlyMissing = missing.filter((id) => !suspectedMissing.has(id));
  const isHiccup = looksLikeHiccup(state, list, newlyMissing.length);
  const suspected = new Set(isHiccup ? newlyMissing : []);
  const removed = isHiccup ? confirmed : [...confirmed, ...newlyMissing];
  const next = withEntriesOf(list, current, suspected);
  return {
    ...state,
    version,
    current: next.equals(current) ? current : next,
    suspectedMissing: suspected,
    tombstones: keepTombstones(state, { next, isInFlight, missing: [...suspected, ...removed] }),
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
 * While changes are pending, earlier tombstones stay: somebody whom the receiver is not known to have
 * may be in the body that is on its way, and has to be removed after it.
 */
function keepTombstones(
  state: ReceiverState,
  { next, isInFlight, missing }: { next: PackedList; isInFlight: boolean; missing: PackedId[] },
): ReadonlySet<PackedId> {
  if (!isInFlight && !hasPendingChanges(state)) return new Set(missing);
  const present = listIds(next);
  return new Set([...missing, ...[...state.tombstones].filter((id) => !present.has(id))]);
}

/** The receiver took in a body: it knows the list that the body led to, and nothing is in doubt. */
export function acknowledge(state: ReceiverState, list: PackedList): ReceiverState {
  return { ...state, acknowledged: list, unconfirmed: nobody };
}

/** Every attempt at a body failed, but any of them may have been taken in: those it told of are unconfirmed. */
export function giveUp(state: ReceiverState, list: PackedList): ReceiverState {
  const told = changedIds(difference(state.acknowledged, list));
  return { ...state, unconfirmed: new Set([...state.unconfirmed, ...told]) };
}

/**
 * What turns the receiver's list into ours: the next body. Those who are unconfirmed, and those who
 * are to be told again on request, are in it though both lists say the same of them.
 */
export function pendingChange(
  { acknowledged, current, unconfirmed }: ReceiverState,
  toldAgain: Iterable<PackedId> = nobody,
): ListChange {
  const change = difference(acknowledged, current);
  const told = new Set(changedIds(change));
  const others = [...new Set([...unconfirmed, ...toldAgain])].filter((id) => !told.has(id));
  if (others.length === 0) return change;
  const present = listIds(current);
  return {
    added: change.added,
    updated: [...change.updated, ...others.filter((id) => present.has(id))],
    removed: [...change.removed, ...others.filter((id) => !present.has(id))],
  };
}

/** Whether `pendingChange` is anything at all. */
export function hasPendingChanges({ acknowledged, current, unconfirmed }: ReceiverState): boolean {
  return unconfirmed.size > 0 || !acknowledged.equals(current);
}
