import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import type { Clock } from "../platform/clock.ts";
import { isSameDigest, type MacKey } from "../platform/crypto/index.ts";
import type { RequestWindows, WindowCount } from "../platform/http/index.ts";
import { OutageLog, type Log } from "../platform/log.ts";
import {
  copiedField,
  loadAdmission,
  type Admission,
  type LoadedAdmission,
  type StoredData,
} from "./find-admission.ts";
import type { Pool } from "../platform/db/index.ts";

export interface AdmissionCopiesOptions {
  redis: { url: string; prefix: string };
  pool: Pool;
  clock: Clock;
  log: Log;
  /** Binds a copy to its token, so that who writes to Redis gives nobody access. */
  macKey: MacKey;
}

/** How often a request was counted, and what its token gives access to. */
export interface CountedAdmission {
  address: WindowCount;
  /** Undefined when the address has asked too often, and when the token is not known. */
  client?: WindowCount;
  admission?: Admission | undefined;
}

/** What a copy says of the token. */
type CopiedToken = Omit<Admission, "digest" | "snapshot"> & {
  /** ISO 8601. */
  readAt: string;
  /** False when it has only the newest of the connection's stored data. */
  isWhole: boolean;
};

interface CheckedCopy {
  token: string;
  mac: string;
  readAtMs: number;
  isWhole: boolean;
  admission: Omit<Admission, "digest" | "snapshot">;
}

const mostChecked = 10_000;
const livesSeconds = 10;
const redisTimeoutMs = 300;
const redisPauseMs = 1_000;

/** Reads the copy, and counts in both windows. The nonce of a miss stands until a disconnect, or a later miss. */
const admitScript = `
local function count(key, ms)
  local current = redis.call("INCR", key)
  if current > 1 then return current, redis.call("PTTL", key) end
  redis.call("PEXPIRE", key, ms)
  return current, tonumber(ms)
end
local asked, left = count(KEYS[1], ARGV[1])
if asked > tonumber(ARGV[2]) then return {asked, left} end
local copy = redis.call("HMGET", KEYS[2], "token", "mac", "client", ARGV[3], "ended")
if copy[5] then return {asked, left} end
if not copy[1] then
  redis.call("SET", KEYS[3], ARGV[4], "PX", ARGV[5])
  return {asked, left, ARGV[4]}
end
local client = copy[3] == "" and ARGV[7] or copy[3]
local askedByClient, leftOfClient = count(ARGV[6] .. client, ARGV[8])
return {asked, left, "", copy[1], copy[2], copy[4] or "", askedByClient, leftOfClient}
`;
/** Stores a copy, unless its nonce stands no more. */
const fillScript = `
if redis.call("GET", KEYS[2]) ~= ARGV[1] then return 0 end
redis.call("DEL", KEYS[1], KEYS[2])
redis.call("HSET", KEYS[1], unpack(ARGV, 3))
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return 1
`;
/** From now on there is no copy, and nobody who read the token before stores one. */
const endScript = `
redis.call("DEL", KEYS[1], KEYS[2])
redis.call("HSET", KEYS[1], "ended", "1")
redis.call("PEXPIRE", KEYS[1], ARGV[1])
return 1
`;

type Commands = Redis & {
  admit(...args: string[]): Promise<AdmitReply>;
  fillCopy(...args: string[]): Promise<number>;
  endCopy(...args: string[]): Promise<number>;
};
type AdmitReply = [number, number, string?, string?, string?, string?, number?, number?];

/**
 * Copies of admissions in Redis, which live for ten seconds: one script call counts a request in its windows and says
 * what its token gives access to. Postgres stays the truth: what is lost, stale or not ours is read there again.
 */
export class AdmissionCopies {
  readonly #options: AdmissionCopiesOptions;
  readonly #redis: Commands;
  readonly #outage: OutageLog;
  /** Copies that were checked, by digest. */
  readonly #checked = new LRUCache<string, CheckedCopy>({ max: mostChecked });
  /** A nonce is this process's own, and used once. */
  readonly #nonces = randomBytes(12).toString("base64url");
  #misses = 0;
  #pausedUntil = 0;

