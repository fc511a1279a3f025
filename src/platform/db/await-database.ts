import type { SteadyClock } from "../clock.ts";
import { describeOutage } from "../describe-outage.ts";
import type { Log } from "../log.ts";
import { BoundedClient } from "./bounded-client.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";
import { nameSession } from "./program-name.ts";

const tryEveryMs = 500;
const logEveryMs = 5_000;
const connectTimeoutMs = 3_000;

/**
 * Waits for a database that is not there yet, such as one that starts beside this process, and says every few seconds
 * what it waits for. Throws why it is not there when the time is over, and at once what no wait mends: a wrong
 * password, a database that does not exist.
 */
export async function awaitDatabase(
  databaseUrl: string,
  { waitMs, clock, log }: { waitMs: number; clock: SteadyClock; log: Log },
): Promise<void> {
  const startedAtMs = clock.elapsedMs();
  let loggedAtMs = -Infinity;
  for (;;) {
    const error = await tryToConnect(databaseUrl);
    if (error === undefined) return;
    const nowMs = clock.elapsedMs();
    const leftMs = startedAtMs + waitMs - nowMs;
    if (!mayComeSoon(error) || waitMs === 0) throw error;
    if (nowMs - loggedAtMs >= logEveryMs) {
      loggedAtMs = nowMs;
      const { detail } = describeOutage(error);
      log.warn(
        {
          ...(detail !== undefined && { detail }),
          secondsLeft: Math.max(0, Math.ceil(leftMs / 1_000)),
        },
        "the database is not there yet; the start goes on as soon as it is",
      );
    }
    if (leftMs <= 0) throw error;
    await clock.sleep(Math.min(tryEveryMs, leftMs));
  }
}

async function tryToConnect(databaseUrl: string): Promise<Error | undefined> {
  const client = new BoundedClient({
    ...nameSession(databaseUrl),
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    client.connection.stream.destroy();
  }
}

/** SQLSTATE class 28 is a login that is refused. */
function mayComeSoon(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return isDatabaseUnavailable(error) && !String(code).startsWith("28");
}
