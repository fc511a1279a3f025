import type { Mode } from "../model/index.ts";
import { scenarios, type Conformance } from "./conformance.ts";
import type { ProviderDefinition, ProviderMode } from "./contract.ts";
import { loadBuiltIn } from "./built-in.ts";
import { loadPackage, type LoadedPackage } from "./load-package.ts";
import type { LocatedPackage } from "./locate-package.ts";
import { ProviderRegistry } from "./registry.ts";

/** A provider in one mode, with the description of how it is checked. */
export interface Checkable {
  definition: ProviderDefinition;
  mode: Mode;
  /** Of the definition, in this mode. */
  adapter: ProviderMode;
  conformance: Conformance;
}

interface Packages {
  registered: readonly LocatedPackage[];
  /** The package that the name itself may be. */
  named?: LocatedPackage;
}

/**
 * What has a name: a built-in provider, one of a registered package, or else all of the package that the name itself is. It
 * is loaded into this process. Undefined when there is neither. Throws an error that says what is missing.
 */
export async function findProviders(
  name: string,
  { registered, named }: Packages,
): Promise<LoadedPackage | undefined> {
  const loaded = await Promise.all(registered.map(loadPackage));
  const builtIn = await loadBuiltIn(name);
  if (builtIn) return { definitions: [builtIn], conformances: await findConformances(name) };
  const known = loaded.find(({ definitions }) =>
    definitions.some((definition) => definition.name === name),
  );
  if (!known) return named && (await loadPackage(named));
  const definitions = known.definitions.filter((definition) => definition.name === name);
  const [first] = known.definitions;
  const conformances = known.conformances.filter(({ provider = first?.name }) => provider === name);
  return { definitions, conformances };
}

/** The sandbox is its own fake. The others have theirs in the tests. */
async function findConformances(name: string): Promise<readonly Conformance[]> {
  if (name !== "sandbox") return [];
  return (await import("./sandbox/conformance.ts")).sandboxConformances;
}

/**
 * What can be checked under a name, see `findProviders`. Given conformances, such as of recordings, stand for those of
 * the package. Undefined when nothing has the name.
 */
export async function findCheckable(
  name: string,
  packages: Packages,
  given?: readonly Conformance[],
): Promise<Checkable[] | undefined> {
  const found = await findProviders(name, packages);
  if (!found) return undefined;
  const chosen = listCheckable(found.definitions, given ?? found.conformances);
  if (chosen.length === 0)
    throw new Error(
      `nothing says how to check ${name}: it exports no conformance description. Record what its system answers with ` +
        "`provider run --record`, and check it with `--replay`",
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
    const adapter = mode && definition.modes[mode];
    if (!adapter) throw new Error(`${definition.name} has no mode ${mode ?? "at all"}`);
    return { definition, mode, adapter, conformance };
  });
}
