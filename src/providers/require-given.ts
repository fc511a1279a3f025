import { resourceRecords, resources, type Resource } from "../model/index.ts";
import type { CheckResult, ProviderMode, Session } from "./contract.ts";
import { ProviderBug } from "./errors.ts";

const longestName = 100;

/** Throws ProviderBug for a field that no record of the resource has. */
export function requireFields(resource: Resource, fields: readonly string[], where: string): void {
  if (!Array.isArray(fields)) throw new ProviderBug(`${where} has to be a list of fields`);
  const unknown = fields.find((field) => !Object.hasOwn(resourceRecords[resource].shape, field));
  if (unknown !== undefined)
    throw new ProviderBug(`${where} names ${quote(unknown)}, which is no field of ${resource}`);
}

/** Throws ProviderBug for rights of resources or fields that do not exist. */
export function requireRights({ unsupported, forbidden = [], limited = {} }: CheckResult): void {
  requireResources(unsupported, "`unsupported` of `check`");
  requireResources(forbidden, "`forbidden` of `check`");
  requireResources(Object.keys(limited), "`limited` of `check`");
  for (const [resource, fields] of Object.entries(limited))
    requireFields(resource as Resource, fields, "`limited` of `check`");
}

/** When the session ends, if it says so. Throws ProviderBug for anything but a valid date. */
export function readExpiry(
  { expiresAt }: Pick<ProviderMode, "expiresAt">,
  session: Session,
): Date | undefined {
  const at: unknown = expiresAt?.(session) ?? undefined;
  if (at === undefined) return undefined;
  if (!(at instanceof Date))
    throw new ProviderBug(`\`expiresAt\` has to give a Date or undefined, and gave a ${typeof at}`);
  if (Number.isNaN(at.getTime()))
    throw new ProviderBug(
      "`expiresAt` gave a Date that is not valid: what it was made of is no time",
    );
  return at;
}

function requireResources(given: readonly string[], where: string): void {
  if (!Array.isArray(given)) throw new ProviderBug(`${where} has to be a list of resources`);
  const unknown = given.find((resource) => !resources.some((known) => known === resource));
  if (unknown !== undefined)
    throw new ProviderBug(`${where} names ${quote(unknown)}, which is no resource`);
}

function quote(name: unknown): string {
  return String(name).slice(0, longestName);
}
