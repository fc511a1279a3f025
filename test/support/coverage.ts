import { inTrial, type ReadRecord } from "../../src/conformance/trial.ts";
import {
  endpointPaths,
  endpoints,
  modes as allModes,
  type Mode,
  type Resource,
} from "../../src/model/index.ts";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import { listFormFields } from "../../src/providers/form-field.ts";
import { listCheckable } from "../../src/providers/find-checkable.ts";
import type { CheckedProvider } from "./built-in-conformances.ts";

const filledHeading = "## What is filled\n";
const providersHeading = "## By provider\n";
/** Of ours, and in every record. */
const ownFields = new Set(["id", "employee_id", "payrun_id", "policy_id"]);

/** The guide of a built-in provider, from the root of the project. */
export function guideOf({ name }: ProviderDefinition): string {
  return `docs/providers/${name}.md`;
}

/**
 * How one signs in to a provider, and which fields of each record it fills: those that have a value in a record that
 * the adapter makes of what its fake has.
 */
export async function describeFilled({
  definition,
  conformances,
}: CheckedProvider): Promise<string> {
  const filled = new Map<Resource, Map<Mode, string>>();
  for (const subject of listCheckable([definition], conformances)) {
    const found = await inTrial(subject, "usual", AbortSignal.timeout(30_000), async (trial) => {
      await trial.signIn();
      const fields: [Resource, string][] = [];
      for (const resource of trial.resources)
        fields.push([resource, listFilled((await trial.read(resource)).records)]);
      return fields;
    });
    for (const [resource, fields] of found) {
      const byMode = filled.get(resource) ?? new Map<Mode, string>();
      filled.set(resource, byMode.set(subject.mode, fields));
    }
  }
  const rows = [...filled].toSorted().flatMap(([resource, byMode]) =>
    [...new Set(byMode.values())].map((fields) => {
      const modes = allModes.filter((mode) => byMode.get(mode) === fields);
      return `| \`${resource}\` | ${listNames(modes)} | ${fields} |`;
    }),
  );
  return [
    "| mode | how one signs in | what is kept of it | polls read |",
    "|---|---|---|---|",
    ...modesOf(definition).map((mode) => describeMode(definition, mode)),
    "",
    "| data | modes | fields that have a value where the provider knows one |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/** The data of each provider by modes, as a table. */
export function describeProviders(definitions: readonly ProviderDefinition[]): string {
  const rows = endpointPaths.map((path) => {
    const { resource, modes: offered } = endpoints[path];
    const cells = definitions.map((definition) => {
      const modes = modesOf(definition).filter(
        (mode) =>
          offered.includes(mode) &&
          (resource === null || definition.modes[mode]?.resources[resource]),
      );
      return modes.length > 0 ? listNames(modes) : "-";
    });
    return `| \`${path}\` | ${cells.join(" | ")} |`;
  });
  return [
    `| data | ${definitions.map(({ name }) => `\`${name}\``).join(" | ")} |`,
    `|---|${definitions.map(() => "---|").join("")}`,
    ...rows,
    "",
  ].join("\n");
}

export function replaceFilled(guide: string, filled: string): string {
  return replaceSection(guide, filledHeading, filled);
}

export function replaceProviders(coverage: string, providers: string): string {
  return replaceSection(coverage, providersHeading, providers);
}

/** Up to the next paragraph of prose, or the next heading. */
function replaceSection(text: string, heading: string, made: string): string {
  const start = text.indexOf(heading);
  if (start < 0) throw new Error(`there is no heading ${heading}`);
  const body = start + heading.length;
  const length = text.slice(body).search(/\n[^\n|\-\s]/);
  return `${text.slice(0, body)}\n${made}${length < 0 ? "" : text.slice(body + length)}`;
}

function describeMode(definition: ProviderDefinition, name: Mode): string {
  const mode = definition.modes[name]!;
  const titles = listFormFields(mode.form).map(({ title }) => title);
  const { changes, changesRereadAll } = mode.resources.employees ?? {};
  const corrected = changesRereadAll ? "everybody in turn" : "everything once a day";
  const form = titles.length > 0 ? [`a form: ${titles.join(", ")}`] : [];
  const cells = [
    `\`${name}\``,
    [...form, ...(mode.oauth2 ? ["the provider's own page"] : [])].join("; then "),
    mode.keepsSecret ? "what was typed, sealed" : "the session, sealed",
    changes ? `what changed, and ${corrected}` : "all employees",
  ];
  return `| ${cells.join(" | ")} |`;
}

function modesOf({ modes }: ProviderDefinition): Mode[] {
  return allModes.filter((mode) => modes[mode]);
}

function listFilled(records: readonly ReadRecord[]): string {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return listNames(
    names.filter(
      (name) => !ownFields.has(name) && records.some((record) => hasValue(record[name])),
    ),
  );
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function hasValue(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value === "object" ? Object.values(value).some(hasValue) : true;
}
