// Our copy of provider data: the sealed snapshots, how fresh they must be, and the reads that make them.
// Asked by data (and by webhooks); asks reading for reads and connections for keys.
export type { DateRange } from "./parameters.ts";
export { cutEmployees, listEmployeeIds, mapEmployees, type Variant } from "./snapshot-body.ts";
export { PollSource, type FoundEmployees, type StoredAnswer } from "./poll-source.ts";
export { encodeParameters, formatQuery } from "./parameters.ts";
export type { Ages } from "./snapshot-store.ts";
export { SnapshotReader } from "./open-snapshot.ts";
export {
  SnapshotDestination,
  type ListComparison,
  type PolledKey,
  type StoredRecords,
} from "./snapshot-destination.ts";
export type { FilledList } from "./snapshot-store.ts";
export { Sync, type Reading } from "./sync.ts";
