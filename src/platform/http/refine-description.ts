import { STATUS_CODES } from "node:http";
import { replyHeadersKey } from "./describe-route.ts";
import { describeReplyHeaders, type ReplyHeader } from "./reply-headers.ts";

type JsonObject = Record<string, unknown>;
type Schemas = Record<string, JsonObject>;

interface Response extends JsonObject {
  description: string;
  content?: Record<string, { schema: JsonObject }>;
}

interface Operation extends JsonObject {
  responses: Record<string, Response>;
  [replyHeadersKey]?: Record<string, readonly ReplyHeader[]>;
}

export interface Document extends JsonObject {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: JsonObject;
  components: JsonObject & { schemas: Schemas };
}

/** What @fastify/swagger writes where a response has no description. */
const defaultDescription = "Default Response";

/** Completes what was made of the routes' schemas, so that people and generators can read it. */
export function refineDescription(document: Document): Document {
  const { schemas } = document.components;
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) refineOperation(operation, schemas);
  }
  return sortSchemas(nameSchemas(simplify(document) as Document));
}

/** They come in the order in which modules were loaded, which differs between programs: the document would, too. */
function sortSchemas(document: Document): Document {
  const { components } = document;
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  return { ...document, components: { ...components, schemas } };
}

function refineOperation(operation: Operation, schemas: Schemas): void {
  const { [replyHeadersKey]: headers = {}, responses } = operation;
  delete operation[replyHeadersKey];
  for (const [status, response] of Object.entries(responses)) {
    response["headers"] = describeReplyHeaders(status, headers[status]);
    if (response.description === defaultDescription)
      response.description =
        describeByReference(response, schemas) ?? STATUS_CODES[status] ?? status;
  }
}

/** The description of the schema to which the response refers. */
function describeByReference({ content = {} }: Response, schemas: Schemas): string | undefined {
  const [reference] = Object.values(content).map(({ schema }) => schema["$ref"]);
  const schema = typeof reference === "string" ? schemas[nameOf(reference)] : undefined;
  return schema?.["description"] as string | undefined;
}

/**
 * Removes null defaults, which say nothing of a reply, patterns that repeat a format, and an `allOf` of one. Writes
 * a type that may be null as `type: [..., "null"]`.
 */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => !(key === "default" && inner === null))
    .filter(([key]) => !(key === "pattern" && "format" in value))
    .map(([key, inner]) => [key, /^examples?$/.test(key) ? inner : simplify(inner)]);
  return joinNull(unwrap(Object.fromEntries(entries) as JsonObject));
}

function unwrap(schema: JsonObject): JsonObject {
  const { allOf, ...rest } = schema;
  return Array.isArray(allOf) && allOf.length === 1 ? { ...rest, ...(allOf[0] as object) } : schema;
}

function joinNull(schema: JsonObject): JsonObject {
  const { anyOf, ...outer } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [inner, none] = anyOf as [JsonObject, JsonObject];
  if (none["type"] !== "null" || typeof inner["type"] !== "string" || "enum" in inner)
    return schema;
  return { ...inner, ...outer, type: [inner["type"], "null"] };
}

const inputSuffix = "Input";

/**
 * Keeps the schemas that are used. One that only requests use, or that is the same in requests and replies, loses
 * the suffix that tells the two apart.
 */
function nameSchemas(document: Document): Document {
  const { components } = document;
  const used = usedSchemas(document);
  const renamed = new Map(
    [...used]
      .filter((name) => name.endsWith(inputSuffix))
      .map((name) => [name, name.slice(0, -inputSuffix.length)]),
  );
  for (const [name, base] of renamed) {
    const [input, output] = [components.schemas[name], components.schemas[base]];
    if (used.has(base) && JSON.stringify(input) !== JSON.stringify(output)) renamed.delete(name);
  }
  const schemas = Object.fromEntries(
    Object.entries(components.schemas)
      .filter(([name]) => used.has(name))
      .map(([name, schema]) => [renamed.get(name) ?? name, schema]),
  );
  const result = { ...document, components: { ...components, schemas } };
  return JSON.parse(JSON.stringify(result), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" && renamed.has(nameOf(value))
      ? value.slice(0, -inputSuffix.length)
      : value,
  ) as Document;
}

function usedSchemas({ paths, webhooks, components }: Document): Set<string> {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value ?? null).matchAll(
      /"\$ref":"#\/components\/schemas\/([^"]+)"/g,
    )) {
      if (used.has(name)) continue;
      used.add(name);
      visit(components.schemas[name]);
    }
  };
  visit(paths);
  visit(webhooks);
  return used;
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}
