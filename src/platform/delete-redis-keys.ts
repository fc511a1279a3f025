import { withTimeout } from "./with-timeout.ts";
import { openRedis } from "./open-redis.ts";

const mostAtOnce = 1_000;
const connectLimitMs = 5_000;

/** Deletes every key whose name begins with the prefix and a colon. Returns how many they were. */
export async function deleteRedisKeys(url: string, prefix: string): Promise<number> {
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
