import type { Resource } from "../model/index.ts";
import {
  knownMeanings,
  type Checkable,
  type MeaningAnswer,
  type MeaningName,
} from "../providers/index.ts";
import type { CheckDefinition } from "./check.ts";
import { expectThat } from "./expect-failure.ts";
import { findDifferences } from "./expected-records.ts";
import { meanings, type Beside, type Meaning, type ShownByRecord } from "./meanings.ts";
import { playScenario } from "./scenario-meanings.ts";
import type { CheckContext, ReadRecord } from "./trial.ts";
import { recordsOf, type UsualReads } from "./usual-reads.ts";

interface Answered {
  name: MeaningName;
  meaning: Meaning;
  answer: MeaningAnswer;
}

/** Each meaning is answered with a record that shows it, or the fake says that its system does not tell it. */
export const meaningsCheck: CheckDefinition = {
  name: "meanings",
  title: "what systems answer differently means the same as in every provider",
  scenario: "usual",
  leftOutFor: (subject) => {
    const { meanings: answers, leavesOutChecks } = subject.conformance;
    if (answers) return undefined;
    return (
      leavesOutChecks?.["meanings"] ??
      `its conformance description has no \`meanings\` yet: say for each of ${listNeeded(subject).join(", ")} which ` +
        "record of the fake shows it, or that the system does not tell it, as docs/providers.md has it"
    );
  },
  look: async (usual, context) => {
    const { conformance } = context.subject;
    const { meanings: answers = {} } = conformance;
    const needed = listNeeded(context.subject);
    expectThat(
      Object.keys(answers).every((name) => knownMeanings.names.some((known) => known === name)),
      `\`meanings\` answers ${Object.keys(answers).join(", ")}: there are ${knownMeanings.names.join(", ")}`,
    );
    const missing = needed.filter((name) => !answers[name]);
    expectThat(
      missing.length === 0,
      missing
        .map((name) => `\`meanings\` does not answer ${name}: ${meanings[name].question}`)
        .join("; "),
    );
    const answered = needed.flatMap((name): Answered[] => {
      const answer = answers[name];
      return answer ? [{ name, meaning: meanings[name], answer }] : [];
    });
    const faults = [
      ...findFaultsOfRecords(answered, usual),
      ...(await findFaultsOfScenarios(answered, context)),
    ];
    expectThat(faults.length === 0, faults.join("; "));
  },
};

/** The meanings of what the provider reads. */
export function listNeeded({ adapter: { resources } }: Checkable): MeaningName[] {
  return knownMeanings.names.filter((name) => {
    const { resource } = meanings[name];
    return resource === undefined || resources[resource] !== undefined;
  });
}

function besideOf(usual: UsualReads): Omit<Beside, "all"> {
  const { today, range } = usual;
  if (!usual.resources.includes("time-off-entries")) return { today };
  if (!range || range.start > today || range.end < today) return { today };
  const records = recordsOf(usual, "time-off-entries");
  const isOfToday = ({ status, start_date: start, end_date: end }: ReadRecord): boolean =>
    status === "approved" && String(start) <= today && String(end) >= today;
  return { today, absences: records.filter(isOfToday) };
}

function findFaultsOfRecords(answered: readonly Answered[], usual: UsualReads): string[] {
  const beside = besideOf(usual);
  return answered.flatMap(({ name, meaning: { resource, shown }, answer }) => {
    if (!resource || "scenario" in shown) return [];
    const all = recordsOf(usual, resource);
    const of = { name, resource, shown, beside: { ...beside, all } };
    const ofAny = all.flatMap((record) => {
      const fault = shown.findFaultOfAny?.(record);
      return fault === undefined ? [] : [`${name}: ${nameOf(resource, record)}: ${fault}`];
    });
    return [...findFaultsOfAnswer(of, answer), ...ofAny];
  });
}

function findFaultsOfAnswer(of: Of, answer: MeaningAnswer): string[] {
  if ("record" in answer) return findFaultsOfShown(of, answer.record);
  return "notTold" in answer ? findTold(of) : [`${of.name} has to name a record`];
}

interface Of {
  name: MeaningName;
  resource: Resource;
  shown: ShownByRecord;
  beside: Beside;
}

function findFaultsOfShown({ name, resource, shown, beside }: Of, said: ReadRecord): string[] {
  const unsaid = shown.says.filter((field) => said[field] === undefined);
  if (unsaid.length > 0)
    return [`${name}: its record has to say what the fake has as ${unsaid.join(" and ")}`];
  const differences = findDifferences(resource, said, beside.all);
  if (differences.length > 0) return differences.map(({ wrong }) => `${name}: ${wrong}`);
  const found = beside.all.filter(
    (record) => findDifferences(resource, said, [record]).length === 0,
  );
  const faults = found.map((record) => shown.findFault(record, beside));
  if (faults.includes(undefined)) return [];
  return [`${name} is not shown by ${nameOf(resource, said)}: ${faults[0]}`];
}

/** A system that does not tell something has no record that shows it. */
function findTold({ name, resource, shown, beside }: Of): string[] {
  const told = beside.all.find((record) => shown.findFault(record, beside) === undefined);
  return told
    ? [`${name} counts as not told, and ${nameOf(resource, told)} shows it: name that record`]
    : [];
}

async function findFaultsOfScenarios(
  answered: readonly Answered[],
  context: CheckContext,
): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, meaning, answer } of answered) {
    if (!("scenario" in meaning.shown) || "notTold" in answer) continue;
    const { scenario } = meaning.shown;
    if (context.subject.conformance.leavesOut?.[scenario] !== undefined) continue;
    const fault = await playScenario(scenario, answer, context);
    if (fault !== undefined) faults.push(`${name}: ${fault}`);
  }
  return faults;
}

function nameOf(resource: Resource, record: ReadRecord): string {
  const { remote_id: id, employee_remote_id: whose, policy_remote_id: policy } = record;
  return [resource, ...(id === undefined ? [whose, policy] : [id])].join(" ");
}
