import { modes, type Mode, type Resource } from "../model/index.ts";
import type { ProviderDefinition, ProviderMode } from "./contract.ts";
import { InvalidProvider } from "./invalid-provider.ts";
import { loadPackage } from "./load-package.ts";
import { describeFormMistake } from "./form-field.ts";
import type { OAuth2Applications } from "./oauth2-sign-in.ts";
import { sandbox } from "./sandbox/index.ts";
import { bamboohr } from "./bamboohr/index.ts";
import { odoo } from "./odoo/index.ts";
import { personio } from "./personio/index.ts";
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
const guidePattern = /^(?:https:\/\/|\/docs\/)[!-~]+$/;
const namePattern = /^[a-z][a-z0-9-]{1,39}$/;

/** All providers of this process: the built-in ones and those of the configured packages. */
export class ProviderRegistry {
  readonly #providers: ReadonlyMap<string, ProviderDefinition>;

  constructor(definitions: readonly ProviderDefinition[]) {
    const providers = new Map<string, ProviderDefinition>();
    for (const definition of definitions) {
      if (definition.apiVersion !== 1)
        throw new InvalidProvider(
          `provider ${definition.name}: apiVersion is ${String(definition.apiVersion)} and has to be 1`,
        );
      if (!namePattern.test(definition.name))
        throw new InvalidProvider(
          `provider ${definition.name}: the name has to match ${namePattern.source}`,
        );
      if (providers.has(definition.name))
        throw new InvalidProvider(
          `provider ${definition.name}: another provider already has this name`,
        );
      if (definition.guide !== undefined && !guidePattern.test(definition.guide))
        throw new InvalidProvider(
          `provider ${definition.name}: \`guide\` has to be an address with https`,
        );
      for (const [name, mode] of Object.entries(definition.modes)) {
        if (!modes.some((known) => known === name))
          throw new InvalidProvider(
            `provider ${definition.name}: there is no mode ${name}, only ${modes.join(" and ")}`,
          );
        const mistake = describeFormMistake(mode.form);
        if (mistake) throw new InvalidProvider(`provider ${definition.name}: ${mistake}`);
      }
      providers.set(definition.name, definition);
    }
    this.#providers = providers;
  }

  list(): ProviderDefinition[] {
    return [...this.#providers.values()];
  }

  find(name: string): ProviderDefinition | undefined {
    return this.#providers.get(name);
  }

  /** Each provider with its own limit of what may run at once. */
  limits(): { name: string; concurrency: number | undefined }[] {
    return this.list().map(({ name, limits }) => ({ name, concurrency: limits?.concurrency }));
  }

  /** Whether the data of the provider are invented. */
  isSimulated(name: string): boolean {
    return this.find(name)?.isSimulated ?? false;
  }

  hasResource({
    provider,
    mode,
    resource,
  }: {
    provider: string;
    mode: Mode;
    resource: Resource;
  }): boolean {
    return this.findMode(provider, mode)?.resources[resource] !== undefined;
  }

  findMode(name: string, mode: Mode): ProviderMode | undefined {
    return this.find(name)?.modes[mode];
  }
}

/**
 * The built-in providers, and those of the packages. A mode that is signed in to by OAuth2 is there when the operator has
 * an application for it. Throws InvalidProvider for an application of a provider that needs none.
 */
export async function loadRegistry(
  packages: readonly string[],
  applications: OAuth2Applications = {},
): Promise<ProviderRegistry> {
  const loaded = await Promise.all(packages.map(loadPackage));
  const all = [...builtInProviders, ...loaded.flatMap(({ definitions }) => definitions)];
  for (const name of Object.keys(applications)) requireOAuth2(all, name);
  return new ProviderRegistry(
    all
      .map((definition) => withoutApplication(definition, applications))
      .filter(({ modes: left }) => Object.keys(left).length > 0),
  );
}

function requireOAuth2(definitions: readonly ProviderDefinition[], name: string): void {
  const definition = definitions.find((each) => each.name === name);
  const needsOne = Object.values(definition?.modes ?? {}).some(({ oauth2 }) => oauth2);
  if (!needsOne)
    throw new InvalidProvider(
      `the configuration has an application for ${name}, and no provider of this name is signed in to by OAuth2`,
    );
}

function withoutApplication(
  definition: ProviderDefinition,
  applications: OAuth2Applications,
): ProviderDefinition {
  if (applications[definition.name]) return definition;
  const left = Object.entries(definition.modes).filter(([, { oauth2 }]) => !oauth2);
  return left.length === Object.keys(definition.modes).length
    ? definition
    : { ...definition, modes: Object.fromEntries(left) };
}
