import { listFormFields, type Checkable, type FormValues } from "../providers/index.ts";

/** The secret fields of the form, each with what was typed there. */
export function listSecrets(
  { adapter }: Checkable,
  formValues: FormValues,
): { name: string; value: string }[] {
  const fields = listFormFields(adapter.form).filter(({ isSecret }) => isSecret);
  return fields.map(({ name }) => ({ name, value: formValues[name] ?? "" }));
}
