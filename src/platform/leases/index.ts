// Leases: rows that one run at a time works on, in any number of processes. The live leases are the places, and
// a claim admits the next row fairly. The queue only wakes. Callers own the tables and decide what a run does.
export { LeaseTable, type Leased } from "./lease-table.ts";
export { LeasedWork } from "./leased-work.ts";
