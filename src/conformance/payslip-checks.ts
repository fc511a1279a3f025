import type { Checkable } from "../providers/index.ts";
import { isBalancedPayslip } from "../reading/records/index.ts";
import type { CheckDefinition } from "./check.ts";
import { expectThat, NotConforming } from "./expect-failure.ts";
import type { ReadRecord } from "./trial.ts";
import { recordsOf, type UsualReads } from "./usual-reads.ts";

/** A payslip has them from its pay run. */
const ofRun = ["start_date", "end_date", "payment_date"] as const;
/** A shorter one may as well be the number of a page. */
const shortestId = 2;
type Payslip = Parameters<typeof isBalancedPayslip>[0];
const lists = ["earnings", "deductions", "taxes", "reimbursements"] as const;

const hasNoPayslips = ({ adapter }: Checkable): string | undefined =>
  adapter.resources.payslips ? undefined : "it has no payslips";

export const payslipChecks: readonly CheckDefinition[] = [
  {
    name: "payslips",
    title: "each pay run has payslips of its own, with its days",
    scenario: "usual",
    leftOutFor: hasNoPayslips,
    look: (usual) => {
      const runs = listRuns(usual);
      const filled = runs.filter(({ slips }) => slips.length > 0).length;
      expectThat(
        filled > 1,
        `${filled} of the ${runs.length} pay runs that were read have payslips: give the fake two that have, ` +
          "or a `range` that has two, so that it is seen whose payslips come",
      );
      expectOwnSlips(runs);
      expectAskedByRun(runs);
      for (const { run, slips } of runs) for (const slip of slips) expectDaysOf(run, slip);
    },
  },
  {
    name: "sums",
    title: "the lists of a payslip make its totals, in whole minor units",
    scenario: "usual",
    leftOutFor: hasNoPayslips,
    look: (usual) => {
      const reads = usual.reads.get("payslips") ?? [];
      const nulled = [...new Set(reads.flatMap(({ nulledFields }) => nulledFields))];
      expectThat(
        nulled.length === 0,
        `${nulled.join(", ")} of payslips contradict each other: gross pay is the sum of the earnings, and net pay is ` +
          "gross pay without deductions and the employee's taxes, with reimbursements",
      );
      const slips = reads.flatMap(({ records }) => records);
      expectBalanced(usual, slips);
      const broken = slips.flatMap(amountsOf).find((amount) => !Number.isInteger(amount));
      expectThat(
        broken === undefined,
        `an amount of a payslip is ${broken}, which is no whole number of minor units: use toMinorUnits of the kit`,
      );
      const isTold = slips.some((slip) => isWhole(withEmptyLists(usual, slip)));
      return isTold ? undefined : "no payslip has both totals and all of its lists";
    },
  },
];

/** A list that the adapter never gives counts as empty: null says that the system does not tell it. */
function expectBalanced(usual: UsualReads, slips: readonly ReadRecord[]): void {
  const told = slips.filter((slip) => lists.some((list) => slip[list] !== null));
  const wrong = told.filter((slip) => !isBalancedPayslip(withEmptyLists(usual, slip)));
  const [first] = wrong;
  if (!first) return;
  const missing = lists.filter((list) => first[list] === null && !isGiven(usual, list));
  throw new NotConforming(
    `the lists of ${wrong.length} of ${slips.length} payslips do not make their totals, where ${missing.join(", ")} ` +
      "count as empty, because no record gives them: give null for a list that the system does not tell",
  );
}

function withEmptyLists(usual: UsualReads, slip: ReadRecord): Payslip {
  const empty = lists.filter((list) => slip[list] === null && !isGiven(usual, list));
  return { ...slip, ...Object.fromEntries(empty.map((list) => [list, []])) } as Payslip;
}

function isGiven({ given }: UsualReads, list: string): boolean {
  return given.get("payslips")?.has(list) ?? false;
}

function isWhole(slip: Payslip): boolean {
  return ([...lists, "gross_pay", "net_pay"] as const).every((field) => slip[field] !== null);
}

interface RunOfSlips {
  run: ReadRecord;
  slips: readonly ReadRecord[];
  /** What the requests of the read name: parts of paths, and values of queries and bodies. */
  named: ReadonlySet<string>;
}

function listRuns(usual: UsualReads): RunOfSlips[] {
  const runs = recordsOf(usual, "payruns");
  return (usual.reads.get("payslips") ?? []).map(({ records: slips, asked }, index) => {
    const named = asked.flatMap(({ request: { url, query, json, form } }) => [
      ...new URL(url).pathname.split("/").map(decodeURIComponent),
      ...new URL(url).searchParams.values(),
      ...listTexts([query, json, form]),
    ]);
    return { run: runs[index] ?? {}, slips, named: new Set(named) };
  });
}

function listTexts(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(listTexts);
}

/** Where two pay runs have the same amounts, the requests tell whose payslips came. */
function expectAskedByRun(runs: readonly RunOfSlips[]): void {
  const ids = runs.map(({ run }) => String(run["remote_id"]));
  const contents = runs.map(({ slips }) => slips.map(contentOf).map(withoutDays).toSorted().join());
  for (const [index, { named }] of runs.entries()) {
    const own = ids[index] ?? "";
    const other = ids.findIndex(
      (id, at) =>
        at !== index && id.length > shortestId && named.has(id) && contents[at] === contents[index],
    );
    expectThat(
      other < 0 || named.has(own),
      `the payslips of pay run ${own} have the amounts of those of ${ids[other]}, whose id the requests name: ask for ` +
        "those of `parameters.payrunRemoteId`",
    );
  }
}

function withoutDays(content: ReadRecord): string {
  return JSON.stringify(
    Object.entries(content).filter(([name]) => !ofRun.some((one) => one === name)),
  );
}

/** What a payslip says beside its pay run. */
function contentOf(slip: ReadRecord): ReadRecord {
  const { id: _id, payrun_id: _runId, payrun_remote_id: _runRemoteId, ...content } = slip;
  return content;
}

function expectOwnSlips(runs: readonly RunOfSlips[]): void {
  const seen = new Map<unknown, unknown>();
  for (const { run, slips } of runs)
    for (const slip of slips) {
      const identity = slip["remote_id"] ?? JSON.stringify(contentOf(slip));
      const other = seen.get(identity);
      expectThat(
        other === undefined,
        `the pay runs ${String(other)} and ${String(run["remote_id"])} have the same payslip: read those of ` +
          "`parameters.payrunRemoteId` alone",
      );
      seen.set(identity, run["remote_id"]);
    }
}

function expectDaysOf(run: ReadRecord, slip: ReadRecord): void {
  const wrong = ofRun.filter((field) => run[field] !== null && run[field] !== slip[field]);
  expectThat(
    wrong.length === 0,
    `${wrong.join(", ")} of a payslip of pay run ${String(run["remote_id"])} are not those of the pay run`,
  );
}

function amountsOf(slip: ReadRecord): number[] {
  const lines = [...lists, "contributions"].flatMap(
    (list) => (slip[list] ?? []) as { amount: number }[],
  );
  const totals = [slip["gross_pay"], slip["net_pay"]];
  return [...totals, ...lines.map(({ amount }) => amount)].filter(
    (amount) => typeof amount === "number",
  );
}
