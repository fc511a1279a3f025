import { html, type Html } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { Prefill } from "../flow.ts";
import { asks, consent, kept, tile, type FlowPageContext } from "./consent.ts";
import { describeRefusal, fieldRow, judge, notice, noticeOf, translate } from "./fields.ts";
import { renderPage } from "./layout.ts";
import { say, sayPlainly } from "./say.ts";

export type { FlowPageContext } from "./consent.ts";

/** A list that fits on a screen needs no search. */
const longListStartsAt = 7;

interface Offered {
  name: string;
  title: string;
}

export function choosePage(
  context: FlowPageContext,
  { offered, search }: { offered: readonly Offered[]; search: string },
): Html {
  const { texts, client } = context;
  const list =
    offered.length === 0
      ? notice(say(texts.choose.nothing, { client }), { isFocused: true })
      : providerList(context, offered, search);
  const body = html`${asks(context)}
<div class="panes"><div class="act">
${list}
${waysOut(context)}
</div>
${consent(context)}</div>`;
  return renderPage({ ...context, title: texts.title.choose, body, isWide: true });
}

export function signInPage(
  context: FlowPageContext,
  {
    fields,
    prefill,
    keepsSecret,
  }: { fields: readonly FormField[]; prefill: Prefill | undefined; keepsSecret: boolean },
): Html {
  const { texts, path, client, provider } = context;
  const verdict = judge(context, fields, prefill);
  const isAtField = fields.some(({ name }) => name === verdict.focus);
  const body = html`${asks(context)}
<div class="panes">${consent(context)}
<div class="act">
${!isAtField && noticeOf(verdict)}
<form method="post" action="${path}/sign-in">
${hidden(context)}
${fields.map((field) => [field.name === verdict.focus && noticeOf(verdict), fieldRow(context, field, { value: prefill?.fields[field.name], verdict })])}
<button class="primary">${texts.form.submit}</button>
</form>
<p class="private">${say(texts.form.private, { client, provider })}</p>
${waysOut(context)}
</div></div>
${kept(context, keepsSecret)}`;
  return renderPage({
    ...context,
    title: texts.title.signIn,
    names: { provider },
    body,
    isWide: true,
    isProblem: verdict.focus !== undefined,
  });
}

export function workingPage(context: FlowPageContext): Html {
  const { texts, path, client, provider, flow } = context;
  const body = html`<div class="working" data-watch="${path}/status" data-step="${flow.step}"><div class="spinner" aria-hidden="true"></div>
<p>${say(texts.working.text, { provider })}</p><p class="soft">${say(texts.working.stay, { client })}</p></div>
<div class="ways-out">${declineForm(context)}<a class="quiet" href="${path}">${texts.working.refresh}</a></div>`;
  return renderPage({
    ...context,
    title: texts.title.working,
    names: { provider },
    body,
    refreshSeconds: 4,
  });
}

export function codePage(context: FlowPageContext, prompt: string): Html {
  const { texts, path, flow, provider } = context;
  const error = flow.refusal ? describeRefusal(context, flow.refusal) : undefined;
  const body = html`<p class="asks">${say(texts.form.codeWhy, { provider })}</p>
<form method="post" action="${path}/answer">
${hidden(context)}
<div class="field"><label for="otp">${translate(context, prompt)}</label>
${error && html`<p class="error" id="otp-error" role="alert">${error}</p>`}
<div class="input"><input id="otp" class="code" name="otp" inputmode="numeric" autocomplete="one-time-code" required maxlength="64" spellcheck="false" autocapitalize="none" autofocus${error && html` aria-invalid="true" aria-describedby="otp-error"`}></div></div>
<button class="primary">${texts.form.answer}</button>
</form>
${waysOut(context)}`;
  return renderPage({ ...context, title: texts.title.code, body, isProblem: error !== undefined });
}

export function failedPage(context: FlowPageContext): Html {
  const { texts, path, client, provider } = context;
  const body = html`<p>${say(texts.failed.text, { client, provider })}</p>
<form method="post" action="${path}/decline">${hidden(context)}<button class="primary" autofocus>${say(texts.failed.back, { client })}</button></form>`;
  return renderPage({ ...context, title: texts.title.failed, body, isProblem: true });
}

export function endPage(context: FlowPageContext): Html {
  const { texts, flow, client, provider } = context;
  const isDeclined = flow.phase === "declined";
  const declined = flow.tokenId ? texts.done.declinedAgain : texts.done.declined;
  const body = html`<p>${say(isDeclined ? declined : texts.done.text, { client, provider })}</p>`;
  return renderPage({
    ...context,
    title: isDeclined ? texts.title.declined : texts.title.done,
    body,
  });
}

function providerList(context: FlowPageContext, offered: readonly Offered[], search: string): Html {
  const { texts, path, client } = context;
  const wanted = fold(search);
  const items = offered.map((entry) => ({ ...entry, isFound: fold(entry.title).includes(wanted) }));
  const count = items.filter(({ isFound }) => isFound).length;
  const sentence =
    count === 0
      ? say(texts.choose.none, { search, client })
      : say(count === 1 ? texts.choose.one : texts.choose.many, { count });
  const searchForm = html`<form class="search" method="get" action="${path}" role="search">
<label for="q">${texts.choose.search}</label>
<div class="input"><input id="q" name="q" type="search" value="${search}" maxlength="100" autocomplete="off" spellcheck="false"${search !== "" && html` autofocus`}><noscript><button>${texts.choose.submit}</button></noscript></div>
</form>
<p class="count" role="status" data-one="${texts.choose.one}" data-many="${texts.choose.many}" data-none="${sayPlainly(texts.choose.none, { client })}">${sentence}</p>`;
  return html`${(offered.length >= longListStartsAt || search !== "") && searchForm}
<form method="post" action="${path}/provider">
${hidden(context)}
<ul class="providers" data-filter="q">${items.map(({ name, title, isFound }) => html`<li${!isFound && html` hidden`}><button class="provider" name="provider" value="${name}">${tile(title)}<bdi>${title}</bdi></button></li>`)}</ul>
</form>`;
}

/** Neither case nor accents matter to a search; the script of the pages does the same. */
function fold(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}

function waysOut(context: FlowPageContext): Html {
  const { texts, path, flow } = context;
  const canChoose = flow.phase === "form" && !flow.isProviderFixed;
  return html`<div class="ways-out">${canChoose && html`<form method="post" action="${path}/other">${hidden(context)}<button class="quiet">${texts.form.other}</button></form>`}${declineForm(context)}</div>`;
}

function declineForm(context: FlowPageContext): Html {
  return html`<form method="post" action="${context.path}/decline">${hidden(context)}<button class="quiet">${context.texts.form.decline}</button></form>`;
}

function hidden({ formToken, flow }: FlowPageContext): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="step" value="${flow.step}">`;
}
