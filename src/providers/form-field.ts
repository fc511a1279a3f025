import { z } from "zod";
import type { ProviderMode } from "./contract.ts";

interface FormFieldOptions {
  title: string;
  /** Never shown, never echoed, never kept when a session suffices. */
  isSecret?: boolean;
  /** The person types where the provider is; an address that may not be reached is told at this field. */
  isAddress?: boolean;
  placeholder?: string;
  help?: string;
  /** For the browser's own help, such as `username` or `current-password`. */
  autocomplete?: string;
}

export interface FormField
  extends
    Required<Pick<FormFieldOptions, "title" | "isSecret" | "isAddress">>,
    Omit<FormFieldOptions, "title" | "isSecret" | "isAddress"> {
  name: string;
  isRequired: boolean;
}

const maxFieldLength = 2_048;

/** A required field of a sign-in form. `check` narrows what is accepted; its messages are shown to the person. */
export function formField(options: FormFieldOptions, check: z.ZodString = z.string()): z.ZodString {
  return check
    .min(1, { error: "Please fill in this field." })
    .max(maxFieldLength, { error: "Please type less in this field." })
    .meta({ ...options });
}

/** The fields of a form in their order, for whoever renders it. */
export function listFormFields(form: ProviderMode["form"]): FormField[] {
  return Object.entries(form.shape).map(([name, schema]) => {
    const {
      title = name,
      isSecret = false,
      isAddress = false,
      ...rest
    } = (z.globalRegistry.get(schema as z.ZodType) ?? {}) as Partial<FormFieldOptions>;
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
