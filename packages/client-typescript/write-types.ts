import { format } from "prettier";

// Writes the types of the library, src/api.ts, from what the service says of itself at /openapi.json.

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
}

interface Operation {
  operationId: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
}

export interface Description {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export async function writeTypes({ info, paths, components }: Description): Promise<string> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const code = [
    "// Made by `npm run client:types` from /openapi.json. Change the description, not this file.",
    `/** The version of the API that this library is for. */
     export const apiVersion = ${JSON.stringify(info.version)};`,
    ...Object.entries(components.schemas).map(([name, schema]) => declare(name, schema)),
    ...operations.map(declareQuery),
  ];
  return await format(code.filter(Boolean).join("\n\n"), { parser: "typescript", printWidth: 100 });
}

function declare(name: string, schema: Schema): string {
  const kind =
    schema.properties && schema.type === "object"
      ? `interface ${name} ${typeOf(schema)}`
      : `type ${name} = ${typeOf(schema)};`;
  return `${comment(schema.description)}export ${kind}`;
}

/** What is asked for in the query. Two modes of an operation have the same. */
function declareQuery({ operationId, parameters = [] }: Operation): string {
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  if (inQuery.length === 0 || operationId.endsWith("Official")) return "";
  const properties = Object.fromEntries(
    inQuery.map(({ name, schema, description = "" }) => [name, { ...schema, description }]),
  );
  const required = inQuery.filter((parameter) => parameter.required).map(({ name }) => name);
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
  const description = `The query of ${operationId}.`;
  return declare(name, { type: "object", description, properties, required });
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(" | ");
  const types = [schema.type].flat();
  return types.map((type) => typeNamed(type, schema)).join(" | ");
}

function typeNamed(type: string | undefined, schema: Schema): string {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return `(${typeOf(schema.items ?? {})})[]`;
    case "object":
      return schema.properties ? fieldsOf(schema) : recordOf(schema);
    case undefined:
      return "unknown";
    default:
      return type;
  }
}

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) =>
    required.includes(name)
      ? `${comment(schema.description)}${name}: ${typeOf(schema)};`
      : `${comment(schema.description)}${name}?: ${typeOf(schema)} | undefined;`,
  );
  return `{\n${fields.join("\n")}\n}`;
}

function recordOf({ propertyNames, additionalProperties }: Schema): string {
  const value = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
  const names = propertyNames ? typeOf(propertyNames) : "string";
  const record = `Record<${names}, ${value}>`;
  return names === "string" ? record : `Partial<${record}>`;
}

function comment(description: string | undefined): string {
  if (description === undefined) return "";
  const lines = description.replaceAll("*/", "*\\/").split("\n");
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */\n`;
}
