// An append-only record of every change of clients, secrets, tokens, connections and keys, by ids only.
// Written in the transaction or the statement of the change itself, so that neither exists without the other. Any room may call it.
export { Audit } from "./audit.ts";
