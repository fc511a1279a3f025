import { LRUCache } from "lru-cache";
import type { DataKey, Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import { findKeyAndGrant } from "./bound-store.ts";
import { isKeyBound } from "./check-binding.ts";
import type { Grant } from "./grant.ts";
import type { Labels } from "./labels.ts";
import { connectionKey } from "./sealed-sign-in.ts";

/** What opens the values of a connection, and what its token gives access to. */
export interface OpenedKey {
  dataKey: DataKey;
  grant: Grant;
  /** The client's own id for the connection; null when it gave none. */
  reference: string | null;
}

interface KeyDependencies {
  pool: Pool;
  keyring: Keyring;
  log: Log;
  labels: Labels;
}

const maxOpenKeys = 20_000;
const openKeyTtlMs = 15 * 60 * 1000;

/** The opened data keys of connections, their grants and references. All stay the same once the code was exchanged. */
export class ConnectionKeys {
  readonly #dependencies: KeyDependencies;
  readonly #opened = new LRUCache<string, OpenedKey>({ max: maxOpenKeys, ttl: openKeyTtlMs });

  constructor(dependencies: KeyDependencies) {
    this.#dependencies = dependencies;
  }

  /** Undefined when the connection is gone, or when somebody without the service's keys wrote it. */
  async open(id: string): Promise<OpenedKey | undefined> {
    const known = this.#opened.get(id);
    if (known) return known;
    const { keyring, pool, labels } = this.#dependencies;
    const found = await findKeyAndGrant(pool, id);
    if (!found || !isKeyBound(this.#dependencies, found)) return undefined;
    const { wrappedKey, grant, sealedLabel } = found;
    const dataKey = connectionKey.open(keyring, { connectionId: id }, wrappedKey);
    const label = sealedLabel && labels.tryToOpen(dataKey, id, sealedLabel);
    const opened = { dataKey, grant, reference: label?.reference ?? null };
    this.#opened.set(id, opened);
    return opened;
  }

  forget(id: string): void {
    this.#opened.delete(id);
  }
}
