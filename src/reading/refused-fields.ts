import { z } from "zod";
import { resourceRecords, type Resource } from "../model/index.ts";

const mostFields = 5;

/** The names of a resource's own fields among these: any other name may be data of a person. */
export function knownFields(resource: Resource, fields: readonly string[]): string[] {
  const names = namesOf(resource);
  const known = fields.filter((path) => path.split(".").every((name) => names.has(name)));
  return [...new Set(known)].slice(0, mostFields);
}

const namesByResource = new Map<Resource, ReadonlySet<string>>();

/** Listed once: a provider that breaks does so in many reads. */
function namesOf(resource: Resource): ReadonlySet<string> {
  const listed = namesByResource.get(resource) ?? listNames(resource);
  namesByResource.set(resource, listed);
  return listed;
}

/** Of all objects in its records, also of the ids of the provider that ours are made of. */
function listNames(resource: Resource): Set<string> {
  const names = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, inner] of Object.entries(node)) {
      if (key === "properties") for (const name of Object.keys(inner as object)) names.add(name);
      collect(inner);
    }
  };
  collect(z.toJSONSchema(resourceRecords[resource], { unrepresentable: "any" }));
  for (const name of names) names.add(name.replace(/(?<!remote_)id$/, "remote_id"));
  return names;
}
