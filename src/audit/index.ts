// An append-only record of every change of clients, secrets, tokens, connections and keys, by ids only.
// Written in the transaction of the change itself, so that neither exists without the other. Any room may call it.
// Each entry has a MAC; a job of the worker links the entries into a chain, and `verifyRecord` checks all of it.
export { Audit } from "./audit.ts";
export { AuditChain } from "./audit-chain.ts";
export { auditKeyRows, type Checkpoint } from "./audit-key.ts";
export { exportLines } from "./export-record.ts";
export { appendOnlyTables, keptTables } from "./store.ts";
export { verifyRecord } from "./verify-record.ts";
