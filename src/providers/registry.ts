import { endpointPaths, endpoints, modes, type Mode, type Resource } from "../model/index.ts";
import { describeIssue } from "../platform/plain-words.ts";
import type { ProviderDefinition, ProviderMode } from "./contract.ts";
import {
  declareProvider,
  providerDeclaration,
  type DeclaredMode,
  type ProviderDeclaration,
} from "./declaration.ts";
import { describeFormMistake } from "./form-field.ts";
import { InvalidProvider } from "./invalid-provider.ts";
import type { OAuth2Applications } from "./oauth2-sign-in.ts";
import { describeRecipeMistake } from "./recipe.ts";

const secondsPerDay = 86_400;
/** All resources that are polled leave half of a day's requests to others. */
const polledPartOfDay = 1 / 16;
const guidePattern = /^(?:https:\/\/|\/docs\/)[!-~]+$/;
const namePattern = /^[a-z][a-z0-9-]{1,39}$/;

interface Registered {
  declaration: ProviderDeclaration;
  /** Undefined when the code of the provider runs in another process. */
  definition: ProviderDefinition | undefined;
}

/**
 * All providers of this process, as what they declare. Those whose code runs here have their definition too. Throws
 * InvalidProvider for one that cannot be used.
 */
export class ProviderRegistry {
  readonly #providers = new Map<string, Registered>();
  /** Of all that were added, also of those that `offerWith` leaves out. */
  readonly #names = new Set<string>();

  /** `declared` is what other processes say of the providers that run there. It may be of any form. */
  constructor(definitions: readonly ProviderDefinition[], declared: readonly unknown[] = []) {
    for (const definition of definitions) this.add(definition);
    for (const given of declared) this.#add(checkDeclaration(given), undefined);
  }

  /** Throws InvalidProvider, as the constructor does. */
  add(definition: ProviderDefinition): void {
    this.#add(checkDefinition(definition), definition);
  }

