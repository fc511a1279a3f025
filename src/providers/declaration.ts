import { z } from "zod";
import { modes, resources, type Mode, type Resource, type Translation } from "../model/index.ts";
import type { ProviderDefinition, ProviderMode, ResourceReader } from "./contract.ts";
import { formFieldDeclaration, listFormFields } from "./form-field.ts";
import { listNeverGiven } from "./never-given.ts";
import { recipeDeclaration } from "./recipe.ts";

const word = z.string().min(1).max(200);
const sentence = z.string().max(2_000);
const count = z.number().min(0);

const quota = z.object({
  perSecond: count.exactOptional(),
  perMinute: count.exactOptional(),
  perDay: count.exactOptional(),
  atOnce: count.exactOptional(),
  isShared: z.boolean().exactOptional(),
});

const declaredMode = z.object({
  /** Of its form, in their order. */
  fields: z.array(formFieldDeclaration).max(50),
  recipe: recipeDeclaration.exactOptional(),
  /** The field with the address of the system, or a part of it. */
  origin: z.object({ field: z.string(), isProbed: z.boolean() }).exactOptional(),
  keepsSecret: z.boolean(),
  /** The person signs in on the provider's own page, after the form. */
  isElsewhere: z.boolean(),
  /** Modes that are signed in to in the same way have the same accounts. This is the first of them. */
  realm: z.enum(modes),
  /** The form's values, or the session, name an account in the adapter's own spelling. */
  namesAccount: z.boolean(),
  namesAccountOfSession: z.boolean(),
  canLogOut: z.boolean(),
  resources: z.partialRecord(
    z.enum(resources),
    z.object({
      changesRereadAll: z.boolean(),
      /** The fields that are null in each record. */
      neverGiven: z.array(word).max(100),
    }),
  ),
});

const sentences = z.record(sentence, sentence);

/** What a provider says of itself, as data. Its functions stay where its code runs. */
export const providerDeclaration = z.object({
  apiVersion: z.literal(1),
  name: z.string(),
  title: word,
  tags: z.array(word).max(100),
  guide: z.string().max(2_000).exactOptional(),
  isSimulated: z.boolean(),
  limits: z.object({
    concurrency: count.exactOptional(),
    quotas: z.record(word, quota),
  }),
  texts: z.object({
    de: sentences.exactOptional(),
    es: sentences.exactOptional(),
    fr: sentences.exactOptional(),
    it: sentences.exactOptional(),
    nl: sentences.exactOptional(),
    pl: sentences.exactOptional(),
    pt: sentences.exactOptional(),
  } satisfies Record<Translation, unknown>),
  modes: z.partialRecord(z.enum(modes), declaredMode),
});

export type ProviderDeclaration = z.output<typeof providerDeclaration>;
export type DeclaredMode = z.output<typeof declaredMode>;

/** Not checked yet: what a package gives may be of any form. */
export function declareProvider(definition: ProviderDefinition): unknown {
  const { apiVersion, name, title, tags = [], guide, isSimulated = false, texts = {} } = definition;
  const { concurrency, quotas = {} } = definition.limits ?? {};
  const declared = {
    apiVersion,
    name,
    title,
    tags,
    guide,
    isSimulated,
    limits: { concurrency, quotas },
    texts,
    modes: Object.fromEntries(
      (Object.entries(definition.modes) as [Mode, ProviderMode][]).map(([mode, given]) => [
        mode,
        declareMode(definition, mode, given),
      ]),
    ),
  };
  return JSON.parse(JSON.stringify(declared)) as unknown;
}

function declareMode(
  definition: ProviderDefinition,
  mode: Mode,
  {
    form,
    recipe,
    origin,
    oauth2,
    account,
    accountOfSession,
    logOut,
    keepsSecret = false,
    resources: all,
  }: ProviderMode,
): unknown {
  return {
    fields: listFormFields(form),
    recipe,
    origin: origin && { field: origin.field, isProbed: origin.probe !== undefined },
    keepsSecret,
    isElsewhere: oauth2 !== undefined,
    realm: realmOf(definition, mode),
    namesAccount: account !== undefined,
    namesAccountOfSession: accountOfSession !== undefined,
    canLogOut: logOut !== undefined,
    resources: declareResources(all),
  };
}

/** A package in JavaScript may leave out what it has none of. */
function declareResources(all: ProviderMode["resources"] | undefined): object {
  return Object.fromEntries(
    (Object.entries(all ?? {}) as [Resource, ResourceReader | undefined][]).flatMap(
      ([resource, reader]) => (reader ? [[resource, declareReader(resource, reader)]] : []),
    ),
  );
}

function declareReader(
  resource: Resource,
  reader: Pick<ResourceReader, "changesRereadAll" | "fields">,
): object {
  const described = resources.includes(resource) ? reader.fields?.() : undefined;
  return {
    changesRereadAll: reader.changesRereadAll ?? false,
    neverGiven: listNeverGiven(resource, described ?? []),
  };
}

/** Modes that have all parts of the sign-in that tell accounts apart in common. */
function realmOf({ modes: own }: ProviderDefinition, mode: Mode): Mode {
  const parts = ["form", "oauth2", "account", "accountOfSession"] as const;
  const isSame = (other: Mode): boolean =>
    parts.every((part) => own[other]?.[part] === own[mode]?.[part]);
  return modes.find(isSame) ?? mode;
}
