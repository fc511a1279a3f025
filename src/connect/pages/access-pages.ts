import { html, type Html } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { Access } from "../accesses.ts";
import type { AccountSignIn } from "../open-accesses.ts";
import { clientTile, markOf, nameScopes, type FlowPageContext, accessesPath } from "./consent.ts";
import { renderEndPage } from "./end-page.ts";
import { renderFieldRow } from "./field-row.ts";
import { renderFlowForm } from "./flow-form.ts";
import { findFormStep, renderStep } from "./form-step.ts";
import { formatMarkup } from "./format.ts";
import { renderPage, type PageContext } from "./layout.ts";
import { renderNotice } from "./notice.ts";
import { renderProviderList } from "./provider-list.ts";
import { describeRefusalAtForm, type ShownPrefill } from "./refusal.ts";
import { translateText } from "./translate.ts";
import { waysOut } from "./ways-out.ts";

/** The first page: of which system the account is. */
export function chooseAccountPage(
  context: PageContext,
  { offered, search }: { offered: readonly AccountSignIn[]; search: string },
  textsOf: (provider: string) => PageContext["providerTexts"],
): Html {
  const { texts } = context;
  const buttons = offered.map(({ provider, mode, title, secrets }) => {
    const providerTexts = textsOf(provider);
    const translation = { ...context, ...(providerTexts && { providerTexts }) };
    const shown = secrets.map((secret) => translateText(translation, secret).text).join(", ");
    const note = shown !== "" && html` <span class="soft">(${shown})</span>`;
    const mark = markOf(context, provider, title);
    return { title, mark, name: "choice", value: `${provider}/${mode}`, note };
  });
  const body = html`<p class="asks">${texts.accesses.choose}</p>
${
  offered.length === 0
    ? renderNotice(html`${texts.accesses.nothing}`, { isFocused: false })
    : accountList(context, buttons, search)
}`;
  return renderPage({ ...context, title: texts.title.accesses, body });
}

function accountList(
  { texts, locale }: PageContext,
  buttons: Parameters<typeof renderProviderList>[0]["buttons"],
  search: string,
): Html {
  const { noneFound } = texts.accesses;
  return renderProviderList({
    texts,
    locale,
    buttons,
    search,
    noneFound: { text: noneFound, markup: formatMarkup(noneFound, { search }) },
    wrapSearch: (
      fields,
      attributes,
    ) => html`<form method="get" action="${accessesPath}"${attributes}>
<input type="hidden" name="lang" value="${locale}">${fields}</form>`,
    wrapChoice: (list) => html`<form method="post" action="${accessesPath}/sign-in">
<input type="hidden" name="locale" value="${locale}">
${list}</form>`,
  });
}

export function accountSignInPage(
  context: FlowPageContext,
  { fields, prefill }: { fields: readonly FormField[]; prefill: ShownPrefill | undefined },
): Html {
  const { texts, provider, isSimulated, isElsewhere } = context;
  const submit = isElsewhere
    ? formatMarkup(texts.elsewhere.submit, { provider })
    : html`${texts.accesses.submit}`;
  const step = findFormStep(context, fields, prefill);
  const problem = describeRefusalAtForm(context, step.fields, prefill);
  const secretUse = isSimulated ? "simulated" : "passed";
  const body = html`<p class="asks">${formatMarkup(texts.accesses.asks, { provider })}</p>
${problem.notice}
${renderStep(context, step, { submit, prefill, problem, secretUse })}
${waysOut(context)}`;
  return renderPage({
    ...context,
    title: texts.title.signIn,
    names: { provider },
    body,
    isProblem: problem.focus !== undefined,
  });
}

/** Who may read from the account, with a button to end each. */
export function accessesPage(
  context: FlowPageContext,
  { accesses, done }: { accesses: readonly Access[]; done: "ended" | "saved" | undefined },
): Html {
  const { texts, provider } = context;
  const { list, still, none, ends, missing, signOut } = texts.accesses;
  const listed = done === "ended" ? still : list;
  const body = html`${done && html`<p class="good" role="status">${texts.accesses[done]}</p>`}
<p class="asks">${formatMarkup(accesses.length > 0 ? listed : none, { provider })}</p>
${
  accesses.length > 0 &&
  html`<ul class="accesses">${accesses.map((access) => accessRow(context, access))}</ul>
<p class="soft">${ends}</p>`
}
<p class="soft">${missing}</p>
${renderFlowForm(context, "close", html`<button>${signOut}</button>`)}`;
  return renderPage({ ...context, title: texts.title.accesses, body });
}

