import type { Resource } from "../model/index.ts";
import { hasNoEmployees, type CheckDefinition } from "./check.ts";
import { expectThat } from "./expect-failure.ts";
import { tellDifferences } from "./tell-differences.ts";
import type { ReadRecord, Trial } from "./trial.ts";
import { readUsual, recordsOf } from "./usual-reads.ts";

/** An employee has them when the provider knows them. */
const plainFields = [
  "work_email",
  "personal_email",
  "mobile_phone_number",
  "tax_id",
  "date_of_birth",
  "job_title",
];

export const recordChecks: readonly CheckDefinition[] = [
  {
    name: "records",
    title: "every resource is read, with values and fields of the public model alone",
    scenario: "usual",
    look: (usual) => {
      for (const [resource, reads] of usual.reads) {
        const records = recordsOf(usual, resource);
        const nulledFields = namesIn(reads.map((read) => read.nulledFields));
        const unknownFields = namesIn(reads.map((read) => read.unknownFields));
        expectThat(records.length > 0, `the fake has no ${resource}, so nothing is checked`);
        expectThat(
          nulledFields.length === 0,
          `${resource} have values that break the model: ${nulledFields.join(", ")}`,
        );
        expectThat(
          unknownFields.length === 0,
          `\`map\` of ${resource} gives fields that there are not: ${unknownFields.join(", ")}`,
        );
      }
    },
  },
  {
    name: "leavers",
    title: "people who left are read, as inactive",
    scenario: "leavers",
    leftOutFor: hasNoEmployees,
    run: async (trial) => {
      const people = await readEmployees(trial);
      expectThat(
        people.some(({ employment_status: status }) => status === "inactive"),
        "no employee is inactive",
      );
    },
  },
  {
    name: "unicode",
    title: "letters of every script come through as they are",
    scenario: "unicode",
    leftOutFor: hasNoEmployees,
    run: async (trial) => {
      const { texts = [] } = trial.fake;
      expectThat(texts.length > 0, "the fake names no `texts` to look for");
      const all = JSON.stringify(await readEmployees(trial));
      const missing = texts.filter((text) => !all.includes(JSON.stringify(text).slice(1, -1)));
      expectThat(missing.length === 0, `these texts are missing: ${missing.join(", ")}`);
    },
  },
  {
    name: "nulls",
    title: "a person of whom next to nothing is known is read, with nulls",
    scenario: "nulls",
    leftOutFor: hasNoEmployees,
    run: async (trial) => {
      await trial.signIn();
      const { records, nulledFields } = await trial.read("employees");
      const isEmpty = (person: ReadRecord): boolean =>
        plainFields.every((field) => person[field] === null);
      expectThat(records.some(isEmpty), `no employee has null in all of ${plainFields.join(", ")}`);
      expectThat(
        nulledFields.length === 0,
        `an unknown value is no null but one that breaks the model: ${nulledFields.join(", ")}`,
      );
    },
  },
  {
    name: "stable-ids",
    title: "two sign-ins of the same account read the same ids, each once",
    scenario: "usual",
    run: async (trial, context) => {
      const { reads } = await readUsual(context);
      await trial.signIn();
      for (const resource of trial.resources) {
        const [first] = reads.get(resource) ?? [];
        expectThat(
          listIds(resource, first?.records ?? []) ===
            listIds(resource, (await trial.read(resource)).records),
          `the ids of ${resource} are others the next time`,
        );
      }
    },
  },
  {
    name: "unchanged",
    title: "a second read with nothing changed gives the same bytes",
    scenario: "usual",
    run: async (trial) => {
      await trial.signIn();
      for (const resource of trial.resources) {
        const first = await trial.read(resource);
        const second = await trial.read(resource);
        expectThat(
          first.text === second.text,
          `${resource} are other bytes the next time: ${tellDifferences(first.records, second.records)}`,
        );
      }
    },
  },
];

async function readEmployees(trial: Trial): Promise<readonly ReadRecord[]> {
  await trial.signIn();
  return (await trial.read("employees")).records;
}

function listIds(resource: Resource, records: readonly ReadRecord[]): string {
  const ids = records.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  expectThat(new Set(ids).size === ids.length, `an id of ${resource} is there twice`);
  return ids.toSorted().join(" ");
}

function namesIn(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}