  list(): ProviderDeclaration[] {
    return [...this.#providers.values()].map(({ declaration }) => declaration);
  }

  find(name: string): ProviderDeclaration | undefined {
    return this.#providers.get(name)?.declaration;
  }

  /** Whether there is such a provider, also when it is not offered for want of an application. */
  isKnown(name: string): boolean {
    return this.#names.has(name);
  }

  findMode(name: string, mode: Mode): DeclaredMode | undefined {
    return this.find(name)?.modes[mode];
  }

  /** The code of a provider, where it runs in this process. */
  findDefinition(name: string): ProviderDefinition | undefined {
    return this.#providers.get(name)?.definition;
  }

  findAdapter(name: string, mode: Mode): ProviderMode | undefined {
    return this.findMode(name, mode) && this.findDefinition(name)?.modes[mode];
  }

  /**
   * Whether it answers at an address of the vendor's. False for a system of a customer's own, and for code of another
   * process: a package does not say where it asks.
   */
  hasFixedHost(name: string, mode: Mode): boolean {
    const adapter = this.findAdapter(name, mode);
    return adapter !== undefined && adapter.origin === undefined;
  }

  /** Each provider with its own limit of what may run at once, and whether end users type where it answers. */
  limits(): { name: string; concurrency: number | undefined; hasTypedAddress: boolean }[] {
    return this.list().map(({ name, limits: { concurrency }, modes }) => ({
      name,
      concurrency,
      hasTypedAddress: Object.values(modes).some((mode) => mode.origin !== undefined),
    }));
  }

  /**
   * How long after a read the next poll of the same data comes at the earliest, for each of the requests that it took: no
   * polled resource takes more than its part of what the provider takes in a day. 0 without such a limit.
   */
  secondsPerPolledRequest(name: string): number {
    const quotas = Object.values(this.find(name)?.limits.quotas ?? {});
    const most = Math.min(...quotas.map(({ perDay }) => perDay ?? Infinity));
    return secondsPerDay / (most * polledPartOfDay);
  }

  simulated(): string[] {
    return this.list().flatMap(({ name, isSimulated }) => (isSimulated ? [name] : []));
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

  /**
   * Leaves out the modes that are signed in to by OAuth2 without an application of the operator. Throws InvalidProvider
   * for an application of a provider that needs none.
   */
  offerWith(applications: OAuth2Applications): this {
    for (const name of Object.keys(applications)) this.#requireOAuth2(name);
    for (const [name, registered] of this.#providers) {
      if (applications[name]) continue;
      const left = Object.entries(registered.declaration.modes).filter(
        ([, { isElsewhere }]) => !isElsewhere,
      );
      const declaration = { ...registered.declaration, modes: Object.fromEntries(left) };
      if (left.length === 0) this.#providers.delete(name);
      else this.#providers.set(name, { ...registered, declaration });
    }
    return this;
  }

  #add(declaration: ProviderDeclaration, definition: ProviderDefinition | undefined): void {
    const { name } = declaration;
    if (this.#providers.has(name))
      throw new InvalidProvider(`provider ${name}: another provider already has this name`);
    this.#providers.set(name, { declaration, definition });
    this.#names.add(name);
  }

  #requireOAuth2(name: string): void {
    const needsOne = Object.values(this.find(name)?.modes ?? {}).some(
      ({ isElsewhere }) => isElsewhere,
    );
    if (!needsOne)
      throw new InvalidProvider(
        `the configuration has an application for ${name}, and no provider of this name is signed in to by OAuth2`,
      );
  }
}

/** Of definitions that were checked. The built-in ones are in every registry of a process. */
const checked = new WeakMap<ProviderDefinition, ProviderDeclaration>();

function checkDefinition(definition: ProviderDefinition): ProviderDeclaration {
  const declaration = checked.get(definition) ?? checkDeclaration(declareProvider(definition));
  checked.set(definition, declaration);
  return declaration;
}

function checkDeclaration(given: unknown): ProviderDeclaration {
  const { apiVersion, name, guide, modes: own } = given as Readonly<Record<string, unknown>>;
  const refuse = (why: string): never => {
    throw new InvalidProvider(`provider ${String(name).slice(0, 100)}: ${why}`);
  };
  if (apiVersion !== 1) refuse(`apiVersion is ${String(apiVersion)} and has to be 1`);
  if (typeof name !== "string" || !namePattern.test(name))
    refuse(`the name has to match ${namePattern.source}`);
  if (guide !== undefined && !(typeof guide === "string" && guidePattern.test(guide)))
    refuse("`guide` has to be an address with https");
  const unknown = Object.keys(own ?? {}).find((mode) => !modes.some((known) => known === mode));
  if (unknown !== undefined) refuse(`there is no mode ${unknown}, only ${modes.join(" and ")}`);
  const parsed = providerDeclaration.safeParse(given, { error: describeIssue });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(`\`${issue?.path.join(".")}\` ${issue?.message}`);
  }
  const mistake = describeMistake(parsed.data);
  if (mistake) refuse(mistake);
  return parsed.data;
}

function describeOriginMistake(
  { field, isProbed }: NonNullable<DeclaredMode["origin"]>,
  { fields, isElsewhere }: Pick<DeclaredMode, "fields" | "isElsewhere">,
): string | undefined {
  const found = fields.find(({ name }) => name === field);
  if (!found || found.isSecret) return `names ${field}, which is no field of the form or a secret`;
  return isProbed && isElsewhere
    ? "has a probe, and the person is led to the provider's own page before anything is asked there"
    : undefined;
}

/** A reader that nothing could ask for, because the API has its resource in another mode alone. */
function describeResourceMistake(mode: Mode, resources: object): string | undefined {
  for (const resource of Object.keys(resources)) {
    const offered = endpointPaths
      .filter((path) => endpoints[path].resource === resource)
      .flatMap((path) => endpoints[path].modes);
    if (!offered.includes(mode))
      return `has ${resource}, which the API has in the mode ${offered.join(" and ")} alone`;
  }
  return undefined;
}

/** What the form of a declaration cannot say; undefined when nothing is wrong. */
function describeMistake({ modes: own, texts }: ProviderDeclaration): string | undefined {
  for (const [mode, { fields, recipe, origin, isElsewhere, resources }] of Object.entries(own)) {
    const atResource = describeResourceMistake(mode as Mode, resources);
    if (atResource) return `the mode ${mode} ${atResource}`;
    const atForm = describeFormMistake(fields);
    if (atForm) return atForm;
    const atOrigin = origin && describeOriginMistake(origin, { fields, isElsewhere });
    if (atOrigin) return `the origin of ${mode} ${atOrigin}`;
    const atRecipe = recipe && describeRecipeMistake(recipe, { fields, texts });
    if (atRecipe) return `the recipe of ${mode} ${atRecipe}`;
  }
  return undefined;
}
