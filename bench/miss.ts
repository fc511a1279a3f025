import {
  employeesPath,
  fetchEmployees,
  headersOf,
  sizes,
  withCompanies,
  type Companies,
  type Size,
} from "./companies.ts";
import { costPerRequest, serverAt } from "./load.ts";
import { rounds } from "./options.ts";
import type { Claim, Cost } from "./report.ts";
import { startServer } from "./start-server.ts";

const requestsOf: Record<Size, { ours: number; usual: number }> = {
  100: { ours: 400, usual: 60 },
  1_000: { ours: 200, usual: 12 },
  10_000: { ours: 40, usual: 2 },
};
const targets: Record<Size, number> = { 100: 25, 1_000: 40, 10_000: 45 };

/** A reply that no cache has, opened from Postgres, against what the usual stack does for it. */
export async function benchMiss(): Promise<Claim[]> {
  return await withCompanies("embedded", { CACHE_MAX_BYTES: "4096" }, async (companies) => {
    const { stage, tokens, pids, defer } = companies;
    await fillUsual(companies);
    const ours = serverAt(stage.baseUrl, pids);
    defer("the sockets", () => ours.pool.destroy());
    const stores = () => pids().filter((pid) => !stage.pids.includes(pid));
    const usual = await startServer("usual-server.ts", stage.databaseUrl, { defer, stores });
    const claims: Claim[] = [];
    for (const size of sizes) {
      const costs: Cost[] = [];
      for (let round = -1; round < rounds; round += 1) {
        const headers = headersOf(tokens[size], "br");
        const count = requestsOf[size];
        const reference = await costPerRequest(
          usual,
          { path: `/employees/${size}`, headers },
          count.usual,
        );
        const cost = await costPerRequest(ours, { path: employeesPath, headers }, count.ours);
        if (round < 0) continue;
        costs.push({ ours: cost, reference });
      }
      const name = `a reply that no cache has, ${size} employees, against rows + stringify + compress`;
      claims.push({ name, target: targets[size], costs });
    }
    return claims;
  });
}

/** The same employees as rows. */
async function fillUsual({ stage, tokens }: Companies): Promise<void> {
  await stage.query(
    "create table usual_employees (company integer, position integer, data jsonb, primary key (company, position))",
  );
  for (const size of sizes) {
    const plain = Buffer.from(await fetchEmployees(stage, tokens[size], "identity"));
    await stage.query(
      `insert into usual_employees
       select $1, n, data from jsonb_array_elements($2::jsonb) with ordinality as e (data, n)`,
      [size, plain.toString()],
    );
  }
  await stage.query("analyze usual_employees");
}
