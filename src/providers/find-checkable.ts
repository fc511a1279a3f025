import type { Mode } from "../model/index.ts";
import { scenarios, type Conformance } from "./conformance.ts";
import type { ProviderDefinition } from "./contract.ts";
import { loadPackage } from "./load-package.ts";
import type { LocatedPackage } from "./locate-package.ts";
import { odoo } from "./odoo/index.ts";
import { ProviderRegistry } from "./registry.ts";
import { sandboxConformances } from "./sandbox/conformance.ts";
import { sandbox } from "./sandbox/index.ts";

/** A provider in one mode, with the description of how it is checked. */
export interface Checkable {
  definition: ProviderDefinition;
  mode: Mode;
  conformance: Conformance;
}

/**
 * What can be checked under a name: a built-in provider, one of a registered package, or else the package that the name
 * itself is. It is loaded into this process. Undefined when there is neither. Throws an error that says what is
 * missing.
 */
export async function findCheckable(
  name: string,
  { registered, named }: { registered: readonly LocatedPackage[]; named?: LocatedPackage },
): Promise<Checkable[] | undefined> {
  const loaded = await Promise.all(registered.map(loadPackage));
  const builtIn = { definitions: [sandbox, odoo], conformances: sandboxConformances };
  const known = [builtIn, ...loaded].find(({ definitions }) =>
    definitions.some((definition) => definition.name === name),
  );
  const found = known ?? (named && (await loadPackage(named)));
  if (!found) return undefined;
  const { definitions, conformances } = found;
  const chosen = listCheckable(definitions, conformances).filter(
    ({ definition }) => known === undefined || definition.name === name,
  );
  if (chosen.length === 0)
    throw new Error(
      `${name} does not export a conformance description, which says how to check it`,
    );
  return chosen;
}

/** Throws what is wrong with the definitions, before anything of them runs. */
export function listCheckable(
  definitions: readonly ProviderDefinition[],
  conformances: readonly Conformance[],
): Checkable[] {
  new ProviderRegistry(definitions).list();
  return conformances.map((conformance) => {
    const { provider, leavesOut = {} } = conformance;
    const unknown = Object.keys(leavesOut).find((name) => !scenarios.some((one) => one === name));
    if (unknown !== undefined)
      throw new Error(
        `\`leavesOut\` names ${unknown}, which is no scenario: there are ${scenarios.join(", ")}`,
      );
    const definition =
      provider === undefined ? definitions[0] : definitions.find(({ name }) => name === provider);
    if (!definition)
      throw new Error("the conformance description names no provider of its package");
    const mode = conformance.mode ?? (Object.keys(definition.modes)[0] as Mode | undefined);
    if (mode === undefined || !definition.modes[mode])
      throw new Error(`${definition.name} has no mode ${mode ?? "at all"}`);
    return { definition, mode, conformance };
  });
}
