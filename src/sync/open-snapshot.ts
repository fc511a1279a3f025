import type { Readable } from "node:stream";
import { buffer as collect } from "node:stream/consumers";
import { LRUCache } from "lru-cache";
import type { Connections } from "../connections/index.ts";
import type { ConnectionId } from "../model/index.ts";
import type { Pool } from "../platform/db/index.ts";
import { compress, compressed, decompress, decompressed } from "../platform/compression.ts";
import type { Encoding } from "../platform/http/index.ts";
import { loadTogether } from "../platform/load-together.ts";
import type { ReadKey } from "../reading/index.ts";
import { sealedBody, sealedIndex } from "./sealed-snapshot.ts";
import { cutVariant, type Variant } from "./snapshot-body.ts";
import { findBodyBytes, findColumn, findSealedBodies, findSnapshot } from "./snapshot-store.ts";

export interface SnapshotPart extends ReadKey {
  version: string;
  variant: Variant | undefined;
  encoding: Encoding;
}

/**
 * A stream for a part of a large body. `missing` when the list has no such employee; undefined when that version is
 * no longer stored.
 */
export type OpenedPart = Buffer | Readable | "missing" | undefined;

type MadePart = Exclude<OpenedPart, Readable>;

const keptMs = 60 * 60 * 1000;
const mostTogether = 32;
/** A body that is longer than this part of the cache is never held decompressed. */
const largeBodyPart = 8;

/**
 * Stored replies as bytes that can be sent as they are. A sealed body is opened, cut and compressed once per
 * version, at the first request for it and off the event loop. A cache bounded by bytes keeps the result. What is
 * large is kept compressed, and is decompressed while it is sent.
 */
export class SnapshotReader {
  readonly #pool: Pool;
  readonly #connections: Connections;
  readonly #cache: LRUCache<string, Buffer>;
  readonly #largeBytes: number;
  readonly #underway = new Map<string, Promise<MadePart>>();
  readonly #bodies: ReturnType<typeof loadTogether<SnapshotPart, Buffer | "large" | undefined>>;

