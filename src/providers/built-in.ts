import type { ProviderDefinition } from "./contract.ts";
import { ProviderRegistry } from "./registry.ts";

/**
 * Each built-in provider by its name. The code of one is loaded when somebody asks for it, so that a child process pays for
 * those alone that its calls are of.
 */
const builtIn = new Map<string, () => Promise<ProviderDefinition>>([
  ["sandbox", async () => (await import("./sandbox/index.ts")).sandbox],
  ["bamboohr", async () => (await import("./bamboohr/index.ts")).bamboohr],
  ["employment-hero", async () => (await import("./employment-hero/index.ts")).employmentHero],
  ["factorial", async () => (await import("./factorial/index.ts")).factorial],
  ["frappe-hr", async () => (await import("./frappe-hr/index.ts")).frappeHr],
  ["gusto", async () => (await import("./gusto/index.ts")).gusto],
  ["hibob", async () => (await import("./hibob/index.ts")).hibob],
  ["odoo", async () => (await import("./odoo/index.ts")).odoo],
  ["personio", async () => (await import("./personio/index.ts")).personio],
  ["sage-hr", async () => (await import("./sage-hr/index.ts")).sageHr],
  ["staffology", async () => (await import("./staffology/index.ts")).staffology],
  ["xero", async () => (await import("./xero/index.ts")).xero],
]);

/** Undefined when no built-in provider has the name. */
export async function loadBuiltIn(name: string): Promise<ProviderDefinition | undefined> {
  return await builtIn.get(name)?.();
}

/** Puts the built-in provider of this name, if there is one, into a registry that may have it already. */
export async function addBuiltIn(registry: ProviderRegistry, name: string): Promise<void> {
  if (registry.find(name)) return;
  const definition = await loadBuiltIn(name);
  if (definition && !registry.find(name)) registry.add(definition);
}

/** All of them, in all their modes: also those that need an application of the operator. */
export async function loadAllBuiltIn(): Promise<readonly ProviderDefinition[]> {
  return await Promise.all([...builtIn.values()].map((load) => load()));
}

/** A registry of the built-in providers and of what other processes declare. */
export async function registerBuiltIn(
  declared: readonly unknown[] = [],
): Promise<ProviderRegistry> {
  return new ProviderRegistry(await loadAllBuiltIn(), declared);
}
