// Waiting for a turn in one process: some have a place, the others wait in order.
// Used for look-ups of names (turns by source), clients of the database (patient-pool.ts), requests of the narrowed
// reads of one connection (reads.ts), reads in a process of their own and lists being encoded (reading/child), polls
// (poll-runs.ts), and sign-ins that one network begins (connect/insert-begun-flow.ts).
// Turns over all processes are the leases of a table (leases/) and the quotas of providers (reading/quotas/).
export { Turns } from "./turns.ts";
