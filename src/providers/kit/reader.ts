/** What a reader makes of a value that is there and is not of its kind. */
export const unreadable = Symbol("unreadable");

/** Reads one value of a vendor's record. What is absent, null or empty is null for every reader. */
export interface Reader<Value> {
  /** The kind of value, for people: on the page of coverage, and where a value cannot be read. */
  readonly kind: string;
  /** The vendor's name of it, where the adapter calls it otherwise. */
  readonly name?: string;
  /** Never called with what is absent, null or empty. `onUnreadable` hears of values inside, by their paths. */
  read(value: unknown, onUnreadable?: (path: string) => void): Value | null | typeof unreadable;
}
