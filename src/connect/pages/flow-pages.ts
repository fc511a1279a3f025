import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import { asks, consent, kept, markOf, type FlowPageContext } from "./consent.ts";
import { renderEndPage, renderWayBack, type WayBack } from "./end-page.ts";
import { renderFlowForm } from "./flow-form.ts";
import { findFormStep, renderStep } from "./form-step.ts";
import { formatMarkup, formatText } from "./format.ts";
import { renderPage } from "./layout.ts";
import { renderNotice } from "./notice.ts";
import { renderProviderList } from "./provider-list.ts";
import { describeRefusalAtForm, type ShownPrefill } from "./refusal.ts";
import { waysOfWaiting, waysOut } from "./ways-out.ts";

export type { FlowPageContext, ShownFlow } from "./consent.ts";

interface Offered {
  name: string;
  title: string;
}

interface FirstPage {
  /** A form of the page could not be accepted, so the page is shown again and says so. */
  isAgain: boolean;
}

export function choosePage(
  context: FlowPageContext,
  { offered, search, isAgain }: FirstPage & { offered: readonly Offered[]; search: string },
): Html {
  const { texts, client } = context;
  const list =
    offered.length === 0
      ? renderNotice(formatMarkup(texts.choose.nothing, { client }), { isFocused: true })
      : providerList(context, offered, search);
  const body = html`${asks(context)}
<div class="panes"><div class="act">
${isAgain && offered.length > 0 && renderNotice(html`${texts.form.again}`, { isFocused: true })}
${list}
${waysOut(context)}
</div>
${consent(context)}</div>`;
  return renderPage({
    ...context,
    title: texts.title.choose,
    body,
    isWide: true,
    isProblem: isAgain,
  });
}

export function signInPage(
  context: FlowPageContext,
  {
    fields,
    prefill,
    keepsSecret,
    isAgain,
  }: FirstPage & {
    fields: readonly FormField[];
    prefill: ShownPrefill | undefined;
    keepsSecret: boolean;
  },
): Html {
  const { texts, provider, isSimulated, isElsewhere } = context;
  const submit = isElsewhere
    ? formatMarkup(texts.elsewhere.submit, { provider })
    : html`${texts.form.submit}`;
  const step = findFormStep(context, fields, prefill);
  const problem = describeRefusalAtForm(context, step.fields, prefill);
  const secretUse = keepsSecret ? "kept" : isSimulated ? "simulated" : "passed";
  const body = html`${asks(context)}
<div class="panes">${consent(context)}
<div class="act">
${isAgain && renderNotice(html`${texts.form.again}`, { isFocused: true })}
${problem.notice}
${isElsewhere && html`<p class="soft">${formatMarkup(texts.elsewhere.text, { provider })}</p>`}
${renderStep(context, step, { submit, prefill, problem, secretUse })}
${guideLink(context)}
${waysOut(context)}
</div></div>
${kept(context, { keepsSecret, fields })}`;
  return renderPage({
    ...context,
    title: texts.title.signIn,
    names: { provider },
    body,
    isWide: true,
    isProblem: isAgain || problem.focus !== undefined,
  });
}

/** Opens beside the sign-in, which stays as it is. A recipe takes its place: one way to help is enough. */
function guideLink({ texts, provider, guide, recipe }: FlowPageContext): HtmlValue {
  if (guide === undefined || recipe) return undefined;
  return html`<ul class="links"><li><a href="${guide}" target="_blank" rel="noopener noreferrer">${formatMarkup(texts.form.guide, { provider })}
<span class="unseen">(${texts.form.newTab})</span></a></li></ul>`;
}

export function workingPage(context: FlowPageContext): Html {
  const { texts, path, client, provider, flow } = context;
  const body = html`<div class="working" data-watch="${path}/status" data-step="${flow.step}">
<div class="spinner" aria-hidden="true"></div>
<p>${formatMarkup(context.isElsewhere ? texts.elsewhere.working : texts.working.text, { provider })}</p>
<p class="soft">${formatMarkup(flow.purpose === "accesses" ? texts.accesses.stay : texts.working.stay, { client })}</p></div>
${waysOfWaiting(context)}`;
  return renderPage({
    ...context,
    title: texts.title.working,
    names: { provider },
    body,
    refreshSeconds: 4,
  });
}

export function failedPage(context: FlowPageContext): Html {
  const { texts, client, provider } = context;
  return renderEndPage({
    ...context,
    title: texts.title.failed,
    body: html`<p>${formatMarkup(texts.failed.text, { client, provider })}</p>
${formBack(context)}`,
    isProblem: true,
    sign: "problem",
  });
}

export function endPage(context: FlowPageContext, wayBack: WayBack | undefined): Html {
  const { texts, flow, client, provider } = context;
  const isDeclined = flow.phase === "declined";
  const declined = flow.tokenId ? texts.done.declinedAgain : texts.done.declined;
  const back = isDeclined ? formBack(context) : renderWayBack(context, wayBack);
  return renderEndPage({
    ...context,
    title: isDeclined ? texts.title.declined : texts.title.done,
    body: html`<p>${formatMarkup(isDeclined ? declined : texts.done.text, { client, provider })}</p>
${back}`,
    sign: isDeclined ? "stopped" : "done",
  });
}

/** Leads back to the client by way of the redirect that tells it how the sign-in ended. */
function formBack(context: FlowPageContext): Html {
  const { texts, client } = context;
  const button = html`<button class="primary" autofocus>${formatMarkup(texts.failed.back, { client })}</button>`;
  return renderFlowForm(context, "decline", button);
}

function providerList(context: FlowPageContext, offered: readonly Offered[], search: string): Html {
  const { texts, path, isOfLink, client } = context;
  return renderProviderList({
    texts,
    locale: context.locale,
    buttons: offered.map(({ name, title }) => ({
      title,
      mark: markOf(context, name, title),
      name: "provider",
      value: name,
    })),
    search,
    noneFound: {
      text: formatText(texts.choose.none, { client }),
      markup: formatMarkup(texts.choose.none, { search, client }),
    },
    // A form of method get would write the link's query anew, and its state would not come back byte for byte.
    wrapSearch: (fields, attributes) =>
      isOfLink
        ? renderFlowForm(context, "search", fields, attributes)
        : html`<form method="get" action="${path}"${attributes}>${fields}</form>`,
    wrapChoice: (list) => renderFlowForm(context, "provider", list),
  });
}
