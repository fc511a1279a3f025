import {
  endpointPaths,
  endpoints,
  modes as allModes,
  resources,
  type Mode,
  type Resource,
} from "../../src/model/index.ts";
import type { ProviderDefinition, ResourceReader } from "../../src/providers/contract.ts";
import type { DescribedField } from "../../src/providers/described-field.ts";
import { listFormFields } from "../../src/providers/form-field.ts";
import { listNeverGiven } from "../../src/providers/never-given.ts";

const signInHeading = "## How one signs in\n";
/** The last one of a guide. */
const fieldsHeading = "## Where each field comes from\n";
const providersHeading = "## By provider\n";

/** The guide of a built-in provider, from the root of the project. */
export function guideOf({ name }: ProviderDefinition): string {
  return `docs/providers/${name}.md`;
}

/** How one signs in to a provider in each of its modes, as a table. */
function describeSignIns(definition: ProviderDefinition): string {
  return [
    "| mode | how one signs in | what is kept of it | polls read |",
    "|---|---|---|---|",
    ...modesOf(definition).map((mode) => describeMode(definition, mode)),
    "",
  ].join("\n");
}

/** Where each field of each record comes from, by the tables of the adapter: a section for each resource. */
function describeFields(definition: ProviderDefinition): string {
  const sections = resources.flatMap((resource) => {
    const modes = modesOf(definition).filter((mode) => definition.modes[mode]?.resources[resource]);
    const [first] = modes;
    const reader = first && definition.modes[first]?.resources[resource];
    if (!reader) return [];
    return [`### \`${resource}\` by ${listNames(modes)}\n\n${describeReader(resource, reader)}`];
  });
  return `${howToRead}\n\n${sections.join("\n")}`;
}

const howToRead = `What stands behind \`[].\` is inside of each item of a list, and so are the names that it comes from. A value that is
absent, empty or not to be read is null. A field is [\`limited\`](../coverage.md#by-account) where the account may not
read one of the names that it comes from; of several of which the first counts, where it may read none of them.
\`employment_history\` and \`compensation_history\` are made of \`employments\`, and \`display_full_name\` of the other names
where it is null.`;
const longestLine = 120;

const isNever = ({ isNull }: DescribedField): boolean => isNull === "always";

function describeReader(resource: Resource, reader: Pick<ResourceReader, "fields">): string {
  const fields = reader.fields?.() ?? [];
  if (fields.length === 0) return "Its records are not made by a table.\n";
  const empty = listNeverGiven(resource, fields);
  const rows = Map.groupBy(
    fields.filter((one) => !isNever(one)),
    ({ field }) => field,
  );
  return [
    "| field | comes from | how it is read | null |",
    "|---|---|---|---|",
    ...[...rows.values()].map(describeField),
    "",
    ...(empty.length > 0 ? [wrap(`Always null: ${listNames(empty)}.`), ""] : []),
  ].join("\n");
}

function wrap(sentence: string): string {
  const lines = [""];
  for (const word of sentence.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length > longestLine) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.join("\n");
}

/** Of several tables of one resource, what each of them says. */
function describeField(same: readonly DescribedField[]): string {
  const cells = [
    same.map(({ from }) => listNames(from) || "-"),
    same.map(({ read, note }) =>
      read === "a rule of the adapter" ? note : note ? `${read}; ${note}` : read,
    ),
    same.map(({ isNull }) => isNull),
  ].map((of) => [...new Set(of.map((one) => one ?? "made of them"))].join("; or "));
  return `| \`${same[0]?.field}\` | ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
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

/** The guide of a provider with what its definition says. */
export function replaceDescribed(guide: string, definition: ProviderDefinition): string {
  const signIns = replaceSection(guide, signInHeading, describeSignIns(definition));
  const start = signIns.indexOf(fieldsHeading);
  if (start < 0) throw new Error(`there is no heading ${fieldsHeading}`);
  return `${signIns.slice(0, start)}${fieldsHeading}\n${describeFields(definition)}`;
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

function listNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
