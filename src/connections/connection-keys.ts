import { LRUCache } from "lru-cache";
import type { DataKey, Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import { findKeyAndGrant } from "./bound-store.ts";
import { isKeyBound } from "./check-binding.ts";
import type { Grant } from "./grant.ts";
import { connectionKey } from "./sealed-sign-in.ts";

/** What opens the values of a connection, and what its token gives access to. */
export interface OpenedKey {
  dataKey: DataKey;
  grant: Grant;
}

const maxOpenKeys = 20_000;
const openKeyTtlMs = 15 * 60 * 1000;

/** The opened data keys of connections, and their grants. Both stay the same as long as a connection lives. */
export class ConnectionKeys {
  readonly #dependencies: { pool: Pool; keyring: Keyring; log: Log };
  readonly #opened = new LRUCache<string, OpenedKey>({ max: maxOpenKeys, ttl: openKeyTtlMs });

  constructor(dependencies: { pool: Pool; keyring: Keyring; log: Log }) {
    this.#dependencies = dependencies;
  }

  /** Undefined when the connection is gone, or when somebody without the service's keys wrote it. */
  async open(id: string): Promise<OpenedKey | undefined> {
    const known = this.#opened.get(id);
    if (known) return known;
    const { keyring, pool } = this.#dependencies;
    const found = await findKeyAndGrant(pool, id);
    if (!found || !isKeyBound(this.#dependencies, found)) return undefined;
    const { wrappedKey, grant } = found;
    const dataKey = connectionKey.open(keyring, { connectionId: id }, wrappedKey);
    this.#opened.set(id, { dataKey, grant });
    return { dataKey, grant };
  }

  forget(id: string): void {
    this.#opened.delete(id);
  }
}
