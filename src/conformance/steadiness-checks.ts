import { env } from "node:process";
import type { Resource } from "../model/index.ts";
import { hasNoEmployees, mainResource, type CheckDefinition } from "./check.ts";
import { expectThat, NotConforming } from "./expect-failure.ts";
import { breakRequests } from "./interfere.ts";
import { otherEachTime } from "./tell-differences.ts";
import type { ReadRecord, Trial, WholeRead } from "./trial.ts";
import { readUsual, recordsOf, type UsualReads } from "./usual-reads.ts";

/** Half a day ahead of UTC and nearly so behind it, for a century: other islands have moved across the date line. */
const zones = ["Pacific/Auckland", "Pacific/Honolulu"];

export const steadinessChecks: readonly CheckDefinition[] = [
  {
    name: "broken-request",
    title: "a read of any resource is a failure when one of its requests is",
    scenario: "usual",
    look: async (_usual, context) => {
      const { reads } = await breakRequests(context);
      for (const { resource, requests, complete } of reads)
        for (const { kind, index } of complete) {
          const what = kind === "fails" ? "failed with 503" : "was answered with 418";
          throw new NotConforming(
            `request ${index + 1} of the ${requests} of a read of ${resource} ${what}, and the read counts as ` +
              "complete: let its errors through, and take no answer whose status you do not know",
          );
        }
      return reads.some(({ requests }) => requests > 0) ? undefined : "its reads make no request";
    },
  },
  {
    name: "own-zone",
    title: "the time zone of the machine changes nothing",
    scenario: "usual",
    run: async (trial, context) => {
      const { reads } = await readUsual(context);
      await trial.signIn();
      for (const [zone, resource] of zones.flatMap((one) =>
        trial.resources.map((r) => [one, r] as const),
      )) {
        const after = await inZone(zone, () => readText(trial, resource));
        if (after === undefined) return "the time zone of this process cannot be changed";
        if (after === textOf(reads.get(resource) ?? [])) continue;
        const before = await readText(trial, resource);
        if (after === before) continue;
        if ((await readText(trial, resource)) !== before) return otherEachTime(resource);
        throw new NotConforming(
          `${resource} are others on a machine in ${zone}: a time without a zone is read in that of the machine. ` +
            "Read it with openZone of the kit, and a day as text",
        );
      }
      return undefined;
    },
  },
  {
    name: "references",
    title: "records of people name people that there are",
    scenario: "usual",
    leftOutFor: hasNoEmployees,
    look: (usual) => {
      const people = recordsOf(usual, "employees");
      const ids = new Set(people.map(({ remote_id: id }) => id));
      const named = people.map((person) => (person["manager"] as ReadRecord | null)?.["remote_id"]);
      const stray = named.find((id) => typeof id === "string" && !ids.has(id));
      expectThat(stray === undefined, `a manager is ${String(stray)}, and no employee has that id`);
      expectKnown(usual, people, "groups", (person) => person["groups"]);
      expectKnown(usual, people, "work-locations", (person) => person["work_location"]);
      for (const resource of usual.resources)
        for (const { employee_remote_id: id } of recordsOf(usual, resource))
          expectThat(
            id === undefined || ids.has(id),
            `a record of ${resource} is of the employee ${String(id)}, and no employee has that \`remote_id\``,
          );
    },
  },
  {
    name: "whole-lists",
    title: "every list has as many records as the provider, also on several pages",
    scenario: "two-pages",
    run: async (trial) => {
      const { counts = {} } = trial.fake;
      const counted = trial.resources.filter(
        (resource) => resource !== mainResource(trial) && counts[resource] !== undefined,
      );
      if (counted.length === 0)
        return "`counts` of the fake does not say how many records other lists have";
      await trial.signIn();
      for (const resource of counted) {
        const reads = await trial.readAll(resource);
        const read = reads.reduce((sum, { records }) => sum + records.length, 0);
        expectThat(
          read === counts[resource],
          `the fake has ${counts[resource]} ${resource}, and ${read} were read: ask until there are no more`,
        );
      }
      return undefined;
    },
  },
];

/** What a record of a person names of another list has to be in it. */
function expectKnown(
  usual: UsualReads,
  people: readonly ReadRecord[],
  resource: Resource,
  namedBy: (person: ReadRecord) => unknown,
): void {
  if (!usual.resources.includes(resource)) return;
  const records = recordsOf(usual, resource);
  const ids = new Set(records.map(({ remote_id: id }) => id));
  const named = people
    .flatMap(namedBy)
    .map((one) => (one as ReadRecord | null | undefined)?.["remote_id"]);
  const stray = named.find((id) => typeof id === "string" && !ids.has(id));
  expectThat(
    stray === undefined,
    `an employee names ${String(stray)} of ${resource}, and none of the ${records.length} that were read has that \`remote_id\``,
  );
}

async function readText(trial: Trial, resource: Resource): Promise<string> {
  return textOf(await trial.readAll(resource));
}

function textOf(reads: readonly WholeRead[]): string {
  return reads.map(({ text }) => text).join("\n");
}

/** Undefined where the zone of a process is fixed, as in a thread. */
async function inZone<Result>(
  zone: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const { TZ: before } = env;
  env["TZ"] = zone;
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone === zone ? await work() : undefined;
  } finally {
    if (before === undefined) delete env["TZ"];
    else env["TZ"] = before;
  }
}
