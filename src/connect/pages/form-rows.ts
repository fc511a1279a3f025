import { html, type Html } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import { isFolded } from "../asked-fields.ts";
import type { FlowPageContext } from "./consent.ts";
import { renderFieldRow, type SecretUse } from "./field-row.ts";
import { renderRecipe } from "./recipe.ts";
import type { FormProblem, ShownPrefill } from "./refusal.ts";

/** The fields of a provider's form. What can stay as it is unfolds at its end. Its recipe stands at the field that it explains, or below them. */
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
  const { recipe } = context;
  const shown = recipe && renderRecipe(context, recipe);
  const isAtField = fields.some(({ name }) => name === recipe?.field);
  const renderRow = (field: FormField): Html =>
    renderFieldRow(context, field, {
      value: prefill?.formValues[field.name],
      problem,
      secretUse,
      explanation: field.name === recipe?.field && shown,
    });
  const settings = fields.filter(isFolded);
  const rows = fields.filter((field) => !isFolded(field)).map(renderRow);
  const isOpen = settings.some(({ name }) => name === problem.focus);
  return html`${rows}${!isAtField && shown}${
    settings.length > 0 &&
    html`<details class="settings"${isOpen && html` open`}><summary>${context.texts.form.settings}</summary>
${settings.map(renderRow)}</details>`
  }`;
}
