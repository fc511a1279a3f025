import { auditKeyRows } from "./audit/index.ts";
import { clientSecretRows } from "./clients/index.ts";
import { Connect } from "./connect/index.ts";
import { connectionKeyRows } from "./connections/index.ts";
import {
  keptAccountKeyRows,
  Keys,
  openKeyring,
  openUncheckedKeyring,
  type KeyringDependencies,
  type KeySource,
} from "./keys/index.ts";
import type { Keyring } from "./platform/crypto/index.ts";
import { StartRefused } from "./platform/start-refused.ts";
import { boundTokenRows, openCodeRows } from "./tokens/index.ts";

/** What is sealed under the master keys. A code comes before the token that it is exchanged for. */
const keyedRows = [
  clientSecretRows,
  connectionKeyRows,
  Connect.keyedRows,
  openCodeRows,
  boundTokenRows,
  keptAccountKeyRows,
  auditKeyRows,
];

/** The keyring, checked against the database, and what operators do with keys. */
export async function openKeys(
  dependencies: Omit<KeyringDependencies, "keyedRows">,
  source: KeySource,
  { isChecked }: { isChecked: boolean },
): Promise<{ keyring: Keyring; keys: Keys }> {
  const keyed = { ...dependencies, keyedRows };
  const keyring = isChecked ? await openKeyring(keyed, source) : await openUncheckedKeyring(source);
  if (!isChecked) await findAuditKey(keyed, keyring);
  return { keyring, keys: new Keys({ ...keyed, keyring }) };
}

/** A command that mends what is wrong with the keys may lack the one that the audit key is sealed under. */
async function findAuditKey(
  { pool, audit }: Pick<KeyringDependencies, "pool" | "audit">,
  keyring: Keyring,
): Promise<void> {
  await audit.findKey(pool, keyring).catch((error: unknown) => {
    if (!(error instanceof StartRefused)) throw error;
  });
}
