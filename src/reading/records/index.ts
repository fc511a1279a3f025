// A second door of reading: the read of a whole list, without the database, the queue and the processes. Conformance
// enters here, because its checks run where none of these may be loaded.
export { readWhole, type ReadTask } from "./read-whole.ts";
export { coveredDays } from "./arrange-records.ts";
