import { html, type Html } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { Access } from "../accesses.ts";
import type { AccountSignIn } from "../open-accesses.ts";
import { clientTile, nameScopes, type FlowPageContext } from "./consent.ts";
import { renderEndPage } from "./end-page.ts";
import { renderFlowForm } from "./flow-form.ts";
import { renderFormRows } from "./form-rows.ts";
import { formatMarkup } from "./format.ts";
import { renderPage, type PageContext } from "./layout.ts";
import { renderNotice } from "./notice.ts";
import { renderProviderList } from "./provider-list.ts";
import { describeRefusalAtForm, type ShownPrefill } from "./refusal.ts";
import { translateText } from "./translate.ts";
import { accessesPath } from "./accesses-path.ts";
import { waysOut } from "./ways-out.ts";

/** The first page: of which system the account is. */
export function chooseAccountPage(
  context: PageContext,
  { offered, search }: { offered: readonly AccountSignIn[]; search: string },
  textsOf: (provider: string) => PageContext["providerTexts"],
): Html {
  const { texts } = context;
  const buttons = offered.map(({ provider, mode, title, fields }) => {
    const providerTexts = textsOf(provider);
    const translation = { ...context, ...(providerTexts && { providerTexts }) };
    const shown = fields.map((field) => translateText(translation, field).text).join(", ");
    const note = shown !== "" && html` <span class="soft">(${shown})</span>`;
    return { title, name: "choice", value: `${provider}/${mode}`, note };
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
  const problem = describeRefusalAtForm(context, fields, prefill);
  const rows = renderFormRows(context, {
    fields: fields.filter(({ isSetting, isRequired }) => !isSetting || isRequired),
    prefill,
    problem,
    secretUse: isSimulated ? "simulated" : "passed",
  });
  const body = html`<p class="asks">${formatMarkup(texts.accesses.asks, { provider })}</p>
${problem.notice}
${renderFlowForm(context, "sign-in", html`${rows}<button class="primary">${submit}</button>`)}
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
  { accesses, hasEnded }: { accesses: readonly Access[]; hasEnded: boolean },
): Html {
  const { texts, provider } = context;
  const { list, none, ended, ends, missing, signOut } = texts.accesses;
  const body = html`${hasEnded && html`<p class="good" role="status">${ended}</p>`}
<p class="asks">${formatMarkup(accesses.length > 0 ? list : none, { provider })}</p>
${
  accesses.length > 0 &&
  html`<ul class="accesses">${accesses.map((access) => accessRow(context, access))}</ul>
<p class="soft">${ends}</p>`
}
<p class="soft">${missing}</p>
${renderFlowForm(context, "close", html`<button class="primary">${signOut}</button>`)}`;
  return renderPage({ ...context, title: texts.title.accesses, body });
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

function accessRow(context: FlowPageContext, { tokenId, client, scopes, createdAt }: Access): Html {
  const { texts, locale } = context;
  const { since, reads, end, endOf } = texts.accesses;
  const format = new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    dateStyle: "long",
    timeZone: "UTC",
  });
  const kinds = new Intl.ListFormat(locale).format(nameScopes(context, scopes));
  const fields = html`<input type="hidden" name="token" value="${tokenId}">
<button>${end} <span class="unseen">${formatMarkup(endOf, { client: client.name })}</span></button>`;
  return html`<li>${clientTile(client)}
<div><h2><bdi>${client.name}</bdi></h2>
<p class="soft">${formatMarkup(since, { date: format.format(createdAt) })}</p>
<p class="soft">${formatMarkup(reads, { scopes: kinds })}</p>
${renderFlowForm(context, "end", fields)}</div></li>`;
}
