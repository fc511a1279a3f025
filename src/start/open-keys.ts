import { auditKeyRows } from "../audit/index.ts";
import { clientBindings, clientRows } from "../clients/index.ts";
import { Connect } from "../connect/index.ts";
import { connectionKeyRows } from "../connections/index.ts";
import {
  Bindings,
  keptAccountKeyRows,
  Keys,
  openKeyring,
  openUncheckedKeyring,
  type KeyringDependencies,
  type KeySource,
} from "../keys/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { OlderPrograms } from "../platform/db/index.ts";
import type { SteadyClock } from "../platform/clock.ts";
import { StartRefused } from "../platform/start-refused.ts";
import { boundTokenRows, codeBindings, endedCodeRows, openCodeRows } from "../tokens/index.ts";

/** What is sealed under the master keys. A code comes before the token that it is exchanged for. */
const keyedRows = [
  clientRows,
  connectionKeyRows,
  Connect.keyedRows,
  openCodeRows,
  endedCodeRows,
  boundTokenRows,
  keptAccountKeyRows,
  auditKeyRows,
];

/** Rows that an earlier version did not bind. */
const boundRows = [clientBindings, Connect.bindings, codeBindings];

interface OpenedKeys {
  keyring: Keyring;
  keys: Keys;
  boundSince: Bindings;
  olderPrograms: OlderPrograms;
}

/** The keyring, checked against the database, and what operators do with keys. */
export async function openKeys(
  dependencies: Omit<KeyringDependencies, "keyedRows" | "bindings"> & { clock: SteadyClock },
  source: KeySource,
  { isChecked }: { isChecked: boolean },
): Promise<OpenedKeys> {
  const { pool, audit } = dependencies;
  const olderPrograms = new OlderPrograms(dependencies);
  const boundSince = new Bindings({ ...dependencies, olderPrograms, boundRows });
  const keyed = { ...dependencies, keyedRows, bindings: boundSince };
  const keyring = isChecked ? await openKeyring(keyed, source) : await openUncheckedKeyring(source);
  if (!isChecked && (await findAuditKey({ pool, audit }, keyring))) await boundSince.load(pool);
  const keys = new Keys({ ...keyed, keyring });
  return { keyring, keys, boundSince, olderPrograms };
}

/** False for a command that mends the keys, and lacks the one that the audit key is sealed under. */
async function findAuditKey(
  { pool, audit }: Pick<KeyringDependencies, "pool" | "audit">,
  keyring: Keyring,
): Promise<boolean> {
  try {
    return await audit.findKey(pool, keyring);
  } catch (error) {
    if (error instanceof StartRefused) return false;
    throw error;
  }
}
