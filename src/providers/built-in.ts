import { bamboohr } from "./bamboohr/index.ts";
import type { ProviderDefinition } from "./contract.ts";
import { employmentHero } from "./employment-hero/index.ts";
import { factorial } from "./factorial/index.ts";
import { frappeHr } from "./frappe-hr/index.ts";
import { gusto } from "./gusto/index.ts";
import { hibob } from "./hibob/index.ts";
import { odoo } from "./odoo/index.ts";
import { personio } from "./personio/index.ts";
import { ProviderRegistry } from "./registry.ts";
import { sageHr } from "./sage-hr/index.ts";
import { sandbox } from "./sandbox/index.ts";
import { staffology } from "./staffology/index.ts";
import { xero } from "./xero/index.ts";

/** All built-in providers, in all their modes: also those that need an application of the operator. */
export const builtInProviders: readonly ProviderDefinition[] = [
  sandbox,
  bamboohr,
  employmentHero,
  factorial,
  frappeHr,
  gusto,
  hibob,
  odoo,
  personio,
  sageHr,
  staffology,
  xero,
];

/**
 * A registry of the built-in providers, of the packages whose code runs in this process, and of what other processes
 * declare.
 */
export function registerBuiltIn({
  definitions = [],
  declared = [],
}: {
  definitions?: readonly ProviderDefinition[];
  declared?: readonly unknown[];
}): ProviderRegistry {
  return new ProviderRegistry([...builtInProviders, ...definitions], declared);
}
