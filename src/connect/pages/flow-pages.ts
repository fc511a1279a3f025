import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { Flow, Refusal } from "../flow.ts";
import type { Texts } from "../texts/index.ts";
import { notice, renderPage, type PageContext } from "./layout.ts";

/** What the pages of a flow show besides what their state holds. */
export interface FlowPageContext extends PageContext {
  flow: Flow;
  path: string;
  client: string;
  provider: string | undefined;
  /** Binds each form to this flow and browser. */
  formToken: string;
}

export function choosePage(context: FlowPageContext, { offered, search }: { offered: readonly { name: string; title: string }[]; search: string }): Html {
  const { texts, path } = context;
  const found = offered.filter(({ title }) => title.toLowerCase().includes(search.trim().toLowerCase()));
  const body = html`${asks(context)}
${offered.length === 0 ? notice(texts.choose.nothing) : html`<form class="search" method="get" action="${path}" role="search">
<label for="q">${texts.choose.search}</label>
<input id="q" name="q" type="search" value="${search}" placeholder="${texts.choose.placeholder}" autocomplete="off" spellcheck="false">
</form>
<form method="post" action="${path}/provider">
${hidden(context)}
<ul class="providers" data-filter="q">${found.map(({ name, title }) => html`<li><button class="provider" name="provider" value="${name}">${tile(title)}<span>${title}</span></button></li>`)}</ul>
</form>
<p class="count" role="status" data-none="${texts.choose.none("…")}">${found.length === 0 ? texts.choose.none(search) : texts.choose.count(found.length)}</p>`}
${allowed(context)}
${declineForm(context)}`;
  return renderPage({ ...context, title: texts.title.choose, body });
}

export function signInPage(context: FlowPageContext, { fields, prefill, keepsSecret }: { fields: readonly FormField[]; prefill: Readonly<Record<string, string>>; keepsSecret: boolean }): Html {
  const { texts, path, flow, client, provider = "" } = context;
  const body = html`${asks(context)}
${notice(describeRefusal(flow.refusal, texts, fields))}
<form class="card" method="post" action="${path}/sign-in" data-once>
${hidden(context)}
${fields.map((field) => fieldRow(field, { value: prefill[field.name], error: fieldError(flow.refusal, field, texts), texts }))}
<button class="primary">${texts.form.submit}</button>
</form>
${allowed(context)}
<details class="kept"><summary>${texts.kept.title}</summary>
<p>${keepsSecret ? texts.kept.secret : texts.kept.session}</p><p>${texts.kept.data(client)}</p><p>${texts.kept.end(client)}</p></details>
<div class="ways-out">${!flow.isProviderFixed && html`<form method="post" action="${path}/other">${hidden(context)}<button class="quiet">${texts.form.other}</button></form>`}${declineForm(context)}</div>`;
  return renderPage({ ...context, title: texts.title.signIn(provider), body });
}

export function workingPage(context: FlowPageContext): Html {
  const { texts, path, provider = "", flow } = context;
  const body = html`<div class="working" role="status" data-watch="${path}/status" data-step="${flow.step}"><div class="spinner" aria-hidden="true"></div>
<p>${texts.working.text(provider)}</p><p>${texts.working.stay}</p></div>
<p><a class="quiet" href="${path}">${texts.working.refresh}</a></p>`;
  return renderPage({ ...context, title: texts.title.working(provider), body, refreshSeconds: 3 });
}

export function codePage(context: FlowPageContext, prompt: string): Html {
  const { texts, path, flow } = context;
  const error = describeRefusal(flow.refusal, texts, []);
  const body = html`<form class="card" method="post" action="${path}/answer" data-once>
${hidden(context)}
<div class="field"><label for="otp">${translate(texts, prompt)}</label>
<input id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code" required maxlength="64" spellcheck="false"${error && html` aria-invalid="true" aria-describedby="otp-error"`}>
${error && html`<p class="error" id="otp-error" role="alert">${error}</p>`}</div>
<button class="primary">${texts.form.answer}</button>
</form>
${declineForm(context)}`;
  return renderPage({ ...context, title: texts.title.code, body });
}

