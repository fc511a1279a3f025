import type { Resource } from "../model/index.ts";
import { hasNoEmployees, mainResource, type CheckDefinition } from "./check.ts";
import { attempt, expectThat, NotConforming } from "./expect-failure.ts";
import { expectLossTold } from "./lost-fields.ts";
import { spread } from "./choose-some.ts";
import { chooseRequests } from "./interfere.ts";
import { inOrder, inReverse } from "./orders-of-answers.ts";
import {
  bodyOf,
  changeLists,
  findPagedList,
  listsIn,
  withBody,
  type PagedList,
} from "./seen-lists.ts";
import { otherEachTime } from "./tell-differences.ts";
import type { Trial, WholeRead } from "./trial.ts";
import { readUsual, type UsualRead } from "./usual-reads.ts";
import type { Alter, SeenAnswer } from "./watch-provider.ts";

/** So many fields are hidden, one after the other. */
const mostTries = 8;
const noPages = "no list of its reads is seen to have several pages";

/** What is made of the answers of any fake or recording: each check lets the adapter see them in another form. */
export const answerChecks: readonly CheckDefinition[] = [
  {
    name: "refused-requests",
    title: "a request that is refused with 403 is a missing right, and no shorter list",
    scenario: "usual",
    run: async (trial, context) => {
      const { reads } = await readUsual(context);
      const { limited = {} } = await trial.signIn();
      let refused = 0;
      for (const [resource, [usual]] of reads)
        if (usual) refused += await expectRefusal(trial, resource, usual, limited[resource]);
      return refused > 0
        ? undefined
        : "the system tells refusals inside of its answers: every request is a POST";
    },
  },
  {
    name: "repeated-page",
    title: "a list whose pages repeat the first one is broken, and no shorter list",
    scenario: "two-pages",
    run: async (trial) => await ofPagedLists(trial, expectRepetitionSeen),
  },
  {
    name: "endless-pages",
    title: "a list that goes on without records ends, and is no shorter list",
    scenario: "two-pages",
    run: async (trial) => await ofPagedLists(trial, expectEndSeen),
  },
  {
    name: "moved-list",
    title: "somebody who moves to another page while it is read does not look gone",
    scenario: "two-pages",
    leftOutFor: hasNoEmployees,
    run: expectMoveSeen,
  },
  {
    name: "slow",
    title: "answers that come late and in another order change nothing",
    scenario: "usual",
    run: async (trial, context) => {
      const { reads } = await readUsual(context);
      await trial.signIn();
      for (const resource of trial.resources) {
        const [usual] = reads.get(resource) ?? [];
        trial.watch.expectRequests(usual?.asked.length ?? 0);
        const slow = requireResult(await readAltered(trial, resource, inReverse(trial.watch)));
        if (slow.text === usual?.text) continue;
        const quick = requireResult(await readAltered(trial, resource, inOrder()));
        if (slow.text === quick.text) continue;
        const again = requireResult(await readAltered(trial, resource, inOrder()));
        if (again.text !== quick.text) return otherEachTime(resource);
        throw new NotConforming(
          `${resource} are others when what was asked first is answered last: keep each answer with its request`,
        );
      }
      return undefined;
    },
  },
  {
    name: "hidden-field",
    title: "a field that the system leaves out leaves nobody out",
    scenario: "usual",
    run: expectHiddenFieldBorne,
  },
];

type Outcome = Awaited<ReturnType<typeof attempt<WholeRead>>>;

/** A read with the answers as `alter` makes them. Throws for one that asks on and on. */
async function readAltered(trial: Trial, resource: Resource, alter: Alter): Promise<Outcome> {
  const parameters = await trial.parametersOf(resource);
  trial.watch.alter = alter;
  const outcome = await attempt(() => trial.read(resource, { parameters })).finally(
    () => (trial.watch.alter = undefined),
  );
  const { endless } = trial.watch;
  expectThat(
    endless === undefined,
    `the read of ${resource} asks for ${endless} again and again, and every page is the same: end it with ProviderBug`,
  );
  return outcome;
}

