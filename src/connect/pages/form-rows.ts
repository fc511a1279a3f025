import { html, type Html } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { FlowPageContext } from "./consent.ts";
import { renderFieldRow, type SecretUse } from "./field-row.ts";
import { renderRecipe } from "./recipe.ts";
import type { FormProblem, ShownPrefill } from "./refusal.ts";

/** The fields of a provider's form. Its recipe stands at the field that it explains, or below them. */
export function renderFormRows(
  context: FlowPageContext,
  {
    fields,
    prefill,
    problem,
    secretUse,
  }: {
    fields: readonly FormField[];
    prefill: ShownPrefill | undefined;
    problem: FormProblem;
    secretUse: SecretUse;
  },
): Html {
  const { recipe, addressField } = context;
  const shown = recipe && renderRecipe(context, recipe);
  const isAtField = fields.some(({ name }) => name === recipe?.field);
  const rows = fields.map((field) =>
    renderFieldRow(context, field, {
      value: prefill?.formValues[field.name],
      problem,
      secretUse,
      found: field.name === addressField ? prefill?.found : undefined,
      explanation: field.name === recipe?.field && shown,
    }),
  );
  return html`${rows}${!isAtField && shown}`;
}
