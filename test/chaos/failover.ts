import { mkdtemp, chmod, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { forReplication, OwnPostgres, type StoreFault } from "./own-stores.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import { measureStoreFault } from "./store-fault.ts";

export const failover: Row = {
  name: "failover",
  target:
    "the primary dies under load, its synchronous standby is reached first and promoted then: only 200, 202 and 503, " +
    "none after 20 s; everything goes within 5 s of it; no read, token, code or change is lost",
  limitMinutes: 30,
  run: measure,
};

async function measure(context: RowContext): Promise<Measured> {
  const { proxy, takeOver } = await startPair(context);
  const stage = await context.stage({ SNAPSHOT_FRESH_SECONDS: "5" }, { databaseUrl: proxy });
  return await measureStoreFault(context, stage, { name: "a standby takes over", fault: takeOver });
}

/** Two servers behind one address, as operators have them. Every commit is in both. */
async function startPair(context: RowContext): Promise<{ proxy: string; takeOver: StoreFault }> {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-pair-"));
  context.defer("the folder of the pair", () =>
    rm(folder, { recursive: true, force: true, maxRetries: 20 }),
  );
  // The account of Postgres has to pass through.
  await chmod(folder, 0o711);
  const primary = await OwnPostgres.start(folder, forReplication);
  context.defer("the primary", () => primary.stop());
  const standby = await primary.startStandby();
  context.defer("the standby", () => standby.stop());
  const proxy = await FlakyProxy.before(primary.url);
  context.defer("the proxy of the pair", () => proxy.close());
  return {
    proxy: proxy.through(primary.url),
    takeOver: async (lastsMs) => {
      await primary.die();
      proxy.leadTo(standby.url);
      await delay(lastsMs);
      await standby.promote();
      context.note("the standby is promoted");
    },
  };
}
