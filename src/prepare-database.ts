import type { Config, Secrets } from "./config.ts";
import type { SteadyClock } from "./platform/clock.ts";
import { awaitDatabase, migrate } from "./platform/db/index.ts";
import { findRunningPostgres, startEmbeddedPostgres } from "./platform/embedded/index.ts";
import type { Log } from "./platform/log.ts";
import { StartRefused } from "./platform/start-refused.ts";

/** The address of the database, which has the newest schema unless it is only looked at. */
export async function prepareDatabase(
  { config, secrets }: { config: Config; secrets: Secrets },
  { isReadOnly, awaitsDatabase }: { isReadOnly?: boolean; awaitsDatabase?: boolean },
  { clock, log, disposals }: { clock: SteadyClock; log: Log; disposals: (() => Promise<void>)[] },
): Promise<string> {
  if (isReadOnly === true) return secrets.databaseUrl ?? findOwnPostgres(config);
  const databaseUrl = secrets.databaseUrl ?? (await startOwnPostgres(config, log, disposals));
  if (awaitsDatabase === true)
    await awaitDatabase(databaseUrl, { waitMs: config.databaseWaitSeconds * 1_000, clock, log });
  await migrate(databaseUrl, { clock, log });
  return databaseUrl;
}

function findOwnPostgres({ stateDir }: Config): string {
  const databaseUrl = findRunningPostgres(stateDir);
  if (databaseUrl === undefined)
    throw new StartRefused(
      `No service runs in ${stateDir}. Start it with npm start, or set DATABASE_URL and the other variables of the ` +
        "service that you operate.",
    );
  return databaseUrl;
}

async function startOwnPostgres(
  { stateDir }: Config,
  log: Log,
  disposals: (() => Promise<void>)[],
): Promise<string> {
  const postgres = await startEmbeddedPostgres({ stateDir, log });
  disposals.push(() => postgres.stop());
  return postgres.databaseUrl;
}
