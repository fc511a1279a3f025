import { resourceRecords, resources, type Resource } from "../model/index.ts";

/** What an account may not read of one resource. */
export interface ResourceRights {
  isForbidden: boolean;
  /** The fields that the account may not read, of every record or of some. They are null there. */
  limited: readonly string[];
}

/** By resource, as they were found last. A resource that nothing is known of is missing. */
export type StoredRights = Partial<Record<Resource, ResourceRights & { checkedAt: string }>>;

/** What a client is told of the rights of a connection. */
export interface Rights {
  forbidden: Resource[];
  limited: Partial<Record<Resource, string[]>>;
}

/** What a sign-in found out. */
interface CheckedRights {
  forbidden?: readonly Resource[];
  limited?: Readonly<Partial<Record<Resource, readonly string[]>>>;
}

export function rightsOfSignIn(
  { forbidden = [], limited = {} }: CheckedRights,
  now: Date,
): StoredRights {
  const restricted = resources.filter(
    (resource) => forbidden.includes(resource) || limited[resource] !== undefined,
  );
  return Object.fromEntries(
    restricted.map((resource) => {
      const found = {
        isForbidden: forbidden.includes(resource),
        limited: limited[resource] ?? [],
      };
      return [resource, rightsOfResource(resource, found, now)];
    }),
  );
}

/** Only names of our own fields are stored: an adapter may have put data into another one. */
export function rightsOfResource(
  resource: Resource,
  { isForbidden, limited }: ResourceRights,
  now: Date,
): StoredRights[Resource] & object {
  const { shape } = resourceRecords[resource];
  const known = limited.filter((field) => Object.hasOwn(shape, field));
  return { isForbidden, limited: [...new Set(known)].sort(), checkedAt: now.toISOString() };
}

export function summarizeRights(stored: StoredRights): Rights {
  const known = resources.flatMap((resource) => {
    const rights = stored[resource];
    return rights ? [{ resource, ...rights }] : [];
  });
  const limited = known.filter(({ limited: fields }) => fields.length > 0);
  return {
    forbidden: known.filter(({ isForbidden }) => isForbidden).map(({ resource }) => resource),
    limited: Object.fromEntries(
      limited.map(({ resource, limited: fields }) => [resource, [...fields]]),
    ),
  };
}

/** Whether the connection has these rights already. */
export function areKnown(
  { forbidden, limited }: Rights,
  resource: Resource,
  found: ResourceRights,
): boolean {
  const known = limited[resource] ?? [];
  return (
    forbidden.includes(resource) === found.isForbidden &&
    known.length === found.limited.length &&
    found.limited.every((field) => known.includes(field))
  );
}
