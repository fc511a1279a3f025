import { isDeepStrictEqual } from "node:util";
import type { Checkable } from "../providers/index.ts";
import { mainResource, type CheckDefinition } from "./check.ts";
import { chooseOfEachKind } from "./choose-some.ts";
import { expectThat } from "./expect-failure.ts";
import type { Trial } from "./trial.ts";

/** So many reads go on from a cursor. */
const mostCursors = 6;

const quotasOf = ({ definition }: Checkable): string[] =>
  Object.keys(definition.limits?.quotas ?? {});

export const pagingChecks: readonly CheckDefinition[] = [
  {
    name: "two-pages",
    title: "what stands on several pages is read whole, each record once",
    scenario: "two-pages",
    run: async (trial) => {
      await trial.signIn();
      const resource = mainResource(trial);
      const { records } = await trial.read(resource);
      const { pages } = trial.watch;
      const filled = pages.filter((page) => page.records.length > 0).length;
      expectThat(
        filled > 1,
        `the fake has ${resource} on several pages, and \`fetch\` yielded ${filled}: ` +
          "yield each answer as a page of its own, until the provider says that there are no more",
      );
      const raw = pages.flatMap((page) => page.records.map((record) => JSON.stringify(record)));
      const twice = raw.length - new Set(raw).size;
      expectThat(
        twice === 0,
        `${pages.length} pages of ${resource} were read, and ${twice} of their ${raw.length} records came twice: ` +
          "ask for each page by the end of the one before it",
      );
      const count = trial.fake.counts?.[resource];
      expectThat(
        count === undefined || records.length === count,
        `the fake has ${count} ${resource}, and ${records.length} came of ${raw.length} raw records: ` +
          "ask until the provider says that there are no more, and return null in `map` for what is no record alone",
      );
    },
  },
  {
    name: "resume",
    title: "a read that goes on from a cursor gives the records after it",
    scenario: "two-pages",
    run: async (trial) => {
      await trial.signIn();
      let cursors = 0;
      for (const resource of trial.resources) cursors += await expectResume(trial, resource);
      return cursors > 0 ? undefined : "no page of it has a cursor, so a read begins anew";
    },
  },
  {
    name: "quotas",
    title: "every request of a read names the quotas that it draws on",
    scenario: "usual",
    leftOutFor: (subject) => (quotasOf(subject).length === 0 ? "it declares no quotas" : undefined),
    look: ({ requests }, { subject }) => {
      const declared = quotasOf(subject);
      const drawn = new Set(requests.flatMap(({ draws }) => Object.keys(draws)));
      const unknown = [...drawn].filter((name) => !declared.includes(name));
      expectThat(unknown.length === 0, `these quotas are not declared: ${unknown.join(", ")}`);
      const unused = declared.filter((name) => !drawn.has(name));
      expectThat(unused.length === 0, `no request draws on ${unused.join(", ")}`);
      const without = requests.filter(
        ({ purpose, draws }) => purpose === "read" && Object.keys(draws).length === 0,
      ).length;
      expectThat(without === 0, `${without} requests of reads name no quota`);
    },
  },
];

/** Returns how many cursors there were. */
async function expectResume(trial: Trial, resource: Trial["resources"][number]): Promise<number> {
  await trial.read(resource);
  const { pages } = trial.watch;
  const withCursor = pages.flatMap(({ cursor }, index) => (cursor ? [{ cursor, index }] : []));
  const kinds = withCursor.map(({ cursor }) => JSON.stringify(cursor).replaceAll(/\d+/g, "0"));
  const chosen = chooseOfEachKind(kinds, mostCursors);
  for (const { cursor, index } of withCursor.filter((_one, place) => chosen.includes(place))) {
    expectThat(
      isDeepStrictEqual(JSON.parse(JSON.stringify(cursor)), cursor),
      `the cursor of page ${index + 1} of ${resource} is not plain JSON`,
    );
    await trial.read(resource, { start: { cursor } });
    const rest = pages.slice(index + 1).flatMap((page) => page.records);
    const read = trial.watch.pages.flatMap((page) => page.records);
    expectThat(
      isDeepStrictEqual(read, rest),
      `${resource} after the cursor of page ${index + 1} are ${read.length} records instead of ${rest.length}, or others`,
    );
  }
  return withCursor.length;
}