  constructor({
    pool,
    connections,
    cacheMaxBytes,
  }: {
    pool: Pool;
    connections: Connections;
    cacheMaxBytes: number;
  }) {
    this.#pool = pool;
    this.#connections = connections;
    this.#bodies = loadTogether((parts) => findSealedBodies(pool, parts), mostTogether);
    this.#largeBytes = cacheMaxBytes / largeBodyPart;
    this.#cache = new LRUCache({
      maxSize: cacheMaxBytes,
      sizeCalculation: (body) => body.length + 256,
      ttl: keptMs,
    });
  }

  /** Drops every opened reply of a connection. */
  forget(connectionId: ConnectionId): void {
    for (const key of this.#cache.keys()) if (key.startsWith(connectionId)) this.#cache.delete(key);
  }

  async open(part: SnapshotPart): Promise<OpenedPart> {
    const known = this.#cache.get(cacheKey(part));
    if (known) return known;
    const bytes = isStoredForm(part) ? 0 : await findBodyBytes(this.#pool, part);
    const isStreamed = bytes > this.#largeBytes && (part.variant || part.encoding === "identity");
    return isStreamed ? await this.#stream(part) : await this.#openOnce(part, bytes);
  }

  /** Whoever asks for a part that is being made waits for it. */
  async #openOnce(part: SnapshotPart, bodyBytes: number): Promise<MadePart> {
    const key = cacheKey(part);
    const known = this.#cache.get(key);
    if (known) return known;
    const underway = this.#underway.get(key);
    if (underway) return await underway;
    const making = this.#make(part, bodyBytes).finally(() => this.#underway.delete(key));
    this.#underway.set(key, making);
    const body = await making;
    if (Buffer.isBuffer(body)) this.#cache.set(key, body);
    return body;
  }

  /**
   * A body as it is decompressed, which is kept in no cache: a reply that is made of many would leave room for nothing
   * else. Undefined when that version is no longer stored.
   */
  async openParts(
    key: Omit<SnapshotPart, "variant" | "encoding">,
  ): Promise<AsyncIterable<Buffer> | undefined> {
    const stored = await this.#unseal({ ...key, variant: undefined, encoding: "br" }, "body");
    return stored && decompressed(stored);
  }

  /** What is stored now. A newer version may take its place between the two look-ups. Undefined when nothing is. */
  async openNewest(
    key: ReadKey,
  ): Promise<{ body: AsyncIterable<Buffer>; fetchedAt: Date } | undefined> {
    for (;;) {
      const found = await findSnapshot(this.#pool, key);
      if (!found) return undefined;
      const body = await this.openParts({ ...key, version: found.version });
      if (body) return { body, fetchedAt: found.fetchedAt };
    }
  }

  /**
   * A list of employees, compressed as `br`, with its index, to be compared. Undefined when that version is no longer
   * stored.
   */
  async openEmployees(
    connectionId: ConnectionId,
    version: string,
  ): Promise<{ body: Buffer; index: Buffer } | undefined> {
    const part = {
      connectionId,
      resource: "employees",
      parameters: "",
      version,
      variant: undefined,
      encoding: "br",
    } as const;
    const [body, index] = await Promise.all([
      this.#unseal(part, "body"),
      this.#unseal(part, "index"),
    ]);
    return body && index && { body, index };
  }

  /** Each form is made of the one before it: sealed brotli, plain, another encoding, a part of the list. */
  async #make(part: SnapshotPart, bodyBytes: number): Promise<MadePart> {
    if (isStoredForm(part)) return await this.#unseal(part, "body");
    if (bodyBytes > this.#largeBytes) {
      const stored = await this.#openOnce({ ...part, encoding: "br" }, 0);
      return Buffer.isBuffer(stored)
        ? await collect(compressed(decompressed(stored), part.encoding))
        : stored;
    }
    if (part.encoding !== "identity") {
      const plain = await this.#openOnce({ ...part, encoding: "identity" }, bodyBytes);
      return Buffer.isBuffer(plain) ? await compress(plain, part.encoding) : plain;
    }
    if (!part.variant) {
      const stored = await this.#openOnce({ ...part, encoding: "br" }, bodyBytes);
      return Buffer.isBuffer(stored) ? await decompress(stored, bodyBytes) : stored;
    }
    const [whole, index] = await Promise.all([
      this.#openOnce({ ...part, variant: undefined }, bodyBytes),
      this.#unseal(part, "index"),
    ]);
    if (!Buffer.isBuffer(whole) || !index) return undefined;
    const cut = cutVariant([whole], index, part.variant);
    return cut ? await collect(cut) : "missing";
  }

  async #stream(part: SnapshotPart): Promise<OpenedPart> {
    const { variant, encoding } = part;
    const [stored, index] = await Promise.all([
      this.#openOnce({ ...part, variant: undefined, encoding: "br" }, 0),
      variant ? this.#unseal(part, "index") : undefined,
    ]);
    if (!Buffer.isBuffer(stored)) return stored;
    if (!variant) return compressed(decompressed(stored), encoding);
    if (!index) return undefined;
    const cut = cutVariant(decompressed(stored), index, variant);
    return cut ? compressed(cut, encoding) : "missing";
  }

  async #unseal(part: SnapshotPart, column: "body" | "index"): Promise<Buffer | undefined> {
    const [sealed, dataKey] = await Promise.all([
      column === "body" ? this.#findBody(part) : findColumn(this.#pool, "sealed_index", part),
      this.#connections.dataKey(part.connectionId),
    ]);
    const value = column === "body" ? sealedBody : sealedIndex;
    return sealed && dataKey && value.open(dataKey, part, sealed);
  }

  async #findBody(part: SnapshotPart): Promise<Buffer | undefined> {
    const found = await this.#bodies.load(part);
    return found === "large" ? await findColumn(this.#pool, "sealed_body", part) : found;
  }
}

function isStoredForm({ variant, encoding }: SnapshotPart): boolean {
  return !variant && encoding === "br";
}

/** Begins with the id of the connection. */
function cacheKey({ connectionId, ...part }: SnapshotPart): string {
  const { resource, parameters, version, variant, encoding } = part;
  return connectionId + JSON.stringify([resource, parameters, version, variant ?? null, encoding]);
}
