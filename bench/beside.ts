import { setTimeout as delay } from "node:timers/promises";
import { connectAccount, createClient, type Account } from "../test/chaos/accounts.ts";
import { askUntilEnded } from "../test/chaos/asking.ts";
import { startProber } from "../test/chaos/measuring.ts";
import type { RowContext } from "../test/chaos/row.ts";
import type { Stage } from "../test/chaos/stage.ts";
import { startSlowVendorProgram } from "../test/support/vendors/vendor-program.ts";
import { employeesPath } from "./companies.ts";
import { rounds } from "./options.ts";
import type { Claim, Cost } from "./report.ts";
import { withContext } from "./with-context.ts";

const quietMs = 5_000;
const allowedMs = 25;
const allowedTimes = 3;

/**
 * How much of what is allowed the 99th percentile of warm GETs takes while a company of 10,000 is read by the same
 * program: three times that of a quiet time, or 25 ms, whichever is more.
 */
export async function benchBeside(): Promise<Claim[]> {
  return await withContext("embedded", async (context) => {
    const stage = await context.stage({
      SNAPSHOT_FRESH_SECONDS: "1",
      SNAPSHOT_STALE_SECONDS: "86400",
    });
    await stage.start("all");
    const small = await connectCompany(context, stage, 100);
    const large = await connectCompany(context, stage, 10_000);
    await askUntilEnded(stage, small, { limitMs: 60_000 });
    const prober = await context.use(startProber(stage.baseUrl + employeesPath, small.token));
    const ratios: number[] = [];
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await delay(2_000);
      await prober.mark();
      await delay(quietMs);
      const quiet = await prober.mark();
      const { status } = await askUntilEnded(stage, large, { limitMs: 60_000 });
      const during = await prober.mark();
      if (status !== 200 || during.failed > 0) throw new Error("a reply was missing");
      const allowed = Math.max(allowedTimes * quiet.p99Ms, allowedMs);
      ratios.push(allowed / during.p99Ms);
      costs.push({ ours: during.p99Ms * 1_000, reference: quiet.p99Ms * 1_000 });
      await letItGrowOld(stage);
    }
    const name = "p99 of warm GETs beside a read of 10,000, against what is allowed";
    return [{ name, target: 1, ratios, costs }];
  });
}

async function connectCompany(
  context: RowContext,
  stage: Stage,
  employees: number,
): Promise<Account> {
  const vendor = await context.use(startSlowVendorProgram({ employees }));
  return await connectAccount(stage, await createClient(stage), {
    url: vendor.url,
    username: `company-${employees}`,
  });
}

/** The next request waits for a new read of the large company. */
async function letItGrowOld(stage: Stage): Promise<void> {
  await stage.query(
    `delete from snapshots where connection_id in (select connection_id from reads where records > 5000)`,
  );
  await stage.query("update reads set settled_at = now() - interval '1 day' where records > 5000");
}
