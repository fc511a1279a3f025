import { html, type Html } from "../../platform/html/index.ts";
import type { FlowPageContext } from "./consent.ts";
import { renderFlowForm } from "./flow-form.ts";

export function waysOut(context: FlowPageContext): Html {
  const { texts, flow } = context;
  const canChoose = flow.phase === "form" && !flow.isProviderFixed;
  const otherForm =
    canChoose &&
    renderFlowForm(context, "other", html`<button class="quiet">${texts.form.other}</button>`);
  return html`<div class="ways-out">${otherForm}${declineForm(context)}</div>`;
}

export function declineForm(context: FlowPageContext): Html {
  const button = html`<button class="quiet">${context.texts.form.decline}</button>`;
  return renderFlowForm(context, "decline", button);
}
