import { inject } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { buildWorker } from "../../src/start/worker.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { FlakyProxy } from "./flaky-proxy.ts";
import { createHarness, type Harness } from "./harness.ts";

export interface ServiceBehindProxy {
  database: TestDatabase;
  proxy: FlakyProxy;
  harness: Harness;
  close(): Promise<void>;
}

/** The service with its Postgres behind a proxy, api and workers in one. */
export async function buildServiceBehindProxy(): Promise<ServiceBehindProxy> {
  const database = await createTestDatabase();
  const proxy = await FlakyProxy.before(inject("postgresUrl"));
  const harness = await createHarness({
    database,
    clock: systemClock,
    env: { DATABASE_URL: proxy.through(database.url) },
  });
  const worker = buildWorker(harness.services);
  return {
    database,
    proxy,
    harness,
    close: async () => {
      await proxy.restore();
      await worker.stop();
      await harness.close();
      await proxy.close();
      await database.drop();
    },
  };
}
