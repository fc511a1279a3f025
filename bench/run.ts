// npm run bench [-- ROW …]: measures what our mechanisms cost, as ratios against a reference in the same run. Without
// ROW it runs all of them, and ends with 1 when a ratio is worse than it was in the last runs that were kept, twice: what
// is worse is measured once more, because one of seventy ratios is so by chance. With --rounds 2 it tells whether a row
// works. --keep keeps the run in bench/figures.json and writes docs/performance.md anew. npm run bench -- flame ROW: see
// flame.ts.
import { availableParallelism } from "node:os";
import { benchBeside } from "./beside.ts";
import { benchClaims } from "./claims.ts";
import { benchCold } from "./cold.ts";
import { benchDeliveries } from "./deliveries.ts";
import { benchDifference } from "./difference.ts";
import { benchDocuments } from "./documents.ts";
import { benchExchange } from "./exchange.ts";
import { drawFlame } from "./flame.ts";
import { benchGrowth } from "./growth.ts";
import { benchIntrospect } from "./introspect.ts";
import { benchMiss } from "./miss.ts";
import { benchMocks } from "./mocks.ts";
import { benchPoll } from "./poll.ts";
import { benchPolls } from "./polls.ts";
import { benchRandomTokens } from "./random-tokens.ts";
import { committedRuns, keepRun } from "./figures.ts";
import { hasWrk } from "./load.ts";
import { keepsRun, wantedRows } from "./options.ts";
import { isWorseAgain, report, rowOf, type Claim } from "./report.ts";
import { benchStarts } from "./starts.ts";
import { benchTokens } from "./tokens.ts";
import { benchWarm } from "./warm.ts";
import { writePage } from "./write-page.ts";

const rows: Readonly<Record<string, () => Promise<Claim[]> | Claim[]>> = {
  difference: benchDifference,
  documents: benchDocuments,
  exchange: benchExchange,
  introspect: benchIntrospect,
  poll: benchPoll,
  tokens: benchTokens,
  polls: benchPolls,
  claims: benchClaims,
  growth: benchGrowth,
  warm: benchWarm,
  miss: benchMiss,
  mocks: benchMocks,
  "random-tokens": benchRandomTokens,
  cold: benchCold,
  deliveries: benchDeliveries,
  beside: benchBeside,
  starts: benchStarts,
};
const [first, ...others] = wantedRows;
if (first === "flame") await drawFlame(others[0]);
else process.exitCode = (await measureRows()) ? 0 : 1;

async function measureRows(): Promise<boolean> {
  const unknown = wantedRows.filter((name) => !(name in rows));
  if (unknown.length > 0)
    throw new Error(`there is no row ${unknown.join(", ")}: ${Object.keys(rows).join(", ")}`);
  const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`;
  process.stdout.write(`${machine}\n`);
  if (!hasWrk)
    process.stdout.write(
      "wrk is not installed: the client is slower than a bare server, which makes ours look better than it is.\n",
    );
  const measured = await measure(
    Object.keys(rows).filter((name) => wantedRows.length === 0 || wantedRows.includes(name)),
  );
  process.stdout.write("\n");
  const committed = committedRuns();
  const worse = report([...measured.values()].flat(), committed);
  if (keepsRun) {
    const claims = [...measured.values()].flat().map((claim) => [claim.name, rowOf(claim)]);
    const at = new Date().toISOString().slice(0, 10);
    const run = { at, machine, rows: Object.fromEntries(claims) };
    keepRun(run, { isWhole: wantedRows.length === 0 });
    writePage();
  }
  const suspects = [...measured.keys()].filter((name) =>
    measured.get(name)!.some((claim) => worse.includes(claim.name)),
  );
  if (suspects.length === 0) return true;
  process.stdout.write("\nWhat is worse, once more:\n");
  const again = [...(await measure(suspects)).values()].flat();
  return !isWorseAgain(worse, report(again, committed));
}

async function measure(names: Iterable<string>): Promise<Map<string, Claim[]>> {
  const measured = new Map<string, Claim[]>();
  for (const name of names) measured.set(name, await rows[name]!());
  return measured;
}
