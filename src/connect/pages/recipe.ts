import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { DeclaredRecipe } from "../../providers/index.ts";
import { renderDrawing } from "./drawing.ts";
import type { FlowPageContext } from "./consent.ts";
import { formatMarkup } from "./format.ts";
import { translate } from "./translate.ts";

/** Unfolds in the page: nothing that was typed is lost, and it works without a script. */
export function renderRecipe(context: FlowPageContext, recipe: DeclaredRecipe): Html {
  const { texts, provider } = context;
  const { title, steps, rights = [], ending = [] } = recipe;
  const isDrawn = steps.some(({ drawing }) => drawing !== undefined);
  return html`<details class="recipe"><summary>${translate(context, title)}</summary>
<ol>${steps.map((step) => renderStep(context, step))}</ol>
${isDrawn && html`<p class="soft">${formatMarkup(texts.recipe.drawn, { provider })}</p>`}
${renderPart(context, html`${texts.recipe.rights}`, rights)}
${renderPart(context, formatMarkup(texts.recipe.ending, { provider }), ending)}</details>`;
}

function renderStep(
  context: FlowPageContext,
  { text, drawing }: DeclaredRecipe["steps"][number],
): Html {
  return html`<li><p>${translate(context, text)}</p>
${drawing && renderDrawing(context, drawing)}</li>`;
}

function renderPart(
  context: FlowPageContext,
  heading: Html,
  sentences: readonly string[],
): HtmlValue {
  if (sentences.length === 0) return undefined;
  const items = sentences.map((sentence) => html`<li>${translate(context, sentence)}</li>`);
  return html`<h2>${heading}</h2><ul>${items}</ul>`;
}
