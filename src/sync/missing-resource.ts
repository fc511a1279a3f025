import type { ConnectionSummary } from "../connections/index.ts";
import type { Resource } from "../model/index.ts";
import { secondsBetween } from "../platform/clock.ts";
import type { ProviderRegistry } from "../providers/index.ts";

/** What was missing at the sign-in is looked for again after this. */
const unsupportedForSeconds = 24 * 3600;

/** Whether the adapter lacks the resource, or the account did when it was checked at the sign-in. */
export function isMissing(
  { provider, mode, unsupported, signedInAt }: ConnectionSummary,
  resource: Resource,
  { registry, now }: { registry: ProviderRegistry; now: Date },
): boolean {
  if (!registry.hasResource({ provider, mode, resource })) return true;
  return unsupported.includes(resource) && secondsBetween(signedInAt, now) < unsupportedForSeconds;
}