export function failedPage(context: FlowPageContext): Html {
  const { texts, flow, path, client } = context;
  const body = html`${notice(describeRefusal(flow.refusal, texts, []))}
<p>${texts.failed.text}</p>
<form method="post" action="${path}/decline">${hidden(context)}<button class="primary">${texts.failed.back(client)}</button></form>`;
  return renderPage({ ...context, title: texts.title.failed, body });
}

export function endPage(context: FlowPageContext): Html {
  const { texts, flow, client } = context;
  const isDeclined = flow.phase === "declined";
  return renderPage({ ...context, title: isDeclined ? texts.title.declined : texts.title.done, body: html`<p>${isDeclined ? texts.done.declined(client) : texts.done.text(client)}</p>` });
}

function asks({ texts, client, flow }: FlowPageContext): Html {
  return html`<p class="asks">${flow.tokenId ? texts.consent.asksAgain(client) : texts.consent.asks(client)}</p>`;
}

function allowed({ texts, client, flow }: FlowPageContext): Html {
  const names = flow.scopes.map((scope) => scope.split("/").slice(3).join("/"));
  const words = names.map((name) => texts.scopes[(name === "payruns/:payrun_id" ? "payslips" : name) as keyof Texts["scopes"]]);
  return html`<section class="consent"><h2>${texts.consent.allows(client)}</h2><ul>${words.map((word) => html`<li>${word}</li>`)}</ul><p class="note">${texts.consent.readOnly}</p></section>`;
}

function fieldRow(field: FormField, { value, error, texts }: { value: string | undefined; error: string | undefined; texts: Texts }): Html {
  const { name, isSecret, isAddress, isRequired, placeholder, help, autocomplete } = field;
  const described = [help && `${name}-help`, error && `${name}-error`].filter(Boolean).join(" ");
  const type = isSecret ? "password" : "text";
  const inputMode = isAddress && html` inputmode="url"`;
  return html`<div class="field"><label for="${name}">${translate(texts, field.title)}</label>
<div class="input"><input id="${name}" name="${name}" type="${type}"${inputMode} value="${isSecret ? undefined : value}" placeholder="${placeholder}" autocomplete="${autocomplete ?? "off"}" maxlength="2048" spellcheck="false" autocapitalize="none"${isRequired && html` required`}${error && html` aria-invalid="true"`}${described !== "" && html` aria-describedby="${described}"`}>
${isSecret && html`<button type="button" class="reveal" hidden data-reveal="${name}" data-hide="${texts.form.hide}">${texts.form.show}</button>`}</div>
${help && html`<p class="help" id="${name}-help">${translate(texts, help)}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}</div>`;
}

function declineForm(context: FlowPageContext): Html {
  return html`<form method="post" action="${context.path}/decline">${hidden(context)}<button class="quiet">${context.texts.form.decline}</button></form>`;
}

function hidden({ formToken, flow }: FlowPageContext): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="step" value="${flow.step}">`;
}

function describeRefusal(refusal: Refusal | null, texts: Texts, fields: readonly FormField[]): string | undefined {
  if (!refusal) return undefined;
  if (refusal.kind === "refused") return texts.refusals[refusal.code];
  if (refusal.kind !== "field") return texts.problems[refusal.kind];
  return fields.some(({ name }) => name === refusal.field) ? undefined : translate(texts, refusal.explanation);
}

function fieldError(refusal: Refusal | null, { name }: FormField, texts: Texts): string | undefined {
  return refusal?.kind === "field" && refusal.field === name ? translate(texts, refusal.explanation) : undefined;
}

/** What an adapter says in English, in the language of the page when there is a translation. */
function translate(texts: Texts, sentence: string): string {
  return texts.adapters[sentence] ?? sentence;
}

function tile(title: string): HtmlValue {
  return html`<span class="tile" aria-hidden="true">${[...title][0]?.toUpperCase()}</span>`;
}
