import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import type { Clock } from "../platform/clock.ts";
import { isSameDigest, type Keyring } from "../platform/crypto/index.ts";
import { loadTogether } from "../platform/load-together.ts";
import type { Log } from "../platform/log.ts";
import { countLua, type RequestWindows, type WindowCount } from "../platform/http/index.ts";
import { OptionalRedis } from "../platform/open-redis.ts";
import { waitUntil } from "../platform/repeat.ts";
import {
  copiedField,
  type Admission,
  type Admissions,
  type StoredData,
  type WholeAdmission,
} from "./find-admission.ts";

export interface AdmissionCopiesOptions {
  admissions: Admissions;
  keyring: Keyring;
  redis: { url: string; prefix: string };
  clock: Clock;
  log: Log;
}

/** How often a request was counted, and what its token gives access to. */
export interface CountedAdmission {
  address: WindowCount;
  /** Undefined when the address has asked too often, and when there is no copy of the token. */
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
  mac: string;
  readAtMs: number;
  isWhole: boolean;
  admission: Omit<Admission, "digest" | "snapshot">;
}

/** One request whose windows are counted, and whose token is looked up. */
interface Asked {
  copyKey: string;
  stored: StoredData | undefined;
  windows: RequestWindows;
  /** A copy that Redis does not have to send again. */
  known: CheckedCopy | undefined;
}

/** Commands of the names of the scripts. Each takes the number of its keys first. */
type AdmissionCommands = Redis & {
  admit(keys: number, ...args: (string | number)[]): Promise<AdmitReply[]>;
  fillCopy(keys: 2, ...args: string[]): Promise<number>;
  endCopy(keys: 2, ...args: string[]): Promise<number>;
};
type AdmitReply = [number, number, string?, string?, string?, string?, number?, number?];

/**
 * For each request of a turn: reads the copy, and counts in its windows. A copy whose MAC is known comes without its
 * text. A miss leaves a nonce, which whoever fills the copy has to name: a disconnect removes it, and a later miss
 * replaces it.
 */
const admit = `${countLua}
local nonce, nonceMs = ARGV[#ARGV - 1], ARGV[#ARGV]
local function admit(address, copyKey, ms, max, site, siteMax, clientPrefix, sandbox, clientMs, field, known)
  local asked, left = count(address, ms)
  if asked > tonumber(max) then return {asked, left} end
  if site ~= "" then
    local askedBySite, leftOfSite = count(site, ms)
    if askedBySite > tonumber(siteMax) then return {tonumber(max) + 1, leftOfSite} end
  end
  local mac, copied, version, ended = unpack(redis.call("HMGET", copyKey, "mac", "client", field, "ended"))
  if ended then return {asked, left} end
  if not mac then
    redis.call("SET", copyKey .. ":nonce", nonce, "PX", nonceMs)
    return {asked, left, nonce}
  end
  local client = copied == "" and sandbox or copied
  local askedByClient, leftOfClient = count(clientPrefix .. client, clientMs)
  local token = mac ~= known and redis.call("HGET", copyKey, "token") or ""
  return {asked, left, "", token, mac, version or "", askedByClient, leftOfClient}
end
local replies = {}
for i = 1, #KEYS / 2 do
  replies[i] = admit(KEYS[2 * i - 1], KEYS[2 * i], unpack(ARGV, 9 * i - 8, 9 * i))
end
return replies
`;
/** Stores a copy, unless its nonce is gone or another one took its place. */
const fillCopy = `
if redis.call("GET", KEYS[2]) ~= ARGV[1] then return 0 end
redis.call("DEL", KEYS[1], KEYS[2])
redis.call("HSET", KEYS[1], unpack(ARGV, 3))
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return 1
`;
/** From now on there is no copy, and nobody who read the token before stores one. */
const endCopy = `
redis.call("DEL", KEYS[1], KEYS[2])
redis.call("HSET", KEYS[1], "ended", "1")
redis.call("PEXPIRE", KEYS[1], ARGV[1])
return 1
`;

