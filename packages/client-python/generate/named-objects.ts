import type { Description, Schema } from "./description.ts";

/** The same description, in which every object has a name: one inside of another has that of its place. */
export function nameObjects(description: Description): Description {
  const named: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(description.components.schemas)) {
    const properties = nameMembers(name, schema, named);
    named[name] = properties ? { ...schema, properties } : schema;
  }
  return { ...description, components: { schemas: inOrder(named) } };
}

/** Each after those that it names: Python evaluates a module from its top to its end. */
function inOrder(schemas: Record<string, Schema>): Record<string, Schema> {
  const ordered = new Map<string, Schema>();
  const visited = new Set<string>();
  const visit = (name: string): void => {
    const schema = schemas[name];
    if (!schema || visited.has(name)) return;
    visited.add(name);
    for (const [, named = ""] of JSON.stringify(schema).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    ))
      visit(named);
    ordered.set(name, schema);
  };
  for (const name of Object.keys(schemas)) visit(name);
  return Object.fromEntries(ordered);
}

function nameMembers(
  parent: string,
  { properties }: Schema,
  named: Record<string, Schema>,
): Record<string, Schema> | undefined {
  if (!properties) return undefined;
  const members = Object.entries(properties).map(([member, schema]): [string, Schema] => [
    member,
    replaceObject(parent + pascalCase(member), schema, named),
  ]);
  return Object.fromEntries(members);
}

/** A reference in place of an object, also where it is one of several or in a list. */
function replaceObject(name: string, schema: Schema, named: Record<string, Schema>): Schema {
  const { properties, items, anyOf, type, description } = schema;
  if (items) return { ...schema, items: replaceObject(name, items, named) };
  if (anyOf) return { ...schema, anyOf: anyOf.map((one) => replaceObject(name, one, named)) };
  if (!properties) return schema;
  const own = nameMembers(name, schema, named);
  named[name] = { ...schema, type: "object", ...(own && { properties: own }) };
  const reference: Schema = { $ref: `#/components/schemas/${name}` };
  const choices = [type].flat().includes("null") ? [reference, { type: "null" }] : [reference];
  return { anyOf: choices, ...(description && { description }) };
}

function pascalCase(name: string): string {
  return name
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}
