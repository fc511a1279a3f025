import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";

/**
 * Cuts out of a vendor's OpenAPI description what the tests need: `npm run vendors:cut -- NAME DESCRIPTION`. `NAME.cut.json`
 * lists the operations, with where the description is from, its version and its licence. The result is `NAME.json`.
 */
interface Cut {
  source: string;
  version: string;
  licence: string;
  /** Such as `GET /people`. */
  operations: string[];
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const folder = resolve(import.meta.dirname);
/** What is for readers alone, and the vendor's. */
const proseFields = new Set(["summary", "tags", "externalDocs", "operationId"]);

const [name = "", file = ""] = parseArgs({ allowPositionals: true }).positionals;
const cut = JSON.parse(readFileSync(join(folder, `${name}.cut.json`), "utf8")) as Cut;
const description = parse(readFileSync(file, "utf8")) as JsonObject;
writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(cutOut(description, cut))}\n`);

function cutOut(whole: JsonObject, { operations, ...origin }: Cut): JsonObject {
  const paths: JsonObject = {};
  for (const operation of operations) {
    const [method = "", path = ""] = operation.split(" ");
    const item = objectAt(whole, "paths", path);
    const shared = item["parameters"] ?? [];
    paths[path] = {
      parameters: shared,
      ...(paths[path] as JsonObject | undefined),
      [method.toLowerCase()]: withGoodReplies(objectAt(item, method.toLowerCase())),
    };
  }
  const part: JsonObject = {
    openapi: whole["openapi"] ?? null,
    info: { title: objectAt(whole, "info")["title"] ?? null, version: origin.version },
    "x-cut-from": { ...origin },
    servers: whole["servers"] ?? [],
    ...(whole["security"] !== undefined && { security: whole["security"] }),
    paths,
  };
  const components = collectReferred(whole, part);
  const schemes = objectAt(whole, "components")["securitySchemes"];
  if (schemes !== undefined) components["securitySchemes"] = schemes;
  return withoutProse({ ...part, components }) as JsonObject;
}

/** A fake makes its own refusals. */
function withGoodReplies(operation: JsonObject): JsonObject {
  const replies = Object.entries(objectAt(operation, "responses"));
  return {
    ...operation,
    responses: Object.fromEntries(replies.filter(([status]) => status.startsWith("2"))),
  };
}

/** The components that the part refers to, and those that they refer to. */
function collectReferred(whole: JsonObject, part: JsonObject): JsonObject {
  const components: JsonObject = {};
  const waiting = listReferences(part);
  for (let reference = waiting.pop(); reference !== undefined; reference = waiting.pop()) {
    const [, , kind = "", key = ""] = reference.split("/").map(decodePointer);
    const kept = (components[kind] ??= {}) as JsonObject;
    if (key in kept) continue;
    const found = objectAt(whole, "components", kind, key);
    kept[key] = found;
    waiting.push(...listReferences(found));
  }
  return components;
}

function listReferences(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(listReferences);
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    field === "$ref" && typeof inner === "string" ? [inner] : listReferences(inner),
  );
}

function withoutProse(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field, inner]) => !(proseFields.has(field) && isProse(inner)))
      .map(([field, inner]) => [
        field,
        field === "description" && typeof inner === "string" ? "" : withoutProse(inner),
      ]),
  );
}

/** A field of the vendor's data may be called `summary` too: then a schema stands there. */
function isProse(value: Json): boolean {
  return typeof value === "string" || Array.isArray(value) || "url" in (value as JsonObject);
}

function objectAt(from: JsonObject, ...path: string[]): JsonObject {
  let found: Json | undefined = from;
  for (const step of path) found = (found as JsonObject | undefined)?.[step];
  if (found === null || typeof found !== "object" || Array.isArray(found))
    throw new Error(`the description has no ${path.join(" ")}`);
  return found;
}

function decodePointer(part: string): string {
  return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
}
