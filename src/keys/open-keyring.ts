import type { Audit } from "../audit/index.ts";
import { Keyring, type MasterKey, DataKey, sealedBytes } from "../platform/crypto/index.ts";
import {
  allowLongStatements,
  type DatabaseClock,
  transaction,
  type Pool,
  type Queryable,
} from "../platform/db/index.ts";
import type { KeyedRows } from "../platform/keyed-rows.ts";
import type { Log } from "../platform/log.ts";
import { StartRefused } from "../platform/start-refused.ts";
import type { Bindings } from "./bindings.ts";
import { keepAccountKeys } from "./kept-account-keys.ts";
import { insertKey, listKeys, setActivated, type KnownKey } from "./store.ts";

/** Where the master keys come from. */
export interface KeySource {
  /** As operators know it. */
  place: string;
  /** Undefined when there are none yet. */
  read(): Promise<readonly MasterKey[] | undefined>;
  /** Makes the first key where there is none: whoever comes again gets the same. */
  create(): Promise<readonly MasterKey[]>;
  /** Puts a key before the others. Only of a place that is ours to write. */
  addFirst?: (key: MasterKey) => Promise<void>;
}

export interface KeyringDependencies {
  pool: Pool;
  clock: DatabaseClock;
  log: Log;
  audit: Audit;
  keyedRows: readonly KeyedRows[];
  bindings: Bindings;
}

/**
 * The keyring of a process, when its keys are those of the database. A key that the database has not seen is
 * remembered by its canary. Of several processes that start at once, the first one says which key a name is.
 */
export async function openKeyring(
  dependencies: KeyringDependencies,
  source: KeySource,
): Promise<Keyring> {
  return await transaction(dependencies.pool, async (transacted) => {
    const tx = await allowLongStatements(transacted);
    await tx.query("select pg_advisory_xact_lock(hashtext('master keys'))");
    const known = await listKeys(tx);
    const keys = (await source.read()) ?? (await createFirstKey(dependencies, tx, known, source));
    const given = { known, keys, source };
    for (const key of keys) checkKnownKey(known, key, source);
    await checkNewKeys(dependencies, tx, given);
    await refuseMissing(dependencies, tx, given);
    const keyring = new Keyring(keys.filter(({ id }) => !isRetired(known, id)));
    await dependencies.bindings.begin(tx, await dependencies.audit.openKey(tx, keyring));
    await recordKeys(dependencies, tx, known, keys);
    for (const { id } of keys)
      if (isRetired(known, id))
        dependencies.log.warn(
          { key: id },
          `a retired key is not used; take it out of ${source.place}`,
        );
    await keepAccountKeys(tx, keyring);
    return keyring;
  });
}

/** Throws StartRefused for keys with which no process would start. It records nothing and makes no key. */
export async function checkKeys(
  dependencies: Pick<KeyringDependencies, "pool" | "keyedRows">,
  source: KeySource,
): Promise<void> {
  const keys = await source.read();
  if (!keys) throw new StartRefused(`${source.place} is not there: there is no master key.`);
  await transaction(dependencies.pool, async (transacted) => {
    const tx = await allowLongStatements(transacted);
    const given = { known: await listKeys(tx), keys, source };
    for (const key of keys) checkKnownKey(given.known, key, source);
    await checkNewKeys(dependencies, tx, given);
    await refuseMissing(dependencies, tx, given);
  });
}

/** For what an operator does about keys that are wrong or missing. It checks nothing and records nothing. */
export async function openUncheckedKeyring(source: KeySource): Promise<Keyring> {
  const keys = await source.read();
  if (!keys) throw new StartRefused(`${source.place} is not there: there is no master key.`);
  return new Keyring(keys);
}

async function createFirstKey(
  { keyedRows }: KeyringDependencies,
  tx: Queryable,
  known: readonly KnownKey[],
  source: KeySource,
): Promise<readonly MasterKey[]> {
  const used = [...known.map(({ id }) => id), ...(await countRows(keyedRows, tx)).keys()];
  if (used.length === 0) return await source.create();
  throw new StartRefused(
    `${source.place} is missing, and the data of this service is sealed under its master key ` +
      `${[...new Set(used)].join(", ")}. Restore the file from a backup; no key is made beside data that is there.`,
  );
}

function checkKnownKey(known: readonly KnownKey[], key: MasterKey, { place }: KeySource): void {
  const found = known.find(({ id }) => id === key.id);
  if (!found || found.retiredAt) return;
  if (!opensCanary(key, found.canary)) throw new StartRefused(wrongKey(key.id, place));
}

