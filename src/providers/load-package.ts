import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Conformance } from "./conformance.ts";
import type { ProviderDefinition } from "./contract.ts";
import { findPlace } from "./find-place.ts";
import { InvalidProvider } from "./invalid-provider.ts";
import { kit, type ProviderPackage } from "./kit.ts";
import { locatePackage } from "./locate-package.ts";

/** What a package has: its providers, and how to check them. */
export interface LoadedPackage {
  definitions: readonly ProviderDefinition[];
  conformances: readonly Conformance[];
}

/** Loads a package by its name or path, and hands it the kit. Throws InvalidProvider, which names the package. */
export async function loadPackage(name: string): Promise<LoadedPackage> {
  const module = (await loading(name, () => importFile(name))) as {
    default?: ProviderPackage;
    conformance?: Conformance | readonly Conformance[];
  };
  const { default: made } = module;
  if (!made) throw new InvalidProvider(`the provider package ${name} has no default export`);
  const definitions = await loading(name, async () => makeDefinitions(made));
  if (definitions.length === 0 || !definitions.every(isDefinition))
    throw new InvalidProvider(
      `the default export of the provider package ${name} has to be a definition, a function that makes one of ` +
        "the kit, or a list of them",
    );
  return { definitions, conformances: [module.conformance ?? []].flat() };
}

export function makeDefinitions(made: ProviderPackage): readonly ProviderDefinition[] {
  return [made].flat().flatMap((one) => (typeof one === "function" ? one(kit) : one));
}

async function importFile(name: string): Promise<unknown> {
  const file = locatePackage(name);
  if (!existsSync(file))
    throw new InvalidProvider(
      `the provider package ${name} cannot be loaded: there is no file ${file}`,
    );
  return (await import(pathToFileURL(file).href)) as unknown;
}

async function loading<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidProvider) throw error;
    const { code, message } = error as { code?: unknown; message: string };
    const place = await findPlace(error, name);
    throw new InvalidProvider(
      code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING"
        ? `the provider package ${name} has to be JavaScript, because Node strips no types in node_modules`
        : `the provider package ${name} cannot be loaded: ${message}${place === undefined ? "" : ` (${place})`}`,
      { cause: error },
    );
  }
}

function isDefinition(value: unknown): boolean {
  const { name, modes } = (value ?? {}) as Partial<ProviderDefinition>;
  return typeof name === "string" && typeof modes === "object" && modes !== null;
}
