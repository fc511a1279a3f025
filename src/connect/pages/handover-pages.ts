import { html, type Html } from "../../platform/html/index.ts";
import type { Handover } from "../handover.ts";
import { clientTile, consent, type FlowPageContext } from "./consent.ts";
import { renderEndPage } from "./end-page.ts";
import { renderFlowForm } from "./flow-form.ts";
import { formatMarkup, formatText } from "./format.ts";
import { renderPage } from "./layout.ts";
import { declineForm } from "./ways-out.ts";

/** In the first browser, as long as a colleague does the sign-in. */
export function handedOverPage(
  context: FlowPageContext,
  { link, handover, step }: { link: string; handover: Handover; step: string },
): Html {
  const { texts, path } = context;
  const { title, back, helping, waiting } = texts.handover;
  const isOpen = handover.helper === null;
  const body = html`${isOpen && renderInvitation(context, link, handover)}
<p class="soft" data-watch="${path}/status" data-step="${step}">${isOpen ? waiting : helping}</p>
${renderFlowForm(context, "take-back", html`<button>${back}</button>`)}
<div class="ways-out">${declineForm(context)}</div>`;
  return renderPage({ ...context, title, body, refreshSeconds: 10 });
}

function renderInvitation(context: FlowPageContext, link: string, { digits }: Handover): Html {
  const { texts, client } = context;
  const { how, link: label, mail, mailSubject, tell } = texts.handover;
  const subject = encodeURIComponent(formatText(mailSubject, { client }));
  const address = `mailto:?subject=${subject}&body=${encodeURIComponent(link)}`;
  return html`<p class="asks">${how}</p>
<div class="field"><label for="link">${label}</label>
<div class="input"><input id="link" type="text" readonly value="${link}"></div>
</div>
<p><a class="button" href="${address}">${mail}</a></p>
<p>${tell}</p>
<p class="digits"><strong>${digits.slice(0, 3)} ${digits.slice(3)}</strong></p>`;
}

/** In the colleague's browser, before it is let in: who asks, and for what. */
export function enterHandoverPage(
  context: FlowPageContext,
  { action, isWrong }: { action: string; isWrong: boolean },
): Html {
  const { texts, client, profile, provider, formToken } = context;
  const { asked, asksProvider, asksAny, digits, help, wrong } = texts.handover;
  const describedBy = ["digits-help", isWrong && "digits-error"].filter(Boolean).join(" ");
  const attributes = html` inputmode="numeric" autocomplete="off" maxlength="12" required autofocus`;
  const body = html`<div class="between" aria-hidden="true">${clientTile(context, { name: client, ...profile })}</div>
<p class="asks">${formatMarkup(provider === undefined ? asksAny : asksProvider, { client, provider })}</p>
<div class="panes"><div class="act"><form method="post" action="${action}">
<input type="hidden" name="form_token" value="${formToken}">
<div class="field"><label for="digits">${digits}</label>
<p class="help" id="digits-help">${help}</p>
${isWrong && html`<p class="error" id="digits-error" role="alert">${wrong}</p>`}
<div class="input"><input id="digits" name="digits" class="otp"${attributes}${isWrong && html` aria-invalid="true"`} aria-describedby="${describedBy}"></div></div>
<button class="primary">${texts.form.answer}</button></form></div>
${consent(context)}</div>`;
  return renderPage({ ...context, title: asked, body, isWide: true, isProblem: isWrong });
}

/** In the colleague's browser, when there is nothing more to do. It leads nowhere. */
export function helperEndPage(context: FlowPageContext): Html {
  const { texts, client, provider, flow } = context;
  const hasFailed = flow.phase === "failed";
  const isDeclined = flow.phase === "declined";
  const { thanks, done, stopped } = texts.handover;
  const text = hasFailed || isDeclined ? stopped : done;
  return renderEndPage({
    ...context,
    title: hasFailed ? texts.title.failed : isDeclined ? texts.title.declined : thanks,
    body: html`<p>${formatMarkup(text, { client, provider })}</p>`,
    isProblem: hasFailed,
    sign: hasFailed ? "problem" : isDeclined ? "stopped" : "done",
  });
}