function wrongKey(id: string, place: string): string {
  return (
    `The master key ${id} in ${place} is another one than the ${id} that this database uses. ` +
    "Put the right key there, or use the right database."
  );
}

/** The keys of a process, and those that the database knows. */
interface GivenKeys {
  known: readonly KnownKey[];
  keys: readonly MasterKey[];
  source: KeySource;
}

/** Data from before there were canaries shows which keys are right. */
async function checkNewKeys(
  { keyedRows }: Pick<KeyringDependencies, "keyedRows">,
  tx: Queryable,
  { known, keys, source }: GivenKeys,
): Promise<void> {
  for (const key of keys) {
    if (known.some(({ id }) => id === key.id)) continue;
    const keyring = new Keyring([key]);
    const answers: (boolean | undefined)[] = [];
    for (const rows of keyedRows) answers.push(await rows.isOpenedBy(tx, keyring, key.id));
    if (answers.includes(false) && !answers.includes(true))
      throw new StartRefused(wrongKey(key.id, source.place));
  }
}

async function refuseMissing(
  { keyedRows }: Pick<KeyringDependencies, "keyedRows">,
  tx: Queryable,
  { known, keys, source }: GivenKeys,
): Promise<void> {
  const [active] = keys;
  const retired = known.find(({ id, retiredAt }) => id === active?.id && retiredAt !== null);
  if (retired)
    throw new StartRefused(
      `The master key ${retired.id}, the first one of ${source.place}, was retired on ` +
        `${retired.retiredAt?.toISOString()}. Put the key first that took its place, and take ${retired.id} out.`,
    );
  const isThere = (keyId: string): boolean => keys.some(({ id }) => id === keyId);
  const counts = known.length === 0 ? await countRows(keyedRows, tx) : undefined;
  const needed = counts
    ? [...counts.keys()]
    : known.filter((key) => key.activatedAt && !key.retiredAt).map(({ id }) => id);
  const missing = needed.find((id) => !isThere(id));
  if (missing === undefined) return;
  const rows = (counts ?? (await countRows(keyedRows, tx))).get(missing) ?? 0;
  throw new StartRefused(
    `The master key ${missing} is not in ${source.place}, and ` +
      (rows > 0
        ? `${rows} rows of the database are sealed under it. Put it back, behind the first key; it can go ` +
          `when "npx rollcall keys rewrap" and "npx rollcall keys retire ${missing}" have succeeded.`
        : `it is not retired. Put it back, or retire it: npx rollcall keys retire ${missing}`),
  );
}

async function recordKeys(
  { clock, audit }: KeyringDependencies,
  tx: Queryable,
  known: readonly KnownKey[],
  keys: readonly MasterKey[],
): Promise<void> {
  const now = clock.now();
  for (const [index, key] of keys.entries()) {
    const found = known.find(({ id }) => id === key.id);
    const isActive = index === 0;
    if (found && (!isActive || found.activatedAt)) continue;
    const activatedAt = isActive ? now : null;
    if (found) await setActivated(tx, key.id, now);
    else await insertKey(tx, { id: key.id, canary: makeCanary(key), addedAt: now, activatedAt });
    await audit.record(tx, isActive ? "key.activated" : "key.added", { detail: { key: key.id } });
  }
}

/** How many rows each key has, over all tables. */
async function countRows(
  keyedRows: readonly KeyedRows[],
  tx: Queryable,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const rows of keyedRows)
    for (const { keyId, rows: count } of await rows.count(tx))
      counts.set(keyId, (counts.get(keyId) ?? 0) + count);
  return counts;
}

function isRetired(known: readonly KnownKey[], keyId: string): boolean {
  return known.some(({ id, retiredAt }) => id === keyId && retiredAt !== null);
}

const sealedCanary = sealedBytes({ name: "master-key-canary", owner: ["keyId"] });
const canary = Buffer.from("canary");

export function makeCanary({ id, key }: MasterKey): Buffer {
  return sealedCanary.seal(new DataKey(key), { keyId: id }, canary);
}

/** False for another key of the same name. */
function opensCanary({ id, key }: MasterKey, sealed: Buffer): boolean {
  try {
    return sealedCanary.open(new DataKey(key), { keyId: id }, sealed).equals(canary);
  } catch {
    return false;
  }
}
