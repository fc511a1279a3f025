import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { isScope } from "../../model/index.ts";
import {
  resolveHeader,
  type ApiDocument,
  type Header,
  type Media,
  type Response,
} from "../reference/api-document.ts";
import { exampleOf } from "../reference/examples.ts";
import { fieldsOf, toField, type Field } from "../reference/fields.ts";
import { addressOfOperation, titleOfTag, type Operation } from "../reference/operations.ts";
import { sampleRequest, variablesOf } from "../reference/sample-request.ts";
import { writeSamples } from "../reference/samples.ts";
import { assets } from "../assets.ts";
import { renderPage, type Site } from "./layout.ts";
import { trySection } from "./try-section.ts";

/** What turns texts of the description and code into markup. */
interface Renderers {
  renderText: (text: string) => Html;
  /** Within a line. */
  renderWords: (text: string) => Html;
  highlight: (code: string, language: string) => Html;
}

interface Context extends Renderers {
  document: ApiDocument;
  isLocal: boolean;
  /** In a request the required fields are marked, and in a reply those that may be left out. */
  isReply?: boolean;
}

/** Description, parameters and responses of an operation, beside samples that work. */
export function operationPage(site: Site, operation: Operation, context: Context): Html {
  const { described, method, path, tag, title } = operation;
  const { description } = described;
  return renderPage(site, {
    address: addressOfOperation(operation),
    title,
    shape: "reference",
    script: assets.try,
    body: html`<article class="operation">
<div class="intro">
<p class="kicker">${titleOfTag(tag)}</p>
<h1>${title}</h1>
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span><span>${path}</span></p>
${description && context.renderText(description)}
${authorization(operation)}
${scopeOf(operation)}
</div>
${samples(operation, context)}
<div class="details">
${trySection(operation, context.document, context)}
${parameters(operation, context)}
${requestBody(operation, context)}
${responses(operation, context)}
</div>
</article>`,
  });
}

function authorization({ described: { security = [] } }: Operation): Html {
  const schemes = new Set(security.flatMap((scheme) => Object.keys(scheme)));
  if (schemes.has("bearer"))
    return html`<p><strong>Credential:</strong> an access token, as <code>Authorization: Bearer …</code>.</p>`;
  if (schemes.has("basic") && !security.some((scheme) => Object.keys(scheme).length === 0))
    return html`<p><strong>Credential:</strong> <code>client_id</code> and any current
<code>client_secret</code>, as <code>Authorization: Basic …</code>.</p>`;
  if (schemes.has("basic"))
    return html`<p><strong>Credential:</strong> the client’s own, in the body or as
<code>Authorization: Basic …</code>.</p>`;
  return html`<p><strong>Credential:</strong> none.</p>`;
}

/** A scope is the path of the endpoint that it opens. */
function scopeOf({ path }: Operation): HtmlValue {
  const scope = path.replaceAll(/\{(\w+)\}/g, ":$1");
  return isScope(scope) && html`<p><strong>Scope:</strong> <code>${scope}</code></p>`;
}

function parameters({ described }: Operation, context: Context): HtmlValue {
  const given = described.parameters ?? [];
  const places = [...new Set(given.map((parameter) => parameter.in))];
  return places.map((place) => {
    const fields = given
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema = {}, required = false, description }) => {
        const field = toField(name, schema, { document: context.document, isRequired: required });
        return { ...field, description: description ?? field.description };
      });
    const title = place === "header" ? "Headers" : place === "path" ? "Path" : "Query";
    return html`<h2 id="${place}"><a href="#${place}">${title}</a></h2>${fieldList(fields, context)}`;
  });
}

function requestBody({ described: { requestBody: body } }: Operation, context: Context): HtmlValue {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (!body || !media?.schema) return undefined;
  const others = Object.keys(body.content).filter((other) => other !== type);
  return html`<h2 id="body"><a href="#body">Body</a></h2>
<p><code>${type}</code>${others.map((other) => html` or <code>${other}</code>`)}</p>
${fieldList(fieldsOf(media.schema, context.document), context)}`;
}

function fieldList(fields: readonly Field[], context: Context): Html {
  return html`<ul class="fields">${fields.map((field) => fieldItem(field, context))}</ul>`;
}

function fieldItem(
  { name, type, isRequired, description, values, defaultValue, fields }: Field,
  context: Context,
): Html {
  const inner =
    fields.length > 0 &&
    html`<details><summary>Fields of <code>${name}</code></summary>${fieldList(fields, context)}</details>`;
  const listed = values.map((value, index) => html`${index > 0 && ", "}<code>${value}</code>`);
  return html`<li><code class="name">${name}</code> <span class="kind">${type}</span>${presenceOf(isRequired, context)}
${description && html`<div class="said">${context.renderText(description)}</div>`}
${values.length > 0 && html`<p class="values">${values.length === 1 ? "Always" : "One of"} ${listed}</p>`}
${defaultValue !== undefined && html`<p class="values">Default <code>${defaultValue}</code></p>`}${inner}</li>`;
}

