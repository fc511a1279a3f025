// Reads of providers: the row that everybody asks for, its lease and its places, and the run of an adapter from
// the session to a finished list. Asked by sync, which says what is stored already and stores the answers; asks
// connections for sessions and keys, and providers for adapters.
export type { Adapters } from "./adapters.ts";
export { AdapterProcesses } from "./child/adapter-processes.ts";
export type { ReadDestination, StoredAnswer } from "./destination.ts";
export { Quotas } from "./quotas/quotas.ts";
export type { FailingReads, ReadCursor, TroubledReads } from "./read-lists.ts";
export type { Read, ReadKey } from "./read.ts";
export { Reads } from "./reads.ts";
export { eachIndexEntry, encodeEmployeeIndex } from "./records/employee-index.ts";
export type { FilledFields } from "./records/filled-fields.ts";
export type { ReadAnswer } from "./records/read-answer.ts";
export type { StoredList } from "./records/read-whole.ts";
