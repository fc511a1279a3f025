import { z } from "zod";
import { resources, type Resource } from "../model/index.ts";
import type { FormValues, ProviderMode, Settings } from "./contract.ts";

interface FormFieldOptions {
  title: string;
  /** Never shown or echoed, and kept, sealed, only until it is tried when a session is enough. */
  isSecret?: boolean;
  /**
   * The address of the provider. The refusal of an address that is not allowed appears at this
   * field.
   */
  isAddress?: boolean;
  /** Kept with the connection and given to every read as a setting. Never a secret. */
  isSetting?: boolean;
  /** Of an optional setting: the resources that it counts for. It is asked for only when one of them will be read. */
  resources?: readonly Resource[];
  /** The person chooses one of these; the first is chosen already. */
  choices?: readonly { value: string; title: string }[];
  placeholder?: string;
  help?: string;
  /** A page of the provider that explains the field, over https. */
  helpUrl?: string;
  /** The HTML attribute, such as `username` or `current-password`. */
  autocomplete?: string;
}

const text = z.string().max(2_000);

/** A field of a form, as data. */
export const formFieldDeclaration = z.object({
  name: z.string().min(1).max(100),
  title: text,
  isSecret: z.boolean(),
  isAddress: z.boolean(),
  isRequired: z.boolean(),
  isSetting: z.boolean().exactOptional(),
  resources: z.array(z.enum(resources)).min(1).readonly().exactOptional(),
  choices: z
    .array(z.object({ value: text, title: text }))
    .max(1_000)
    .readonly()
    .exactOptional(),
  placeholder: text.exactOptional(),
  help: text.exactOptional(),
  helpUrl: text.exactOptional(),
  autocomplete: text.exactOptional(),
});

export type FormField = z.output<typeof formFieldDeclaration>;

const maxFieldLength = 2_048;

/**
 * A required field of a sign-in form; `.optional()` makes one that may stay empty. `check` limits its
 * values; the person sees the messages of `check`.
 */
export function formField(options: FormFieldOptions, check: z.ZodString = z.string()): z.ZodString {
  const { choices } = options;
  const limited = check
    .min(1, { error: "Please fill in this field." })
    .max(maxFieldLength, { error: "Please type less in this field." });
  const chosen = choices
    ? limited.refine((value) => choices.some((choice) => choice.value === value), {
        error: "Please choose one of these.",
      })
    : limited;
  return chosen.meta({ ...options });
}

/** The fields of a form, in its order. A field that ends with `.optional()` may stay empty. */
export function listFormFields(form: ProviderMode["form"]): FormField[] {
  return Object.entries(form.shape).map(([name, schema]) => {
    const field = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    const {
      title = name,
      isSecret = false,
      isAddress = false,
      ...rest
    } = (z.globalRegistry.get(field as z.ZodType) ?? {}) as Partial<FormFieldOptions>;
    return {
      ...rest,
      name,
      title,
      isSecret,
      isAddress,
      isRequired: !(schema as z.ZodType).safeParse(undefined).success,
    };
  });
}

/** The settings among the values, for a provider that is tried: one that was not typed is empty. */
export function chooseSettings(form: z.ZodObject, formValues: FormValues): Settings {
  const settings = listFormFields(form).filter(({ isSetting }) => isSetting);
  return Object.fromEntries(settings.map(({ name }) => [name, formValues[name] ?? ""]));
}

/** What is wrong with the fields of a form; undefined when nothing is. */
export function describeFormMistake(fields: readonly FormField[]): string | undefined {
  for (const field of fields) {
    const mistake = describeFieldMistake(field);
    if (mistake) return `the field ${field.name} ${mistake}`;
  }
  return undefined;
}

function describeFieldMistake({
  isSecret,
  isSetting,
  isRequired,
  resources: countsFor,
  choices,
  helpUrl,
}: FormField): string | undefined {
  if (isSecret && isSetting) return "is a secret and a setting; a setting is never a secret";
  if (isSecret && choices) return "is a secret and has choices; they stand on the page";
  if (countsFor && !isSetting) return "has resources and is no setting";
  if (countsFor && isRequired) return "has resources and is required; it is not always asked for";
  if (choices?.length === 0) return "has no choices to choose from";
  if (helpUrl !== undefined && URL.parse(helpUrl)?.protocol !== "https:")
    return "has a helpUrl that is not an address with https";
  return undefined;
}
