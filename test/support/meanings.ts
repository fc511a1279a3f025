import { meanings } from "../../src/conformance/meanings.ts";
import { listNeeded } from "../../src/conformance/meanings-check.ts";
import {
  meaningNames,
  type MeaningAnswer,
  type MeaningName,
} from "../../src/providers/conformance.ts";
import { listCheckable, type Checkable } from "../../src/providers/find-checkable.ts";
import type { CheckedProvider } from "./built-in-conformances.ts";

export const meaningsGuide = "docs/meanings.md";
const head = "| name | question | answer | systems that tell it | held by |";
const headOfNotTold = "| system | does not tell | because |";

/** The guide with its tables as the adapters answer. Its last column is written by hand. */
export function replaceMeanings(guide: string, checked: readonly CheckedProvider[]): string {
  const subjects = checked
    .filter(({ definition }) => !definition.isSimulated)
    .flatMap(({ definition, conformances, abroad = {} }) =>
      [conformances, Object.values(abroad)].flatMap((some) => listCheckable([definition], some)),
    );
  const heldBy = readHeldBy(guide);
  const rows = meaningNames.map((name) => {
    const { question, answer } = meanings[name];
    const cells = [`\`${name}\``, question, answer, listTelling(name, subjects)];
    return `| ${cells.join(" | ")} | ${heldBy.get(name) ?? "`test/conformance/built-in.e2e.test.ts`"} |`;
  });
  return replaceTable(
    replaceTable(guide, head, ["|---|---|---|---|---|", ...rows]),
    headOfNotTold,
    ["|---|---|---|", ...listNotTold(subjects)],
  );
}

/** The rows below a head, up to the next line that is none. */
function replaceTable(text: string, tableHead: string, rows: readonly string[]): string {
  const start = text.indexOf(tableHead);
  if (start < 0) throw new Error(`${meaningsGuide} has no table ${tableHead}`);
  const body = start + tableHead.length;
  const length = text.slice(body).search(/\n[^|]|\n$/);
  return `${text.slice(0, body)}\n${rows.join("\n")}${text.slice(body + length)}`;
}

function readHeldBy(guide: string): Map<string, string> {
  return new Map(
    guide.split("\n").flatMap((line) => {
      const cells = line.split(" | ");
      const [, name = ""] = /^\| `(\w+)`$/.exec(cells[0] ?? "") ?? [];
      const last = cells.at(-1)?.replace(/ \|$/, "");
      return cells.length === 5 && last !== undefined ? [[name, last] as const] : [];
    }),
  );
}

function listTelling(name: MeaningName, subjects: readonly Checkable[]): string {
  const telling = bySystem(subjects).flatMap(([title, modes]) => {
    const first = modes.flatMap((mode) => answerOf(name, mode) ?? []).find(isTold);
    if (!first) return [];
    return "record" in first && first.only !== undefined ? [`${title} (${first.only})`] : [title];
  });
  return telling.length > 0 ? telling.join(", ") : "-";
}

function listNotTold(subjects: readonly Checkable[]): string[] {
  return bySystem(subjects).flatMap(([title, modes]) => {
    const reasons = new Map<string, MeaningName[]>();
    for (const name of meaningNames) {
      const answers = modes.flatMap((mode) => answerOf(name, mode) ?? []);
      const reason = answers.some(isTold) ? undefined : reasonOf(name, answers[0]);
      if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
    }
    return [...reasons].map(
      ([reason, names]) =>
        `| ${title} | ${names.map((name) => `\`${name}\``).join(", ")} | ${reason} |`,
    );
  });
}

/** Undefined where the system has nothing that the question is about. */
function answerOf(name: MeaningName, subject: Checkable): MeaningAnswer | undefined {
  return listNeeded(subject).includes(name) ? subject.conformance.meanings?.[name] : undefined;
}

function reasonOf(name: MeaningName, answer: MeaningAnswer | undefined): string | undefined {
  if (answer && "notTold" in answer) return answer.notTold;
  return answer ? undefined : `It reads no \`${meanings[name].resource ?? "data"}\`.`;
}

function isTold(answer: MeaningAnswer): boolean {
  return !("notTold" in answer);
}

function bySystem(subjects: readonly Checkable[]): [string, Checkable[]][] {
  return [...Map.groupBy(subjects, ({ definition }) => definition.title)];
}
