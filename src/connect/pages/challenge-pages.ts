import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Challenge } from "../challenge.ts";
import type { PendingAuthorization } from "../pending-authorization.ts";
import type { FlowPageContext } from "./consent.ts";
import { renderFlowForm } from "./flow-form.ts";
import { formatMarkup } from "./format.ts";
import { renderPage } from "./layout.ts";
import { describeRefusal } from "./refusal.ts";
import { renderRevealButton } from "./field-row.ts";
import { translate } from "./translate.ts";
import { waysOfWaiting, waysOut } from "./ways-out.ts";

type Kind<Name extends Challenge["kind"]> = Extract<Challenge, { kind: Name }>;

const errorId = "answer-error";

/** The question that the provider asks, with a form for the answer. */
export function questionPage(
  context: FlowPageContext,
  challenge: Kind<"otp" | "text" | "choose">,
): Html {
  const { texts, flow, provider } = context;
  const { refusal } = flow;
  const error = refusal ? describeWrongAnswer(context, challenge, refusal) : undefined;
  const why = challenge.kind === "otp" ? texts.form.otpWhy : texts.form.askWhy;
  const fields = html`${renderQuestion(context, challenge, error)}
<button class="primary">${texts.form.answer}</button>`;
  const body = html`<p class="asks">${formatMarkup(why, { provider })}</p>
${renderFlowForm(context, "answer", fields)}
${waysOut(context)}`;
  return renderPage({
    ...context,
    title: texts.title.question,
    body,
    isProblem: error !== undefined,
  });
}

/** The end user approves elsewhere. The page goes on by itself, with and without a script. */
export function approvalPage(context: FlowPageContext, { prompt }: Kind<"wait">): Html {
  const { texts, path, provider, client, flow } = context;
  const body = html`<div class="working" data-watch="${path}/status" data-step="${flow.step}">
<div class="spinner" aria-hidden="true"></div>
<p class="prompt">${translate(context, prompt)}</p>
<p class="soft">${formatMarkup(flow.purpose === "accesses" ? texts.accesses.stay : texts.approval.stay, { provider, client })}</p></div>
${waysOfWaiting(context)}`;
  return renderPage({ ...context, title: texts.title.approval, body, refreshSeconds: 5 });
}

/** Somebody came back from the provider's own page, which is still open for an answer. */
export function authorizationPage(
  context: FlowPageContext,
  { address }: PendingAuthorization,
): Html {
  const { texts, provider } = context;
  const body = html`<p class="asks">${formatMarkup(texts.elsewhere.text, { provider })}</p>
<p><a class="button primary" href="${address}">${formatMarkup(texts.elsewhere.submit, { provider })}</a></p>
${waysOut(context)}`;
  return renderPage({ ...context, title: texts.title.signIn, names: { provider }, body });
}

function describeWrongAnswer(
  context: FlowPageContext,
  { kind }: Challenge,
  refusal: NonNullable<FlowPageContext["flow"]["refusal"]>,
): Html {
  const isOfOtp = kind === "otp" || refusal.kind !== "refused";
  return isOfOtp
    ? describeRefusal(context, refusal)
    : formatMarkup(context.texts.form.wrongAnswer, { provider: context.provider });
}

function renderQuestion(
  context: FlowPageContext,
  challenge: Kind<"otp" | "text" | "choose">,
  error: Html | undefined,
): Html {
  const prompt = translate(context, challenge.prompt);
  const hasHint = context.isSimulated && challenge.kind === "otp";
  const hint = hasHint && html`<p class="help" id="answer-help">${context.texts.test.otp}</p>`;
  const shownError = error && html`<p class="error" id="${errorId}" role="alert">${error}</p>`;
  if (challenge.kind === "choose") return renderOptions(challenge, prompt, shownError);
  const isSecret = challenge.kind === "text" && challenge.isSecret === true;
  const describedBy = [hasHint && "answer-help", error && errorId].filter(Boolean).join(" ");
  const attributes = [
    challenge.kind === "otp"
      ? html` class="otp" inputmode="numeric" autocomplete="one-time-code" maxlength="64"`
      : html` type="${isSecret ? "password" : "text"}" autocomplete="off" maxlength="2048"`,
    html` required spellcheck="false" autocapitalize="none" autofocus`,
    error && html` aria-invalid="true"`,
    describedBy !== "" && html` aria-describedby="${describedBy}"`,
  ];
  return html`<div class="field"><label for="answer">${prompt}</label>
${hint}
${shownError}
<div class="input"><input id="answer" name="answer"${attributes}>
${isSecret && renderRevealButton(context, prompt, "answer")}</div></div>`;
}

function renderOptions({ options }: Kind<"choose">, prompt: Html, shownError: HtmlValue): Html {
  const rows = options.map(({ value, title }, index) => {
    const attributes = html` name="answer" value="${value}" required${index === 0 && html` autofocus`}`;
    return html`<label class="option"><input type="radio"${attributes}><bdi>${title}</bdi></label>`;
  });
  const describedBy = shownError && html` aria-describedby="${errorId}"`;
  return html`<fieldset class="field"${describedBy}><legend>${prompt}</legend>
${shownError}
${rows}</fieldset>`;
}
