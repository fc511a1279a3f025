// A second door of reading: the read of a whole list, and what is made of one record, without the database, the queue
// and the processes. Conformance and the workbench enter here, because they run where none of these may be loaded.
export { arrangeRecords, coveredDays, placeRecord } from "./arrange-records.ts";
export { isBalancedPayslip } from "./hold-record.ts";
export { IdleLimit } from "./idle-limit.ts";
export { createMint } from "./mint-id.ts";
export { readWhole, type ReadTask } from "./read-whole.ts";
export { toRecord } from "./to-record.ts";
