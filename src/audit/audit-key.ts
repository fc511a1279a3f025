import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import {
  isSameDigest,
  MacKey,
  wrappedDataKey,
  type DataKey,
  type Keyring,
} from "../platform/crypto/index.ts";
import { StartRefused } from "../platform/start-refused.ts";
import type { Queryable } from "../platform/db/index.ts";
import { describeWrappedKeys } from "../platform/keyed-rows.ts";
import { formatContent, type SignedEntry } from "./entry-content.ts";
import { hasEntries, insertHead, insertKey, listKeys, type Head } from "./store.ts";

const wrappedKey = wrappedDataKey({ name: "audit-key", owner: ["id"] });

export const auditKeyRows = describeWrappedKeys("audit_keys", (keyring, id, wrapped) =>
  wrappedKey.rewrap(keyring, { id }, wrapped),
);

const nonceLength = 16;
const hmacBlockLength = 64;

/** Where the chain was at a moment. Kept elsewhere, it finds an older copy of the whole record. */
export interface Checkpoint {
  key: string;
  position: number;
  chain: string;
  at: string;
  mac: string;
}

interface SignedMoment {
  table: string;
  kind: string;
  /** The transaction of that moment. */
  xid: string;
  at: Date;
}

/** The key of the audit record. It is random, so it stays the same when the master keys change. */
export class AuditKey {
  readonly id: string;
  readonly #entryKey: MacKey;
  readonly #chainKey: MacKey;

  constructor(id: string, key: DataKey) {
    this.id = id;
    this.#entryKey = key.macKey("audit-entry");
    this.#chainKey = key.macKey("audit-chain");
  }

  /**
   * For the MAC of one entry, which the database makes because only the statement knows the ids: the nonce, then the
   * two blocks of HMAC-SHA256 under a key that is used this once.
   */
  makeOneTimeKey(): Buffer {
    const nonce = randomBytes(nonceLength);
    const key = Buffer.concat([this.#entryKey.mac(nonce)], hmacBlockLength);
    return Buffer.concat([nonce, key.map((byte) => byte ^ 0x36), key.map((byte) => byte ^ 0x5c)]);
  }

  isSigned(entry: SignedEntry): boolean {
    const { nonce, mac } = entry;
    if (!nonce || !mac) return false;
    return isSameDigest(new MacKey(this.#entryKey.mac(nonce)).mac(formatContent(entry)), mac);
  }

  /** What the first link is linked to. */
  firstChain(): Buffer {
    return this.#chainKey.mac("begin\n", this.id);
  }

  link(before: Buffer, position: number, entry: SignedEntry): Buffer {
    const { nonce, mac } = entry;
    const signature = `${nonce?.toString("hex") ?? ""}\n${mac?.toString("hex") ?? ""}`;
    return this.#chainKey.mac(
      "link\n",
      before,
      `${position}\n${signature}\n${formatContent(entry)}`,
    );
  }

  signHead({ position, chain, linkedAt, signedFrom }: Omit<Head, "mac">): Buffer {
    const values = [position, chain.toString("hex"), linkedAt.getTime(), signedFrom];
    return this.#chainKey.mac("head\n", JSON.stringify(values));
  }

  isHead({ mac, ...head }: Head): boolean {
    return isSameDigest(this.signHead(head), mac);
  }

  /** Of a fact about the database that holds from a moment on. */
  signMoment({ table, kind, xid, at }: SignedMoment): Buffer {
    return this.#chainKey.mac("moment\n", JSON.stringify([table, kind, xid, at.getTime()]));
  }

  isMoment({ mac, ...moment }: SignedMoment & { mac: Buffer }): boolean {
    return isSameDigest(this.signMoment(moment), mac);
  }

  makeCheckpoint({ position, chain }: Pick<Head, "position" | "chain">, now: Date): Checkpoint {
    const values = {
      key: this.id,
      position,
      chain: chain.toString("hex"),
      at: now.toISOString(),
    };
    return { ...values, mac: this.#signCheckpoint(values).toString("hex") };
  }

  /** False for one of another database or key, and for one that was changed. */
  isCheckpoint({ mac, ...values }: Checkpoint): boolean {
    const isOurs = values.key === this.id;
    return isOurs && isSameDigest(this.#signCheckpoint(values), Buffer.from(mac, "hex"));
  }

  #signCheckpoint({ key, position, chain, at }: Omit<Checkpoint, "mac">): Buffer {
    return this.#chainKey.mac("checkpoint\n", JSON.stringify([key, position, chain, at]));
  }
}

/** The key of this database. Undefined before the first start has made it. */
export async function findAuditKey(db: Queryable, keyring: Keyring): Promise<AuditKey | undefined> {
  const [found, ...others] = await listKeys(db);
  if (others.length > 0) throw new StartRefused(wrongKeys);
  if (!found) return undefined;
  const { id, ...wrapped } = found;
  try {
    return new AuditKey(id, wrappedKey.open(keyring, { id }, wrapped));
  } catch {
    throw new StartRefused(wrongKeys);
  }
}

const wrongKeys =
  "The key of the audit record in the table audit_keys does not open under the master keys: somebody changed the " +
  "table. Restore its row from a backup.";

/** Entries that are there already are those of an earlier version, which has made none with a MAC. */
export async function createAuditKey(
  tx: Queryable,
  keyring: Keyring,
  now: Date,
): Promise<{ key: AuditKey; isFirstStart: boolean }> {
  const id = uuidv7();
  const { dataKey, wrapped } = wrappedKey.create(keyring, { id });
  await insertKey(tx, { id, ...wrapped });
  const key = new AuditKey(id, dataKey);
  const isFirstStart = !(await hasEntries(tx));
  const signedFrom = isFirstStart ? 1 : null;
  const head = { position: 0, chain: key.firstChain(), linkedAt: now, signedFrom };
  await insertHead(tx, { ...head, mac: key.signHead(head) });
  return { key, isFirstStart };
}
