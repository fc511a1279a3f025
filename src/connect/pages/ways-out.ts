import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { FlowPageContext } from "./consent.ts";
import { formatMarkup } from "./format.ts";
import { renderFlowForm } from "./flow-form.ts";

export function waysOut(context: FlowPageContext): Html {
  const { texts, flow } = context;
  const canChoose = flow.phase === "form" && !flow.isProviderFixed;
  const canHandOver =
    flow.allowsHandover && !context.isHelper && ["choosing", "form"].includes(flow.phase);
  const form = (name: string, text: string): Html =>
    renderFlowForm(context, name, html`<button class="quiet">${text}</button>`);
  return html`<div class="ways-out">${canHandOver && form("hand-over", texts.handover.offer)}
${canChoose && form("other", texts.form.other)}${declineForm(context)}</div>`;
}

/** While somebody waits. The page goes on by itself, so looking again comes first, and then giving up. */
export function waysOfWaiting(context: FlowPageContext): Html {
  const { texts, path } = context;
  return html`<div class="ways-out"><a class="button" href="${path}">${texts.working.refresh}</a>
${declineForm(context)}</div>`;
}

/** A colleague has nothing to go back to: the page can be closed. */
export function declineForm(context: FlowPageContext): HtmlValue {
  if (context.isHelper) return undefined;
  const { texts, client, flow } = context;
  const isOfAccesses = flow.purpose === "accesses";
  const text = isOfAccesses
    ? html`${texts.accesses.cancel}`
    : formatMarkup(texts.form.decline, { client });
  const button = html`<button class="quiet">${text}</button>`;
  return renderFlowForm(context, isOfAccesses ? "close" : "decline", button);
}
