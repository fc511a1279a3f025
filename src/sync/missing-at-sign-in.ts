import type { ConnectionSummary } from "../connections/index.ts";
import type { Resource } from "../model/index.ts";
import { secondsBetween } from "../platform/clock.ts";
import type { ProviderRegistry } from "../providers/index.ts";

/** What was missing at the sign-in is looked for again after this. */
const unsupportedForSeconds = 24 * 3600;
const forbiddenForSeconds = 3600;

/** Why there is no read of the resource: the adapter lacks it, or the account did when it was checked at the sign-in. */
export function missingAtSignIn(
  { provider, mode, unsupported, forbidden, signedInAt }: ConnectionSummary,
  resource: Resource,
  { registry, now }: { registry: ProviderRegistry; now: Date },
): "unsupported" | "forbidden" | undefined {
  const age = secondsBetween(signedInAt, now);
  if (!registry.hasResource({ provider, mode, resource })) return "unsupported";
  if (unsupported.includes(resource) && age < unsupportedForSeconds) return "unsupported";
  return forbidden.includes(resource) && age < forbiddenForSeconds ? "forbidden" : undefined;
}
