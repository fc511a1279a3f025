import type { Checkpoint } from "../audit/index.ts";
import { ConsoleSessions } from "../console/index.ts";
import { Connect } from "../connect/index.ts";
import { NotFound, type TokenId } from "../model/index.ts";
import { transaction } from "../platform/db/index.ts";
import { StartRefused } from "../platform/start-refused.ts";
import type { Services } from "./services.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { openRedis } from "../platform/open-redis.ts";

export interface SettledRestore {
  /** Of the newest entry in the audit log: what came after it is lost. */
  newestEntryAt: Date | undefined;
  disconnected: number;
  /** Tokens that were issued after the backup, so that the database does not know them. */
  unknown: number;
  codes: number;
  signIns: number;
  redisKeys: number;
  /** The last position of the audit record that was restored. */
  from: number;
  /** The last one that a checkpoint knows, when it was lost. */
  until?: number;
}

/**
 * What a database that comes from a backup may not take up again: tokens that were disconnected since, codes, sign-ins
 * and links that may have been used since, sessions of the console that may have ended, and what Redis has of a later
 * time. It may be done again at any time before the service starts.
 */
export async function settleRestored(
  services: Services,
  disconnectedSince: readonly TokenId[],
  checkpoints: readonly Checkpoint[],
): Promise<SettledRestore> {
  const { pool, auditChain, events, keys, tokens } = services;
  await keys.refuseRunning("works on the database that was restored");
  const newestEntryAt = await findNewestEntry(services);
  const redisKeys = await forgetRedis(services);
  let unknown = 0;
  for (const tokenId of disconnectedSince)
    await tokens.disconnectById(tokenId).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
      unknown += 1;
    });
  const disconnected = disconnectedSince.length - unknown;
  await new ConsoleSessions({ ...services, environment: services.config.environment }).endAll();
  const ended = await transaction(pool, async (tx) => {
    const codes = await tokens.expireOpenCodes(tx);
    const signIns = await Connect.endSignIns(tx);
    await events.skipLost(tx);
    const lost = await auditChain.recordRestored(tx, checkpoints, { codes, signIns, disconnected });
    return { codes, signIns, ...lost };
  });
  return { newestEntryAt, disconnected, unknown, redisKeys, ...ended };
}

/** Entries that this very command may have made do not count: about keys, the database and the end of sessions. */
async function findNewestEntry({ audit, pool }: Services): Promise<Date | undefined> {
  const entries = await audit.list(pool, { limit: 50 });
  return entries.find(({ action }) => !/^(?:key\.|database\.|console\.signed-out$)/.test(action))
    ?.at;
}

async function forgetRedis({ redisUrl, config }: Services): Promise<number> {
  if (!redisUrl) return 0;
  try {
    return await deleteRedisKeys(redisUrl, config.redisPrefix);
  } catch (cause) {
    throw new StartRefused(
      "The Redis of REDIS_URL does not answer, and it may know a later time than the restored database. Start it, or " +
        "give the service an empty one, and repeat this.",
      { cause },
    );
  }
}

const mostAtOnce = 1_000;
const connectLimitMs = 5_000;

/** Deletes every key whose name begins with the prefix and a colon. Returns how many they were. */
async function deleteRedisKeys(url: string, prefix: string): Promise<number> {
  const redis = openRedis(url, { lazyConnect: true, maxRetriesPerRequest: 0 });
  // Told by the command that fails.
  redis.on("error", () => undefined);
  try {
    await withTimeout(connectLimitMs, () => redis.connect());
    let deleted = 0;
    for (let cursor = "0", isOver = false; !isOver; isOver = cursor === "0") {
      const found = await redis.scan(cursor, "MATCH", `${prefix}:*`, "COUNT", mostAtOnce);
      cursor = found[0];
      if (found[1].length > 0) deleted += await redis.unlink(...found[1]);
    }
    return deleted;
  } finally {
    redis.disconnect();
  }
}
