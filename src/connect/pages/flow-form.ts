import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { FlowPageContext } from "./consent.ts";

/**
 * Its hidden fields bind it to its flow, its browser and the page that it stands on. On the page of a link all forms
 * are posted to the link's own address, which shows the page again, so each of them names itself.
 */
export function renderFlowForm(
  { path, isOfLink, formToken, flow }: FlowPageContext,
  name: string,
  content: HtmlValue,
  attributes?: HtmlValue,
): Html {
  const ownName = isOfLink && html`<input type="hidden" name="form_name" value="${name}">`;
  return html`<form method="post" action="${isOfLink ? path : `${path}/${name}`}"${attributes}>
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="step" value="${flow.step}">${ownName}
${content}
</form>`;
}