function requireResult(outcome: Outcome): WholeRead {
  if ("result" in outcome) return outcome.result;
  throw outcome.failure;
}

/** Returns how many requests were refused. */
async function expectRefusal(
  trial: Trial,
  resource: Resource,
  { records, asked }: UsualRead,
  limited: readonly string[] = [],
): Promise<number> {
  if (asked.every(({ request }) => request.method === "POST")) return 0;
  trial.watch.expectRequests(asked.length);
  const indexes = chooseRequests(asked);
  for (const refused of indexes) {
    const before = trial.fake.missing?.length;
    const outcome = await readAltered(trial, resource, ({ answer }, index) =>
      index === refused ? { ...withBody(answer, {}), status: 403 } : answer,
    );
    // What it asks for instead was not recorded.
    if (trial.fake.missing?.length !== before) continue;
    const which = `request ${refused + 1} of the ${asked.length} of a read of ${resource} was refused with 403`;
    if ("failure" in outcome) {
      const { kind } = outcome.failure;
      const isRight = kind === "auth" && outcome.failure.code === "insufficient_permission";
      expectThat(
        isRight || kind === "not-supported",
        `${which}, and the read fails with ${outcome.failure.name}: throw AuthError insufficient_permission`,
      );
    } else {
      const { records: found } = outcome.result;
      expectThat(
        found.length >= records.length,
        `${which}, and the read counts as complete with ${found.length} of ${records.length} records`,
      );
      expectLossTold(which, { usual: records, found }, [...limited, ...trial.watch.limited]);
    }
  }
  return indexes.length;
}

/** Does it for each resource with a list on several pages. */
async function ofPagedLists(
  trial: Trial,
  expectOne: (trial: Trial, whole: WholePagedRead) => Promise<string | undefined>,
): Promise<string | undefined> {
  await trial.signIn();
  const reasons: string[] = [];
  let tried = 0;
  for (const resource of trial.resources) {
    const { records } = await trial.read(resource);
    const { answers } = trial.watch;
    const list = findPagedList(answers);
    if (!list) continue;
    tried += 1;
    const later = answers.filter(list.isLater).length;
    const reason = await expectOne(trial, { resource, list, count: records.length, later });
    if (reason !== undefined) reasons.push(reason);
  }
  if (tried === 0) return noPages;
  return reasons.length === tried ? reasons[0] : undefined;
}

interface WholePagedRead {
  resource: Resource;
  list: PagedList;
  /** Of its records. */
  count: number;
  /** How many requests asked for a later page of the list. */
  later: number;
}

async function expectRepetitionSeen(
  trial: Trial,
  { resource, list, count, later }: WholePagedRead,
): Promise<string | undefined> {
  let repeated = 0;
  const outcome = await readAltered(trial, resource, (seen) => {
    if (!list.isLater(seen)) return seen.answer;
    repeated += 1;
    return list.first.answer;
  });
  if ("failure" in outcome) return undefined;
  const { length } = outcome.result.records;
  if (length === count) return undefined;
  if (list.by === "number" && repeated === 1 && later > 1)
    return `a page of ${list.request} that repeats the one before is the end of its list`;
  throw new NotConforming(
    `each page of ${list.request} was the first one again, and the read of ${resource} counts as complete with ` +
      `${length} of ${count} records: throw ProviderBug when a page has nothing new, as \`rest\` of the kit does`,
  );
}

async function expectEndSeen(
  trial: Trial,
  { resource, list, count }: WholePagedRead,
): Promise<string | undefined> {
  if (!list.saysNext(withoutRecords(list.first)))
    return "its lists end with an empty page, or as their counts say";
  const outcome = await readAltered(trial, resource, (seen) =>
    list.isLater(seen) ? withoutRecords(list.first) : seen.answer,
  );
  if ("failure" in outcome) return undefined;
  const { length } = outcome.result.records;
  expectThat(
    length >= count,
    `each page of ${list.request} said that there is another one, and had no record, and the read of ${resource} ` +
      `counts as complete with ${length} of ${count} records: ask until the system says that it was the last one`,
  );
  return undefined;
}

