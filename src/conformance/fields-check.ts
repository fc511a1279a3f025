import type { Resource } from "../model/index.ts";
import type { CheckDefinition } from "./check.ts";
import { expectThat } from "./expect-failure.ts";
import type { UsualReads } from "./usual-reads.ts";
import type { CheckContext } from "./trial.ts";

/** A misspelt name of the vendor's looks like a field that nobody has filled in. */
export const fieldsCheck = {
  name: "filled-fields",
  title: "each field of a table is filled in a record, or is named as never filled",
  scenario: "usual",
  look: (usual, { subject }: Pick<CheckContext, "subject">) => {
    const { neverFilled = {} } = subject.conformance;
    const described = usual.resources.map((resource) => ({
      resource,
      fields: listFields(usual, resource),
      named: neverFilled[resource] ?? [],
    }));
    if (described.every(({ fields }) => fields.length === 0))
      return "no reader says its `table`, so nobody knows which fields there are";
    const notRead = Object.keys(neverFilled).find(
      (name) => !usual.resources.some((r) => r === name),
    );
    expectThat(notRead === undefined, `\`neverFilled\` names ${notRead}, which are not read`);
    const wrong = described.flatMap(({ resource, fields, named }) => {
      const filled = usual.filled.get(resource) ?? new Set();
      const empty = fields.filter(({ field }) => !filled.has(field) && !named.includes(field));
      const isLacking = (field: string): boolean => !fields.some((one) => one.field === field);
      const known = named.filter((field) => filled.has(field) || isLacking(field));
      return [
        ...empty.map(
          ({ field, from }) => `no record of ${resource} fills ${field} (${from.join(", ")})`,
        ),
        ...known.map(
          (field) =>
            `\`neverFilled\` names ${field} of ${resource}, which ${isLacking(field) ? "no table has" : "is filled"}`,
        ),
      ];
    });
    expectThat(
      wrong.length === 0,
      `${wrong.join("; ")}: fill the rest in a record, or name it in \`neverFilled\``,
    );
    return undefined;
  },
} satisfies CheckDefinition;

/** Without those that are null in every record. */
function listFields({ mode }: UsualReads, resource: Resource) {
  const fields = mode.resources[resource]?.fields?.() ?? [];
  return fields.filter(({ isNull }) => isNull !== "always");
}
