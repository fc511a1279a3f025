// Our copy of provider data: the sealed snapshots, how fresh they must be, and the reads that make them.
// Asked by data (and by webhooks); asks reading for reads and connections for keys.
export type { Reading } from "./reading.ts";
export type { Parameters } from "./parameters.ts";
export { cutEmployees, type Variant } from "./snapshot-body.ts";
export { EmployeeSource, type PolledList, type StoredAnswer } from "./employee-source.ts";
export { encodeParameters } from "./parameters.ts";
export { SnapshotReader } from "./open-snapshot.ts";
export { SnapshotDestination } from "./snapshot-destination.ts";
export { Sync } from "./sync.ts";
export { removeOldData } from "./remove-old-data.ts";
