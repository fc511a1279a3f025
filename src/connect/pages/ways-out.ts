import { html, type Html } from "../../platform/html/index.ts";
import type { FlowPageContext } from "./consent.ts";
import { formatMarkup } from "./format.ts";
import { renderFlowForm } from "./flow-form.ts";

export function waysOut(context: FlowPageContext): Html {
  const { texts, flow } = context;
  const canChoose = flow.phase === "form" && !flow.isProviderFixed;
  const otherForm =
    canChoose &&
    renderFlowForm(context, "other", html`<button class="quiet">${texts.form.other}</button>`);
  return html`<div class="ways-out">${otherForm}${declineForm(context)}</div>`;
}

/** While somebody waits. The page goes on by itself, so looking again comes first, and then giving up. */
export function waysOfWaiting(context: FlowPageContext): Html {
  const { texts, path } = context;
  return html`<div class="ways-out"><a class="button" href="${path}">${texts.working.refresh}</a>
${declineForm(context)}</div>`;
}

function declineForm(context: FlowPageContext): Html {
  const { texts, client, flow } = context;
  const isOfAccesses = flow.purpose === "accesses";
  const text = isOfAccesses
    ? html`${texts.accesses.cancel}`
    : formatMarkup(texts.form.decline, { client });
  const button = html`<button class="quiet">${text}</button>`;
  return renderFlowForm(context, isOfAccesses ? "close" : "decline", button);
}
