import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { DeclaredRecipe } from "../../providers/index.ts";
import { textsOf } from "../texts/index.ts";
import { renderDrawing } from "./drawing.ts";
import type { FlowPageContext } from "./consent.ts";
import { formatMarkup } from "./format.ts";
import { renderPage, type PageContext } from "./layout.ts";
import { translate, translateText } from "./translate.ts";

/** The page about where people find what the form of a provider asks for. */
export function recipePath(provider: string, mode: string): string {
  return `/connect/help/${provider}/${mode}`;
}

/** What a recipe is shown with. */
type RecipeContext = PageContext & Pick<FlowPageContext, "provider">;

/** Unfolds in the page: nothing that was typed is lost, and it works without a script. */
export function renderRecipe(context: FlowPageContext, recipe: DeclaredRecipe): Html {
  const { texts, locale, flow } = context;
  const { share } = texts.recipe;
  const address = `${recipePath(flow.provider ?? "", flow.mode)}?lang=${locale}`;
  return html`<details class="recipe"><summary>${translate(context, recipe.title)}</summary>
${renderWhole(context, recipe)}
<p><a href="${address}" target="_blank" rel="noopener">${share}<span class="unseen"> (${texts.form.newTab})</span></a></p></details>`;
}

/** The same as a page of its own, which names no application: somebody sends it to whoever has the key. */
export function recipePage(context: RecipeContext, recipe: DeclaredRecipe): Html {
  const { texts, provider } = context;
  const { text, lang } = translateText(context, recipe.title);
  const body = html`<p class="asks">${formatMarkup(texts.recipe.shared, { provider })}</p>
<div class="recipe">${renderWhole(context, recipe)}</div>`;
  return renderPage({ ...context, title: text, ...(lang && { titleLang: lang }), body });
}

/** One of which nothing is translated is English as a whole, with its headings. */
function renderWhole(ofPage: RecipeContext, recipe: DeclaredRecipe): Html {
  const isForeign = !isTranslated(ofPage, recipe);
  const context = isForeign ? inEnglish(ofPage) : ofPage;
  const { steps, rights = [], ending = [] } = recipe;
  const { texts, provider } = context;
  const isDrawn = steps.some(({ drawing }) => drawing !== undefined);
  return html`<div${isForeign && html` lang="en"`}><ol>${steps.map((step) => renderStep(context, step))}</ol>
${isDrawn && html`<p class="soft">${formatMarkup(texts.recipe.drawn, { provider })}</p>`}
${renderPart(context, html`${texts.recipe.rights}`, rights)}
${renderPart(context, formatMarkup(texts.recipe.ending, { provider }), ending)}</div>`;
}

function isTranslated(context: RecipeContext, { title, steps }: DeclaredRecipe): boolean {
  return [title, ...steps.map(({ text }) => text)].some(
    (sentence) => translateText(context, sentence).lang === undefined,
  );
}

function inEnglish(context: RecipeContext): RecipeContext {
  return { ...context, locale: "en", texts: textsOf.en, providerTexts: {} };
}

function renderStep(
  context: RecipeContext,
  { text, drawing }: DeclaredRecipe["steps"][number],
): Html {
  return html`<li><p>${translate(context, text)}</p>
${drawing && renderDrawing(context, drawing)}</li>`;
}

function renderPart(
  context: RecipeContext,
  heading: Html,
  sentences: readonly string[],
): HtmlValue {
  if (sentences.length === 0) return undefined;
  const items = sentences.map((sentence) => html`<li>${translate(context, sentence)}</li>`);
  return html`<h2>${heading}</h2><ul>${items}</ul>`;
}
