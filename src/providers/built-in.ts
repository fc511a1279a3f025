import { bamboohr } from "./bamboohr/index.ts";
import type { ProviderDefinition } from "./contract.ts";
import { odoo } from "./odoo/index.ts";
import { personio } from "./personio/index.ts";
import { ProviderRegistry } from "./registry.ts";
import { sandbox } from "./sandbox/index.ts";
import { staffology } from "./staffology/index.ts";
import { xero } from "./xero/index.ts";

/** In all their modes, with those that need an application of the operator. */
export const builtInProviders: readonly ProviderDefinition[] = [
  sandbox,
  bamboohr,
  odoo,
  personio,
  staffology,
  xero,
];

/** With the definitions of packages whose code runs in this process, and what other processes declare of theirs. */
export function registerBuiltIn({
  definitions = [],
  declared = [],
}: {
  definitions?: readonly ProviderDefinition[];
  declared?: readonly unknown[];
}): ProviderRegistry {
  return new ProviderRegistry([...builtInProviders, ...definitions], declared);
}
