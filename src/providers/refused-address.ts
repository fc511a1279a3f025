import type { TargetRefused } from "../platform/outbound/index.ts";
import type { ProviderMode } from "./contract.ts";
import { FieldError } from "./errors.ts";
import { listFormFields } from "./form-field.ts";

/** An error of the field where the address was typed, when the form has one. */
export function refusedAddress({ form }: ProviderMode, error: TargetRefused): Error {
  const field = listFormFields(form).find(({ isAddress }) => isAddress);
  return field
    ? new FieldError(
        field.name,
        "This address cannot be used. It has to be public and to begin with https.",
      )
    : error;
}
