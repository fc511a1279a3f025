import { answerOf, nameOf, type Description, type Operation, type Schema } from "./description.ts";
import { docstring } from "./text.ts";

const head = `"""The shapes of the API's JSON. Written by \`npm run client:python\` from /openapi.json.

They are dictionaries as they came: a field that a newer service adds is there, and not in the type.
"""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
`;

/** Writes \`models.py\`: each object as a TypedDict, each enumeration as a Literal. */
export function writeModels(description: Description): string {
  const { schemas } = description.components;
  const names = reachableNames(description);
  const inOrder = Object.keys(schemas).filter((name) => names.has(name));
  const versions = `API_VERSION = ${JSON.stringify(description.info.version)}\n`;
  const aliases = inOrder.filter((name) => schemas[name]?.enum);
  const objects = inOrder.filter((name) => !schemas[name]?.enum);
  return [
    head,
    versions,
    ...aliases.map((name) => writeAlias(name, schemas[name] ?? {})),
    ...objects.map((name) => `\n${writeObject(name, schemas[name] ?? {})}`),
  ].join("\n");
}

/** The annotation of a value. */
export function typeOf(schema: Schema): string {
  const members = new Set(membersOf(schema));
  const hasNone = members.delete("None");
  return [...members, ...(hasNone ? ["None"] : [])].join(" | ");
}

/** The annotations between which a value has the choice. */
function membersOf(schema: Schema): string[] {
  if (schema.$ref) return [nameOf(schema.$ref)];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap(membersOf);
  if (schema.const !== undefined) return [`Literal[${literal(schema.const)}]`];
  if (schema.enum) return [`Literal[${schema.enum.map(literal).join(", ")}]`];
  return [schema.type ?? "any"].flat().map((type) => typeNamed(type, schema));
}

function typeNamed(type: string, schema: Schema): string {
  if (type === "array") return `list[${typeOf(schema.items ?? {})}]`;
  if (type === "object") return typeOfObject(schema);
  const simple: Record<string, string> = {
    string: "str",
    integer: "int",
    number: "float",
    boolean: "bool",
    null: "None",
  };
  return simple[type] ?? "Any";
}

function typeOfObject({ properties, additionalProperties }: Schema): string {
  if (properties) throw new Error(`an object has no name: ${Object.keys(properties).join(", ")}`);
  const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "Any";
  return `dict[str, ${values}]`;
}

function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

function writeAlias(name: string, schema: Schema): string {
  const values = (schema.enum ?? []).map((value) => `    ${literal(value)},`);
  return [
    `${name}: TypeAlias = Literal[`,
    ...values,
    "]",
    docstring(schema.description ?? "", ""),
    "",
  ].join("\n");
}

function writeObject(name: string, schema: Schema): string {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, value]) => {
    const type = typeOf(value);
    return [
      `    ${field}: ${required.has(field) ? type : `NotRequired[${type}]`}`,
      docstring(value.description ?? "", "    "),
    ];
  });
  const body = [docstring(schema.description ?? "", "    "), "", ...fields];
  return [`class ${name}(TypedDict):`, ...body, ""].join("\n");
}

/** The names of what callers get, and of what the parameters of methods are made of. */
function reachableNames({ paths, components }: Description): Set<string> {
  const names = new Set<string>();
  const visit = (schema: Schema): void => {
    if (schema.$ref) {
      const name = nameOf(schema.$ref);
      if (names.has(name)) return;
      names.add(name);
      visit(components.schemas[name] ?? {});
    }
    const { items, anyOf = [], oneOf = [], properties = {}, additionalProperties } = schema;
    for (const inner of [...anyOf, ...oneOf, ...Object.values(properties)]) visit(inner);
    if (items) visit(items);
    if (typeof additionalProperties === "object") visit(additionalProperties);
  };
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const schema of schemasOf(operation, components.schemas)) visit(schema);
  visit({ $ref: "#/components/schemas/EmployeesWebhook" });
  visit({ $ref: "#/components/schemas/AuthErrorCode" });
  return names;
}

function schemasOf(operation: Operation, schemas: Record<string, Schema>): Schema[] {
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  return [
    answerOf(operation),
    ...(operation.parameters ?? []).map(({ schema }) => schema),
    ...Object.values(propertiesOf(body, schemas)),
  ];
}

/** The members of a body, which are parameters of the method. */
export function propertiesOf(
  body: Schema | undefined,
  schemas: Record<string, Schema>,
): Record<string, Schema> {
  const schema = body?.$ref ? schemas[nameOf(body.$ref)] : body;
  return schema?.properties ?? {};
}
