import { html, type Html } from "../../platform/html/index.ts";
import type { FlowPageContext } from "./consent.ts";
import { formatMarkup } from "./format.ts";

export function waysOut(context: FlowPageContext): Html {
  const { texts, path, flow } = context;
  const canChoose = flow.phase === "form" && !flow.isProviderFixed;
  const otherForm =
    canChoose &&
    html`<form method="post" action="${path}/other">${hiddenFields(context)}
<button class="quiet">${texts.form.other}</button></form>`;
  return html`<div class="ways-out">${otherForm}${declineForm(context)}</div>`;
}

export function declineForm(context: FlowPageContext): Html {
  const { texts, path, client, flow } = context;
  if (flow.purpose === "accesses")
    return html`<form method="post" action="${path}/close">${hiddenFields(context)}
<button class="quiet">${texts.accesses.cancel}</button></form>`;
  return html`<form method="post" action="${path}/decline">${hiddenFields(context)}
<button class="quiet">${formatMarkup(texts.form.decline, { client })}</button></form>`;
}

/** They bind a form to its flow, its browser and the page that it stands on. */
export function hiddenFields({ formToken, flow }: FlowPageContext): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="step" value="${flow.step}">`;
}
