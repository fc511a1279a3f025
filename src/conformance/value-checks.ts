import type { Resource } from "../model/index.ts";
import type { Checkable } from "../providers/index.ts";
import type { CheckDefinition } from "./check.ts";
import { expectThat } from "./expect-failure.ts";
import { findDifferences, listFilled, type Difference } from "./expected-records.ts";
import type { ReadRecord } from "./trial.ts";
import { recordsOf, type UsualReads } from "./usual-reads.ts";

/** What kind of value stands at a path of a record. */
type Kind = "money" | "times" | "values";

const money =
  /^(?:gross_pay|net_pay|currency|(?:earnings|contributions|deductions|taxes|reimbursements)(?:\.amount)?|employments(?:\.(?:pay_rate|pay_period|pay_frequency|currency))?)$/;
const times =
  /^(?:start_time|end_time|hours_worked|start_date|end_date|payment_date|termination_date|date_of_birth|employments\.effective_date|earnings\.hours|amount|unit|balance|used)$/;
/** What a client decides by: a wrong one looks as right as a right one. */
const decisive =
  /^(?:employment_status|employment_type|status|state|type|payrun_type|policy_type|(?:employee|payrun|policy|manager)_remote_id|manager\.remote_id|groups\.remote_id|groups\.type|taxes\.employer_tax)$/;

const checks: readonly { name: Kind; title: string }[] = [
  {
    name: "money",
    title: "amounts of money are those that the fake says, in the units of the public model",
  },
  {
    name: "times",
    title: "days, times and amounts of time are those that the fake says",
  },
  {
    name: "values",
    title: "states, ids and other values are those that the fake says",
  },
];

function isInvented({ definition }: Checkable): string | undefined {
  return definition.isSimulated
    ? "its data are invented, so each value is as right as another"
    : undefined;
}

/**
 * Only who made the fake knows what is right. So it says it of some records, and each kind of value that counts has to
 * be said once.
 */
export const valueChecks: readonly CheckDefinition[] = checks.map(({ name, title }) => ({
  name,
  title,
  scenario: "usual",
  leftOutFor: isInvented,
  look: (usual) => {
    const reads = listReads(usual);
    const wrong = reads.flatMap((read) => differencesOf(read, name).map((one) => one.wrong));
    expectThat(wrong.length === 0, wrong.join("; "));
    const needed = reads.flatMap((read) => listNeeded(read, name));
    expectThat(
      needed.length === 0,
      `\`expected\` of the fake does not say what these are, so nobody knows whether they are right: ${listPaths(needed)}`,
    );
    return whyUnchecked(reads, name);
  },
}));

export const unsaidCheck: CheckDefinition = {
  name: "unsaid",
  title: "each field that has a value is said once by the fake",
  scenario: "usual",
  leftOutFor: isInvented,
  look: (usual) => {
    const unsaid = listReads(usual).flatMap((read) => listUnsaid(read, "values"));
    return unsaid.length === 0
      ? undefined
      : `\`expected\` of the fake does not say what these are: ${listPaths(unsaid)}`;
  },
};

interface ResourceRead {
  resource: Resource;
  records: readonly ReadRecord[];
  expected: readonly ReadRecord[];
}

function listReads(usual: UsualReads): ResourceRead[] {
  const { expected = {} } = usual.fake;
  const lacking = Object.keys(expected).find((name) => !usual.resources.some((r) => r === name));
  expectThat(lacking === undefined, `\`expected\` names ${lacking}, and it does not read it`);
  return usual.resources.map((resource) => ({
    resource,
    records: recordsOf(usual, resource),
    expected: expected[resource] ?? [],
  }));
}

function differencesOf({ resource, records, expected }: ResourceRead, kind: Kind): Difference[] {
  return expected
    .flatMap((one) => findDifferences(resource, one, records))
    .filter(({ path }) => kindOf(path) === kind);
}

/** What has to be said, so that somebody has thought about it: money and times of all, and what else decides. */
function listNeeded(read: ResourceRead, kind: Kind): Unsaid[] {
  const unsaid = listUnsaid(read, kind);
  if (kind !== "values") return unsaid;
  return read.expected.length === 0 ? [] : unsaid.filter(({ path }) => decisive.test(path));
}

function whyUnchecked(reads: readonly ResourceRead[], kind: Kind): string | undefined {
  const hasKind = (records: readonly ReadRecord[]): boolean =>
    records.flatMap(listFilled).some((path) => kindOf(path) === kind);
  if (!reads.some(({ records }) => hasKind(records))) return "no record has any";
  const isSaid = reads.some(({ expected }) => hasKind(expected));
  return isSaid ? undefined : "`expected` of the fake names no record";
}

interface Unsaid {
  resource: Resource;
  path: string;
}

function listUnsaid({ resource, records, expected }: ResourceRead, kind: Kind): Unsaid[] {
  const said = new Set(expected.flatMap(listFilled));
  const filled = new Set(records.flatMap(listFilled));
  return [...filled]
    .filter((path) => kindOf(path) === kind && !said.has(path))
    .map((path) => ({ resource, path }));
}

function listPaths(unsaid: readonly Unsaid[]): string {
  const resources = new Set(unsaid.map(({ resource }) => resource));
  return [...resources]
    .map((resource) => {
      const paths = unsaid.filter((one) => one.resource === resource).map(({ path }) => path);
      return `${paths.join(", ")} of ${resource}`;
    })
    .join("; ");
}

function kindOf(path: string): Kind {
  if (money.test(path)) return "money";
  return times.test(path) ? "times" : "values";
}
