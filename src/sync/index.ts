// Our copy of provider data: the fetch and its job, the sealed snapshots, and how fresh they must be.
// Asked by data (and by webhooks); asks connections for keys and sessions and providers for records.
export type { Reading } from "./reading.ts";
export type { Parameters } from "./parameters.ts";
export { countEmployees, eachEmployee, type Variant } from "./snapshot-body.ts";
export { createEmployeeSource, type EmployeeSource } from "./employee-source.ts";
export { encodeParameters } from "./parameters.ts";
export type { Refreshed } from "./refresh.ts";
export { fetchJobs } from "./jobs.ts";
export { SnapshotReader } from "./open-snapshot.ts";
export { Sync } from "./sync.ts";
export { removeOldData, sweepFetches } from "./sweep.ts";