const mostChecked = 10_000;
const mostTogether = 100;
const endedTogether = 500;
const livesSeconds = 10;
const askAgainMs = 200;

/**
 * Copies of admissions in Redis, which live for ten seconds: one script call counts a request in its windows and says
 * what its token gives access to. Postgres stays the truth: what is lost, stale or not ours is read there again.
 */
export class AdmissionCopies {
  readonly #options: AdmissionCopiesOptions;
  readonly #redis: OptionalRedis<AdmissionCommands>;
  /** Copies that were checked, by their key. */
  readonly #checked = new LRUCache<string, CheckedCopy>({ max: mostChecked });
  /** A nonce is this process's own, and of one script call. */
  readonly #nonces = randomBytes(12).toString("base64url");
  /** A script call counts and looks up for all requests that arrived in the same turn of the event loop. */
  readonly #replies = loadTogether(
    (requests: readonly Asked[]) => this.#admitTogether(requests),
    mostTogether,
  );
  #scriptCalls = 0;

  constructor(options: AdmissionCopiesOptions) {
    this.#options = options;
    this.#redis = new OptionalRedis({
      url: options.redis.url,
      log: options.log,
      what: "the Redis of the admissions",
      scripts: { admit, fillCopy, endCopy },
    });
  }

  /** Undefined while Redis is away, or slow: then the request may have been counted in its windows or not. */
  async admit(
    digest: Buffer,
    stored: StoredData | undefined,
    windows: RequestWindows,
  ): Promise<CountedAdmission | undefined> {
    const { clock, admissions } = this.#options;
    const { address } = windows;
    const readAt = clock.now();
    const copyKey = this.#keyOf(digest);
    const known = this.#checked.get(copyKey);
    const reply = await this.#replies.load({ copyKey, stored, windows, known });
    if (!reply) return undefined;
    const [asked, left, nonce, token, mac, version, askedByClient = 0, leftOfClient = 0] = reply;
    const counted = { address: { current: asked, ttl: left } };
    if (asked > address.max) return counted;
    if (token === undefined || mac === undefined)
      return { ...counted, admission: await this.#fill(digest, stored, { nonce, readAt }) };
    const copy = known?.mac === mac ? known : this.#check(digest, token, mac);
    const admission = copy && this.#open(digest, copy, version ?? "");
    return {
      ...counted,
      client: { current: askedByClient, ttl: leftOfClient },
      admission: admission ?? (await admissions.find(digest, stored)),
    };
  }

  async #admitTogether(requests: readonly Asked[]): Promise<(AdmitReply | undefined)[]> {
    const replies = await this.#redis.ask((redis) =>
      redis.admit(
        2 * requests.length,
        ...requests.flatMap(({ copyKey, windows }) => [windows.address.key, copyKey]),
        ...requests.flatMap(({ stored, known, windows: { address, site, client, caller } }) => [
          address.ms,
          address.max,
          site?.key ?? "",
          site?.max ?? 0,
          client.keyPrefix,
          sandboxWindow(caller),
          client.ms,
          copiedField(stored),
          known?.mac ?? "",
        ]),
        `${this.#nonces} ${(this.#scriptCalls += 1)}`,
        livesSeconds * 1_000,
      ),
    );
    return replies ?? requests.map(() => undefined);
  }

  /** What is copied of the connection is read again. A copy that cannot be removed ends within ten seconds. */
  async forget(digest: Buffer): Promise<void> {
    await this.#redis.ask((redis) => redis.del(...this.#keysOf(digest)));
  }

  /**
   * Resolves when no process admits the tokens by a copy any more: as soon as Redis has been told, or when all copies
   * have ended.
   */
  async end(digests: readonly Buffer[]): Promise<void> {
    const { clock } = this.#options;
    const done = new AbortController();
    const copiesEnd = clock.sleep(livesSeconds * 1_000, done.signal).catch(() => undefined);
    await Promise.race([copiesEnd, this.#endAll(digests, done.signal)]);
    done.abort();
  }

  async #endAll(digests: readonly Buffer[], signal: AbortSignal): Promise<void> {
    const again = { everyMs: askAgainMs, clock: this.#options.clock, signal };
    for (let at = 0; at < digests.length && !signal.aborted; at += endedTogether) {
      const some = digests.slice(at, at + endedTogether);
      await waitUntil(() => this.#endCopies(some), again).catch(() => undefined);
    }
  }

  /** False while Redis is away. */
  async #endCopies(digests: readonly Buffer[]): Promise<boolean> {
    const endsMs = String(2 * livesSeconds * 1_000);
    const ended = await this.#redis.ask((redis) =>
      Promise.all(digests.map((digest) => redis.endCopy(2, ...this.#keysOf(digest), endsMs))),
    );
    return ended !== undefined;
  }

  close(): void {
    this.#redis.close();
  }

  /** A copy lives ten seconds from the moment before its token was read. */
  async #fill(
    digest: Buffer,
    stored: StoredData | undefined,
    { nonce, readAt }: { nonce: string | undefined; readAt: Date },
  ): Promise<Admission | undefined> {
    const { admissions } = this.#options;
    const startedAt = performance.now();
    const loaded = await admissions.findWhole(digest);
    if (!loaded) return undefined;
    const leftMs = Math.floor(livesSeconds * 1_000 - (performance.now() - startedAt));
    if (nonce && !loaded.admission.isDisconnected && leftMs > 0)
      await this.#redis.ask((redis) =>
        redis.fillCopy(
          2,
          ...this.#keysOf(digest),
          nonce,
          String(leftMs),
          ...this.#copyOf(digest, loaded, readAt),
        ),
      );
    const snapshot = loaded.versions.get(copiedField(stored));
    if (!snapshot && !loaded.isWhole) return await admissions.find(digest, stored);
    return { ...loaded.admission, snapshot };
  }

  #copyOf(
    digest: Buffer,
    { admission, versions, isWhole }: WholeAdmission,
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

  /** Undefined for a copy that is too old, or without what is asked for. */
  #open(
    digest: Buffer,
    { readAtMs, isWhole, admission }: CheckedCopy,
    version: string,
  ): Admission | undefined {
    const ageMs = Math.abs(this.#options.clock.now().getTime() - readAtMs);
    if (ageMs > livesSeconds * 1_000 || (version === "" && !isWhole)) return undefined;
    return { digest, ...admission, snapshot: openVersion(version) };
  }

  /** Undefined for a copy that is not of this token. */
  #check(digest: Buffer, token: string, mac: string): CheckedCopy | undefined {
    if (!isSameDigest(Buffer.from(mac), Buffer.from(this.#mac(digest, token)))) return undefined;
    const { readAt, isWhole, ...admission } = JSON.parse(token) as CopiedToken;
    const checked = { mac, readAtMs: Date.parse(readAt), isWhole, admission };
    this.#checked.set(this.#keyOf(digest), checked);
    return checked;
  }

  /** Binds a copy to its token, so that who writes to Redis gives nobody access. */
  #mac(digest: Buffer, token: string): string {
    const macKey = this.#options.keyring.macKey("admission");
    return macKey.mac("admission\0", digest, token).toString("base64url");
  }

  #keysOf(digest: Buffer): [copy: string, nonce: string] {
    const key = this.#keyOf(digest);
    return [key, `${key}:nonce`];
  }

  #keyOf(digest: Buffer): string {
    return `${this.#options.redis.prefix}:admission:${digest.toString("base64url")}`;
  }
}

/** Whose window a request with the shared sandbox token counts in: its callers are strangers to each other. */
export function sandboxWindow(caller: string): string {
  return `sandbox ${caller}`;
}

function openVersion(text: string): Admission["snapshot"] {
  if (text === "") return undefined;
  const [fetchedAt = "", version = ""] = text.split(" ");
  return { version, fetchedAt: new Date(Number(fetchedAt)) };
}
