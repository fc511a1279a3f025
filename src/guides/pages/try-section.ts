import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { ApiDocument, Parameter } from "../reference/api-document.ts";
import { exampleOf } from "../reference/examples.ts";
import type { Operation } from "../reference/operations.ts";
import { sampleRequest } from "../reference/sample-request.ts";

interface Field {
  name: string;
  label: HtmlValue;
  place: "path" | "query" | "header" | "credential";
  value?: string;
  isRequired?: boolean;
  isSecret?: boolean;
  /** The next page of the tab has it too. */
  isKept?: boolean;
  /** In local mode the service knows a value. */
  isOfDemo?: boolean;
}

/** The caller's own credential, and what a browser sends by itself. */
const sentOtherwise = new Set(["authorization", "accept-encoding", "content-type"]);

/** A form that sends the request. It is shown by its script, because it does nothing without. */
export function trySection(
  operation: Operation,
  document: ApiDocument,
  { isLocal }: { isLocal: boolean },
): Html {
  const { method, path, described } = operation;
  const { body, mayWait } = sampleRequest(operation, document);
  const parameters = (described.parameters ?? [])
    .filter(({ in: place, name }) => place !== "header" || !sentOtherwise.has(name.toLowerCase()))
    .map((parameter) => fieldOf(parameter, document, mayWait));
  const fields = [...credentialsOf(operation, isLocal), ...parameters];
  const rare = fields.filter(isRare);
  return html`<section class="try" aria-labelledby="try" hidden>
<h2 id="try">Try it</h2>
<form data-method="${method}" data-path="${path}" autocomplete="off">
${fields.filter((field) => !isRare(field)).map(inputOf)}
${rare.length > 0 && html`<details><summary>More headers</summary>${rare.map(inputOf)}</details>`}
${
  body &&
  html`<label for="try-body">Body</label>
<textarea id="try-body" name="body" data-place="body" rows="8" spellcheck="false">${JSON.stringify(exampleOf(described.requestBody?.content["application/json"] ?? {}, document), null, 2)}</textarea>`
}
<button class="button">Send ${method}</button>
</form>
<div class="answer" role="status"></div>
</section>`;
}

/** Headers that few requests need are folded. */
function isRare({ place, value }: Field): boolean {
  return place === "header" && !value;
}

function credentialsOf({ described: { security = [] } }: Operation, isOfDemo: boolean): Field[] {
  const schemes = new Set(security.flatMap((scheme) => Object.keys(scheme)));
  const place = "credential";
  if (schemes.has("bearer"))
    return [
      { name: "token", label: "Access token", place, isSecret: true, isKept: true, isOfDemo },
    ];
  if (!schemes.has("basic")) return [];
  const isRequired = !security.some((scheme) => Object.keys(scheme).length === 0);
  return [
    { name: "client_id", label: html`<code>client_id</code>`, place, isKept: true, isRequired },
    {
      name: "client_secret",
      label: html`<code>client_secret</code>`,
      place,
      isSecret: true,
      isRequired,
    },
  ];
}

function fieldOf(parameter: Parameter, document: ApiDocument, mayWait: boolean): Field {
  const { name, in: place, required = false, schema = {} } = parameter;
  const isDate = schema.format === "date";
  const sample = isDate ? String(exampleOf({ ...parameter, schema }, document)) : "";
  return {
    name,
    label: html`<code>${name}</code>`,
    place: place as Field["place"],
    isRequired: required,
    value: mayWait && name.toLowerCase() === "prefer" ? "wait=20" : required ? sample : "",
  };
}

function inputOf({ name, label, place, value = "", ...field }: Field): Html {
  const { isRequired = false, isSecret = false, isKept = false, isOfDemo = false } = field;
  const id = `try-${place}-${name}`;
  return html`<label for="${id}">${label}${isRequired && " (required)"}</label>
<input id="${id}" name="${name}" data-place="${place}" value="${value}" type="${isSecret ? "password" : "text"}"
autocomplete="off" spellcheck="false"${isRequired && html` required`}${isKept && html` data-kept="yes"`}${isOfDemo && html` data-demo="yes"`}>`;
}