function withoutRecords({ answer }: SeenAnswer): SeenAnswer["answer"] {
  return withBody(
    answer,
    changeLists(bodyOf(answer), () => []),
  );
}

async function expectMoveSeen(trial: Trial): Promise<string | undefined> {
  await trial.signIn();
  const whole = await trial.read("employees");
  const list = findPagedList(trial.watch.answers);
  if (!list) return noPages;
  if (list.by === "cursor") return "its pages go on after the record before, and not by a count";
  let hasMoved = false;
  const outcome = await readAltered(trial, "employees", (seen) => {
    const body = bodyOf(seen.answer);
    const [moved] = listsIn(body);
    if (hasMoved || !moved || !list.isLater(seen)) return seen.answer;
    hasMoved = true;
    const longest = JSON.stringify(moved);
    return withBody(
      seen.answer,
      changeLists(body, (one) => (JSON.stringify(one) === longest ? one.slice(1) : one)),
    );
  });
  if ("failure" in outcome) return undefined;
  const { records, isSteady } = outcome.result;
  expectThat(
    !isSteady || records.length >= whole.records.length,
    `somebody of page 2 of ${list.request} moved to page 1 when that had been read, and ${records.length} of ` +
      `${whole.records.length} employees count as all: set \`isPagedByOffset\`, or read the list again with readList of the kit`,
  );
  return undefined;
}

async function expectHiddenFieldBorne(trial: Trial): Promise<string | undefined> {
  await trial.signIn();
  const resource = mainResource(trial);
  const whole = await trial.read(resource);
  const ids = new Set(whole.records.map(({ remote_id: id }) => String(id)));
  const known = listHideable(trial.watch.answers, ids);
  const hidden = spread(known.length, mostTries).map((index) => known[index] ?? "");
  for (const name of hidden) {
    const outcome = await readAltered(trial, resource, ({ answer }) => hideField(answer, name));
    if ("failure" in outcome) continue;
    const { length } = outcome.result.records;
    expectThat(
      length >= whole.records.length,
      `the system leaves out ${name}, and ${length} of ${whole.records.length} ${resource} count as all: ` +
        "whoever lacks a value is a record with null, or the read fails",
    );
  }
  return hidden.length > 0 ? undefined : "its answers have no list of records in JSON";
}

/** The names of fields in its lists, but for those that have an id: without that there is no record. */
function listHideable(answers: readonly SeenAnswer[], ids: ReadonlySet<string>): string[] {
  const fields = answers.flatMap(({ answer }) => {
    const [longest = []] = listsIn(bodyOf(answer));
    return longest.flatMap(fieldsWithin);
  });
  const withIds = new Set(
    fields.filter(([, inner]) => valuesWithin(inner).some((value) => ids.has(value))).map(nameOf),
  );
  return [...new Set(fields.map(nameOf))].filter(
    (name) => !withIds.has(name) && !/id$/i.test(name),
  );
}

const nameOf = ([name]: readonly [string, unknown]): string => name;

function fieldsWithin(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => [
    [name, inner] as [string, unknown],
    ...fieldsWithin(inner),
  ]);
}

function valuesWithin(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(valuesWithin);
}

function hideField(answer: SeenAnswer["answer"], name: string): SeenAnswer["answer"] {
  const body = bodyOf(answer);
  if (body === undefined) return answer;
  const changed = changeLists(body, (list) => list.map((record) => withoutField(record, name)));
  return withBody(answer, changed);
}

function withoutField(record: object, name: string): Readonly<Record<string, unknown>> {
  const hide = (key: string, value: unknown): unknown => (key === name ? undefined : value);
  return JSON.parse(JSON.stringify(record, hide)) as Readonly<Record<string, unknown>>;
}
