import { describeOutage } from "../../platform/outage-log.ts";
import { openRedisOnce } from "../../platform/open-redis.ts";
import { checkTls, failed, ok, warning, type CheckGroup, type Found } from "./finding.ts";

const timeoutMs = 3_000;
const leastMajorVersion = 7;

type Info = ReadonlyMap<string, string>;

/** Reads what the server tells of itself. */
export const redis: CheckGroup = {
  name: "Redis",
  async *look({ secrets }) {
    if (secrets.redisUrl === undefined) {
      yield ok("REDIS_URL is not set: jobs are in Postgres, and rate limits hold for each process");
      return;
    }
    const client = openRedisOnce(secrets.redisUrl, timeoutMs);
    let lastError: unknown;
    client.on("error", (error) => (lastError = error));
    try {
      await client.connect();
      yield* describeInfo(parseInfo(await client.info()));
      const { protocol, hostname } = new URL(secrets.redisUrl);
      yield {
        check: "Redis TLS",
        ...checkTls(protocol === "rediss:", hostname, "Use a rediss:// address"),
      };
    } catch (error) {
      const told = describeOutage(lastError ?? error);
      const { detail = describeOutage(error).detail, refusal } = told;
      yield failed(
        `Redis ${refusal === undefined ? `cannot be reached (${detail ?? "no answer"})` : `refuses: ${refusal}`}`,
        "Start it, or correct REDIS_URL and REDIS_PASSWORD. Until then limits hold for each process and reads wait.",
      );
    } finally {
      client.disconnect();
    }
  },
};

function parseInfo(text: string): Info {
  return new Map(
    text.split("\r\n").flatMap((line): [string, string][] => {
      const at = line.indexOf(":");
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
    }),
  );
}

function* describeInfo(info: Info): Generator<Found> {
  const version = info.get("redis_version") ?? "unknown";
  yield Number.parseInt(version, 10) >= leastMajorVersion
    ? ok(`Redis ${version} answers`, { check: "Redis" })
    : failed(`Redis ${version} is too old`, "Upgrade it to 7 or newer.", { check: "Redis" });
  const policy = info.get("maxmemory_policy") ?? "unknown";
  yield policy === "noeviction"
    ? ok("maxmemory-policy is noeviction", { check: "Redis memory" })
    : failed(
        `maxmemory-policy is ${policy}, which can drop jobs`,
        "Set it to noeviction: the service does not start with another one.",
        { check: "Redis memory" },
      );
  yield checkPersistence(info);
  const role = info.get("role") ?? "unknown";
  yield role === "master"
    ? ok("it is the master", { check: "Redis role" })
    : failed(
        `it is a ${role === "slave" ? "replica" : role}`,
        "Let REDIS_URL lead to the master.",
        { check: "Redis role" },
      );
}

/** Nothing in Redis has to be kept. One that tries to save and cannot takes no writes. */
function checkPersistence(info: Info): Found {
  const named = { check: "Redis persistence" };
  if (info.get("loading") === "1")
    return warning("it loads its data", "Wait until it is done, and run this again.", named);
  const isFailing =
    info.get("rdb_last_bgsave_status") === "err" || info.get("aof_last_write_status") === "err";
  if (isFailing)
    return failed(
      "it cannot save its data, so it takes no writes",
      "Look at its log and its disk, or switch saving off: nothing in it has to be kept.",
      named,
    );
  const kind = info.get("aof_enabled") === "1" ? "an append-only file" : "no append-only file";
  return ok(`${kind}; nothing in it has to be kept`, named);
}