function presenceOf(isRequired: boolean, { isReply = false }: Context): HtmlValue {
  if (isReply) return !isRequired && html` <span class="kind">may be left out</span>`;
  return isRequired && html` <span class="required">required</span>`;
}

/** Headers that every status has are listed once. */
function responses({ described }: Operation, given: Context): Html {
  const context = { ...given, isReply: true };
  const listed = Object.entries(described.responses);
  const names = listed.map(([, { headers = {} }]) => Object.keys(headers));
  const shared = (names[0] ?? []).filter((name) => names.every((others) => others.includes(name)));
  const headers = Object.entries(listed[0]?.[1].headers ?? {});
  const ofEach = headers.filter(([name]) => shared.includes(name));
  return html`<h2 id="responses"><a href="#responses">Responses</a></h2>
${listed.map(([status, response]) => responseOf(status, response, { ...context, shared }))}
${ofEach.length > 0 && html`<h2 id="reply-headers"><a href="#reply-headers">Headers of every response</a></h2>${headerList(ofEach, context)}`}`;
}

function responseOf(
  status: string,
  { description = "", headers = {}, content = {} }: Response,
  context: Context & { shared: readonly string[] },
): Html {
  const { document, renderWords, shared } = context;
  const isGood = /^[23]/.test(status);
  const [media] = Object.values(content);
  const schema = media?.schema;
  // A 400 that says nothing of its own is one that no developer meets on purpose.
  const hasOwnExample = status !== "400" || media?.example !== undefined;
  const own = Object.entries(headers).filter(([name]) => !shared.includes(name));
  const fields = schema ? fieldsOf(schema, document) : [];
  return html`<details class="response"${status.startsWith("2") && html` open`}>
<summary><code${isGood && html` class="ok"`}>${status}</code> ${renderWords(description)}</summary>
<div class="within">
${own.length > 0 && html`<h3>Headers</h3>${headerList(own, context)}`}
${fields.length > 0 && html`<h3>${schema && isList(schema) ? "Fields of each record" : "Fields"}</h3>${fieldList(fields, context)}`}
${!isGood && media && hasOwnExample && example(media, context)}
</div></details>`;
}

function headerList(headers: readonly (readonly [string, Header])[], context: Context): Html {
  const { document } = context;
  const fields = headers.map(([name, given]) => {
    const { schema = {}, description = "", required = false } = resolveHeader(given, document);
    return { ...toField(name, schema, { document, isRequired: required }), description };
  });
  return fieldList(fields, context);
}

function isList({ type }: { type?: string | string[] }): boolean {
  return type === "array";
}

function example(media: Media, { document, highlight }: Context): Html {
  const text = JSON.stringify(exampleOf(media, document), null, 2);
  return html`<h3>Example</h3><pre tabindex="0"><code>${highlight(text, "json")}</code></pre>`;
}

/** Tabs without a script: the panel of the checked button shows. */
function samples(operation: Operation, { document, highlight }: Context): Html {
  const request = sampleRequest(operation, document);
  const tabs = writeSamples(request).map(({ name, language, code }, index) => {
    const id = `in-${name.toLowerCase()}`;
    return html`<input type="radio" name="language" id="${id}"${index === 0 && html` checked`}>
<label for="${id}">${name}</label>
<div class="sample"><pre tabindex="0" aria-label="Sample in ${name}"><code>${highlight(code, language)}</code></pre></div>`;
  });
  const variables = variablesOf(request).map(
    (name, index) => html`${index > 0 && ", "}<code>${name}</code>`,
  );
  return html`<section class="samples" aria-label="Samples">
<h2>Request</h2>
<fieldset><legend class="unseen">Language of the sample</legend>${tabs}</fieldset>
${variables.length > 0 && html`<p class="note">The samples read ${variables} from the environment.</p>`}
${answer(operation, { document, highlight })}
</section>`;
}

function answer(
  { described }: Operation,
  { document, highlight }: Pick<Context, "document" | "highlight">,
): HtmlValue {
  const good = Object.entries(described.responses).filter(([status]) => status.startsWith("2"));
  const [status, response] = good.find(([status]) => status === "201") ?? good[0] ?? [];
  const [media] = Object.values(response?.content ?? {});
  if (!media) return undefined;
  const text = JSON.stringify(exampleOf(media, document), null, 2);
  return html`<h2>Response ${status}</h2><pre tabindex="0" aria-label="Example of the response"><code>${highlight(text, "json")}</code></pre>`;
}
