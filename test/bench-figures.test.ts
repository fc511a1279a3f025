import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { committedRuns, type Row, type Run } from "../bench/figures.ts";
import { isWorseAgain, report, rowOf, type Claim } from "../bench/report.ts";
import { withFigures } from "../bench/write-page.ts";
import { projectDir } from "./support/program-environment.ts";

const kept = {
  name: "a poll",
  target: 0.5,
  ratios: [0.39, 0.4, 0.41, 0.4, 0.38, 0.42, 0.4],
} satisfies Claim;

function runOf(claim: Claim): Run {
  return { at: "2026-01-01", machine: "Node", rows: { [claim.name]: rowOf(claim) } };
}

function reportOf(claim: Claim, ...runs: readonly Run[]): { isGood: boolean; printed: string } {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const isGood = report([claim], runs).length === 0;
  return { isGood, printed: write.mock.calls.map(([text]) => String(text)).join("") };
}

describe("a run of the bench", () => {
  test.each([
    ["the same figures, of which a target is missed", 1, true],
    ["a tenth less", 0.9, true],
    ["what costs 1.4 times as much", 1 / 1.4, false],
  ])("with %s", (_, factor, isGood) => {
    const ratios = kept.ratios.map((ratio) => ratio * factor);
    expect(reportOf({ ...kept, ratios }, runOf(kept), runOf(kept)).isGood).toBe(isGood);
  });

  test("is held against the lower one of two runs", () => {
    const lower = { ...kept, ratios: kept.ratios.map((ratio) => ratio / 1.3) };
    const worse = { ...kept, ratios: kept.ratios.map((ratio) => ratio / 1.4) };
    expect(reportOf(worse, runOf(kept), runOf(lower)).isGood).toBe(true);
    expect(reportOf(worse, runOf(kept)).isGood).toBe(false);
  });

  test("is not worse while a quarter of its rounds is as good as before", () => {
    const ratios = [0.2, 0.2, 0.2, 0.2, 0.2, 0.42, 0.42];
    expect(reportOf({ ...kept, ratios }, runOf(kept)).isGood).toBe(true);
  });

  test.each([
    ["the same claim", ["a poll"], true],
    ["another claim", ["a read"], false],
    ["none", [], false],
  ])("that is worse is so when %s is worse the second time", (_, again, isWorse) => {
    expect(isWorseAgain(["a poll"], again)).toBe(isWorse);
  });

  test("tells a target that is missed, and a row that is new", () => {
    expect(reportOf(kept, runOf(kept)).printed).toContain("target missed");
    const { target: _, ...without } = kept;
    expect(reportOf(without).printed).toContain("new");
    const costs = [{ ours: 3_000, reference: 1 }];
    const dear = { ...without, targetUs: 2_500, costs };
    expect(reportOf(dear).printed).toContain("target missed");
  });
});

test("docs/performance.md has the figures that were kept", () => {
  const page = readFileSync(join(projectDir, "docs/performance.md"), "utf8");
  expect(withFigures(page, committedRuns())).toBe(page);
});

test("the table of sizes has the costs of an hour's polls and GETs of the last run that measured them", () => {
  const row = (us: number): Row => ({ ...rowOf(kept), us: { ours: us, reference: 1 } });
  const rows = {
    "redis: worker, a poll of 100 unchanged employees in 20 requests, against": row(36_000),
    "redis: worker, a poll of 100 unchanged employees of a provider that": row(3_600),
    "redis: worker, a poll of 100 unchanged employees by a look in 2 requests, against":
      row(18_000),
    "redis: stores, a poll of 100 unchanged employees in 20 requests, against": row(7_200),
    "redis: stores, a poll of 100 unchanged employees of a provider that": row(3_600),
    "redis: 5000 tokens of 100 employees at random": row(360),
  };
  const begin = ["figures", "sizing"].map(
    (name) => `<!-- ${name}: made by npm run bench -- --keep -->\n`,
  );
  const page = `${begin[0]}<!-- end of figures -->${begin[1]}<!-- end of sizing -->`;
  const run = { at: "2026-01-01", machine: "Node", rows };
  const lines = withFigures(page, [run, runOf(kept)]).split("\n");
  expect(lines).toContain("| one, in ms | | 36 | 3.6 | 18 | 7.2 | 3.6 | 0.36 |");
  expect(lines).toContain("| 1,000,000 | 280 | 10 | 1 | 5 | 2 | 1 | 0.1 |");
});
