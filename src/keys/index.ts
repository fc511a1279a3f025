// The master keys that a database has used: their canaries, which every start checks, and what operators do with
// keys: status, rewrap, retire. The keys themselves come from the composition root. What is sealed under them belongs
// to other rooms, which describe their rows as `KeyedRows`.
export { Bindings } from "./bindings.ts";
export { keptAccountKeyRows } from "./kept-account-keys.ts";
export { Keys, type KeyStatus } from "./keys.ts";
export {
  openKeyring,
  openUncheckedKeyring,
  type KeyringDependencies,
  type KeySource,
} from "./open-keyring.ts";
export type { ListedProcess } from "./store.ts";