/** What of an access can be changed without another sign-in. */
export function settingsPage(
  context: FlowPageContext,
  { access, prefill }: { access: Access; prefill: ShownPrefill },
): Html {
  const { texts, path } = context;
  const { settings: fields, tokenId, client } = access;
  const problem = describeRefusalAtForm(context, fields, prefill);
  const rows = fields.map((field) =>
    renderFieldRow(context, field, {
      value: prefill.formValues[field.name],
      problem,
      secretUse: "passed",
      explanation: undefined,
    }),
  );
  const body = html`<p class="asks">${formatMarkup(texts.accesses.settingsWhy, { client: client.name })}</p>
${problem.notice}
${renderFlowForm(
  context,
  "settings",
  html`<input type="hidden" name="token" value="${tokenId}">${rows}
<button class="primary">${texts.accesses.save}</button>`,
)}
<div class="ways-out"><a class="quiet" href="${path}">${texts.accesses.cancel}</a></div>`;
  const isProblem = problem.focus !== undefined;
  return renderPage({ ...context, title: texts.accesses.settings, body, isProblem });
}

/** Asks once before an access ends, and says what stops and what does not. */
export function endAccessPage(
  context: FlowPageContext,
  { access, others }: { access: Access; others: readonly Access[] },
): Html {
  const { texts, provider, path, locale } = context;
  const { name: client } = access.client;
  const { stops, othersStay, end, keep } = texts.accesses;
  const names = others.map((other) => other.client.name);
  const clients = new Intl.ListFormat(locale).format(names);
  const fields = html`<input type="hidden" name="token" value="${access.tokenId}">
<button class="primary">${end}</button>`;
  const body = html`<p>${formatMarkup(stops, { client, provider })}</p>
${names.length > 0 && html`<p class="soft">${formatMarkup(othersStay, { clients })}</p>`}
${renderFlowForm(context, "end", fields)}
<div class="ways-out"><a class="quiet" href="${path}">${keep}</a></div>`;
  return renderPage({ ...context, title: texts.accesses.endTitle, names: { client }, body });
}

/** After the last try, and after signing out. */
export function accessesEndPage(context: FlowPageContext): Html {
  const { texts, flow, provider } = context;
  const hasFailed = flow.phase === "failed";
  const sentence = hasFailed ? texts.accesses.failed : texts.accesses.closed;
  const body = html`<p>${formatMarkup(sentence, { provider })}</p>
<p><a class="button" href="${accessesPath}">${texts.accesses.again}</a></p>`;
  const title = hasFailed ? texts.title.failed : texts.title.closed;
  const sign = hasFailed ? "problem" : "done";
  return renderEndPage({ ...context, title, body, isProblem: hasFailed, sign });
}

function accessRow(context: FlowPageContext, access: Access): Html {
  const { tokenId, client, scopes, settings, createdAt } = access;
  const { texts, locale, path } = context;
  const { since, reads, end, endOf } = texts.accesses;
  const format = new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    dateStyle: "long",
    timeZone: "UTC",
  });
  const of = html`<span class="unseen">${formatMarkup(endOf, { client: client.name })}</span>`;
  const kinds = new Intl.ListFormat(locale).format(nameScopes(context, scopes));
  return html`<li>${clientTile(context, client)}
<div><h2><bdi>${client.name}</bdi></h2>
<p class="soft">${formatMarkup(since, { date: format.format(createdAt) })}</p>
<p class="soft">${formatMarkup(reads, { scopes: kinds })}</p>
<p><a class="button" href="${path}?end=${tokenId}">${end} ${of}</a>${
    settings.length > 0 &&
    html` <a class="button" href="${path}?settings=${tokenId}">${texts.accesses.settings} ${of}</a>`
  }</p></div></li>`;
}