  constructor(options: AdmissionCopiesOptions) {
    this.#options = options;
    this.#outage = new OutageLog(options.log, "the Redis of the admissions");
    const redis = new Redis(options.redis.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: true,
      commandTimeout: redisTimeoutMs,
    });
    redis.on("error", (error) => this.#outage.failed(error));
    redis.on("ready", () => this.#outage.recovered());
    redis.defineCommand("admit", { numberOfKeys: 3, lua: admitScript });
    redis.defineCommand("fillCopy", { numberOfKeys: 2, lua: fillScript });
    redis.defineCommand("endCopy", { numberOfKeys: 2, lua: endScript });
    this.#redis = redis as Commands;
  }

  /** Undefined while Redis is away: then nothing was counted. */
  async admit(
    digest: Buffer,
    stored: StoredData | undefined,
    { address, client, caller }: RequestWindows,
  ): Promise<CountedAdmission | undefined> {
    const { clock } = this.#options;
    const readAt = clock.now();
    const reply = await this.#ask((redis) =>
      redis.admit(
        address.key,
        ...this.#keysOf(digest),
        String(address.ms),
        String(address.max),
        copiedField(stored),
        `${this.#nonces} ${(this.#misses += 1)}`,
        String(livesSeconds * 1_000),
        client.keyPrefix,
        `sandbox ${caller}`,
        String(client.ms),
      ),
    );
    if (!reply) return undefined;
    const [asked, left, nonce, token, mac, version, askedByClient = 0, leftOfClient = 0] = reply;
    const counted = { address: { current: asked, ttl: left } };
    if (asked > address.max) return counted;
    if (token === undefined || mac === undefined)
      return { ...counted, admission: await this.#fill(digest, stored, { nonce, readAt }) };
    const admission = this.#open(digest, { token, mac, version: version ?? "" });
    return {
      ...counted,
      client: { current: askedByClient, ttl: leftOfClient },
      admission: admission ?? (await this.#load(digest, stored)),
    };
  }

  /** What is copied of the connection is read again. A copy that cannot be removed ends within ten seconds. */
  async forget(digest: Buffer): Promise<void> {
    await this.#ask((redis) => redis.del(...this.#keysOf(digest)));
  }

  /** Resolves when no process admits the token by a copy any more: at once, or when all copies have ended. */
  async end(digest: Buffer): Promise<void> {
    const ended = await this.#ask((redis) =>
      redis.endCopy(...this.#keysOf(digest), String(2 * livesSeconds * 1_000)),
    );
    if (ended === undefined) await this.#options.clock.sleep(livesSeconds * 1_000);
  }

  close(): void {
    this.#redis.disconnect();
  }

  /** A copy lives ten seconds from the moment before its token was read. */
  async #fill(
    digest: Buffer,
    stored: StoredData | undefined,
    { nonce, readAt }: { nonce: string | undefined; readAt: Date },
  ): Promise<Admission | undefined> {
    const startedAt = performance.now();
    const loaded = await loadAdmission(this.#options.pool, digest);
    if (!loaded) return undefined;
    const leftMs = Math.floor(livesSeconds * 1_000 - (performance.now() - startedAt));
    if (nonce && !loaded.admission.isDisconnected && leftMs > 0)
      await this.#ask((redis) =>
        redis.fillCopy(
          ...this.#keysOf(digest),
          nonce,
          String(leftMs),
          ...this.#copyOf(digest, loaded, readAt),
        ),
      );
    return pick(loaded, stored);
  }

  async #load(digest: Buffer, stored: StoredData | undefined): Promise<Admission | undefined> {
    const loaded = await loadAdmission(this.#options.pool, digest);
    return loaded && pick(loaded, stored);
  }

  #copyOf(
    digest: Buffer,
    { admission, versions, isWhole }: LoadedAdmission,
    readAt: Date,
  ): string[] {
    const text = JSON.stringify({
      ...admission,
      digest: undefined,
      readAt: readAt.toISOString(),
      isWhole,
    });
    const client = admission.isSharedSandbox ? "" : admission.clientId;
    const fields = [...versions].flatMap(([field, { version, fetchedAt }]) => [
      field,
      `${fetchedAt.getTime()} ${version}`,
    ]);
    return ["token", text, "mac", this.#mac(digest, text), "client", client, ...fields];
  }

  /** Undefined for a copy that is not of this token, too old, or without what is asked for. */
  #open(
    digest: Buffer,
    { token, mac, version }: { token: string; mac: string; version: string },
  ): Admission | undefined {
    const checked = this.#check(digest, token, mac);
    if (!checked) return undefined;
    const { readAtMs, isWhole, admission } = checked;
    const ageMs = Math.abs(this.#options.clock.now().getTime() - readAtMs);
    if (ageMs > livesSeconds * 1_000 || (version === "" && !isWhole)) return undefined;
    return { digest, ...admission, snapshot: openVersion(version) };
  }

  #check(digest: Buffer, token: string, mac: string): CheckedCopy | undefined {
    const key = digest.toString("base64url");
    const known = this.#checked.get(key);
    if (known?.token === token && known.mac === mac) return known;
    if (!isSameDigest(Buffer.from(mac), Buffer.from(this.#mac(digest, token)))) return undefined;
    const { readAt, isWhole, ...admission } = JSON.parse(token) as CopiedToken;
    const checked = { token, mac, readAtMs: Date.parse(readAt), isWhole, admission };
    this.#checked.set(key, checked);
    return checked;
  }

  #mac(digest: Buffer, token: string): string {
    return this.#options.macKey.mac("admission\0", digest, token).toString("base64url");
  }

  #keysOf(digest: Buffer): [string, string] {
    const key = `${this.#options.redis.prefix}:admission:${digest.toString("base64url")}`;
    return [key, `${key}:nonce`];
  }

  /** Undefined while Redis is away. After a failure nobody waits for it for a second. */
  async #ask<Reply>(command: (redis: Commands) => Promise<Reply>): Promise<Reply | undefined> {
    if (this.#redis.status !== "ready" || performance.now() < this.#pausedUntil) return undefined;
    try {
      const reply = await command(this.#redis);
      this.#outage.recovered();
      return reply;
    } catch (error) {
      this.#outage.failed(error);
      this.#pausedUntil = performance.now() + redisPauseMs;
      return undefined;
    }
  }
}

function pick({ admission, versions }: LoadedAdmission, stored: StoredData | undefined): Admission {
  return { ...admission, snapshot: versions.get(copiedField(stored)) };
}

function openVersion(text: string): Admission["snapshot"] {
  if (text === "") return undefined;
  const [fetchedAt = "", version = ""] = text.split(" ");
  return { version, fetchedAt: new Date(Number(fetchedAt)) };
}
