import { pathToFileURL } from "node:url";
import type { Conformance } from "./conformance.ts";
import type { ProviderDefinition } from "./contract.ts";
import { findPlace } from "./find-place.ts";
import { InvalidProvider, UnreadablePackage } from "./invalid-provider.ts";
import { kit, type ProviderPackage } from "./kit.ts";
import type { LocatedPackage } from "./locate-package.ts";

/** What a package has: its providers, and how to check them. */
export interface LoadedPackage {
  definitions: readonly ProviderDefinition[];
  conformances: readonly Conformance[];
}

/** Loads a package into this process, and hands it the kit. Throws InvalidProvider, which names the package. */
export async function loadPackage(located: LocatedPackage): Promise<LoadedPackage> {
  const { name, file } = located;
  const load = async () => (await import(pathToFileURL(file).href)) as ProviderModule;
  const module = await loading(located, load);
  const { default: made } = module;
  if (!made) throw new InvalidProvider(`the provider package ${name} has no default export`);
  const definitions = await loading(located, async () => makeDefinitions(made));
  if (definitions.length === 0 || !definitions.every(isDefinition))
    throw new InvalidProvider(
      `the default export of the provider package ${name} has to be a definition, a function that makes one of ` +
        "the kit, or a list of them",
    );
  return { definitions, conformances: [module.conformance ?? []].flat() };
}

interface ProviderModule {
  default?: ProviderPackage;
  conformance?: Conformance | readonly Conformance[];
}

export function makeDefinitions(made: ProviderPackage): readonly ProviderDefinition[] {
  return [made].flat().flatMap((one) => (typeof one === "function" ? one(kit) : one));
}

async function loading<Result>(
  { name, file }: LocatedPackage,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidProvider) throw error;
    const place = findPlace(error);
    const message = explain(name, error);
    if (error instanceof SyntaxError && place === undefined)
      throw new UnreadablePackage(message, file);
    throw new InvalidProvider(place === undefined ? message : `${message} (${place})`, {
      cause: error,
    });
  }
}

function explain(name: string, error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING")
    return `the provider package ${name} has to be JavaScript, because Node strips no types in node_modules`;
  const why =
    code === "ERR_ACCESS_DENIED"
      ? "it needs more than a package may do: docs/providers.md says what that is"
      : String(message);
  return `the provider package ${name} cannot be loaded: ${why}`;
}

function isDefinition(value: unknown): boolean {
  const { name, modes } = (value ?? {}) as Partial<ProviderDefinition>;
  return typeof name === "string" && typeof modes === "object" && modes !== null;
}
