import { describeOutage } from "../../platform/outage-log.ts";
import { openRedis } from "../../platform/open-redis.ts";
import { isOwnHost, type CheckGroup, type Finding } from "./finding.ts";

const timeoutMs = 3_000;
const leastMajorVersion = 7;

type Info = ReadonlyMap<string, string>;

/** Reads what the server tells of itself. */
export const redis: CheckGroup = {
  name: "Redis",
  async *look({ secrets }) {
    if (secrets.redisUrl === undefined) {
      yield {
        result: "ok",
        found: "REDIS_URL is not set: jobs are in Postgres, and rate limits hold for each process",
      };
      return;
    }
    const client = openRedis(secrets.redisUrl, {
      lazyConnect: true,
      // A server that loads its data tells of itself all the same.
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      connectTimeout: timeoutMs,
      commandTimeout: timeoutMs,
    });
    let lastError: unknown;
    client.on("error", (error) => (lastError = error));
    try {
      await client.connect();
      yield* describeInfo(parseInfo(await client.info()));
      yield { check: "Redis TLS", ...checkTls(new URL(secrets.redisUrl)) };
    } catch (error) {
      const told = describeOutage(lastError ?? error);
      const { detail = describeOutage(error).detail, refusal } = told;
      yield {
        result: "failed",
        found: `Redis ${refusal === undefined ? `cannot be reached (${detail ?? "no answer"})` : `refuses: ${refusal}`}`,
        advice:
          "Start it, or correct REDIS_URL and REDIS_PASSWORD. Until then limits hold for each process and reads wait.",
      };
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

function* describeInfo(info: Info): Generator<Finding> {
  const version = info.get("redis_version") ?? "unknown";
  yield Number.parseInt(version, 10) >= leastMajorVersion
    ? { check: "Redis", result: "ok", found: `Redis ${version} answers` }
    : {
        check: "Redis",
        result: "failed",
        found: `Redis ${version} is too old`,
        advice: "Upgrade it to 7 or newer.",
      };
  const policy = info.get("maxmemory_policy") ?? "unknown";
  yield policy === "noeviction"
    ? { check: "Redis memory", result: "ok", found: "maxmemory-policy is noeviction" }
    : {
        check: "Redis memory",
        result: "failed",
        found: `maxmemory-policy is ${policy}, which can drop jobs`,
        advice: "Set it to noeviction: the service does not start with another one.",
      };
  yield checkPersistence(info);
  const role = info.get("role") ?? "unknown";
  yield role === "master"
    ? { check: "Redis role", result: "ok", found: "it is the master" }
    : {
        check: "Redis role",
        result: "failed",
        found: `it is a ${role === "slave" ? "replica" : role}`,
        advice: "Let REDIS_URL lead to the master.",
      };
}

/** Nothing in Redis has to be kept. One that tries to save and cannot takes no writes. */
function checkPersistence(info: Info): Finding {
  const check = "Redis persistence";
  if (info.get("loading") === "1")
    return {
      check,
      result: "warning",
      found: "it loads its data",
      advice: "Wait until it is done, and run this again.",
    };
  const isFailing =
    info.get("rdb_last_bgsave_status") === "err" || info.get("aof_last_write_status") === "err";
  if (isFailing)
    return {
      check,
      result: "failed",
      found: "it cannot save its data, so it takes no writes",
      advice: "Look at its log and its disk, or switch saving off: nothing in it has to be kept.",
    };
  const kind = info.get("aof_enabled") === "1" ? "an append-only file" : "no append-only file";
  return { check, result: "ok", found: `${kind}; nothing in it has to be kept` };
}

function checkTls({ protocol, hostname }: URL): Omit<Finding, "check"> {
  if (protocol === "rediss:") return { result: "ok", found: "the connection is encrypted" };
  return isOwnHost(hostname)
    ? { result: "ok", found: "not encrypted, on this machine" }
    : {
        result: "warning",
        found: "what goes to another machine is not encrypted",
        advice: "Use a rediss:// address, unless the network is private.",
      };
}
