import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Viewer } from "../viewer.ts";

export type Tone = "good" | "bad" | "warn" | "plain";

/** In UTC. A script writes the reader's own time, and has this one beside it. */
export function time(moment: Date | string | null | undefined, otherwise = "not known"): Html {
  if (!moment) return html`<span class="soft">${otherwise}</span>`;
  const iso = typeof moment === "string" ? moment : moment.toISOString();
  const text = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return html`<time datetime="${iso}">${text}</time>`;
}

export function pill(text: string, tone: Tone = "plain"): Html {
  return html`<span class="pill ${tone}">${text}</span>`;
}

export function number(value: number): string {
  return new Intl.NumberFormat("en-GB").format(value);
}

/** So many of what there may be one or several of. */
export function counted(count: number, [one, many]: readonly [one: string, many: string]): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** Nothing that failed is rounded away. */
export function formatShare(percent: number): string {
  return `${percent === 100 ? "100" : Math.min(99.9, percent).toFixed(1)} %`;
}

/** A length of time, as people say it. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${seconds.toFixed(0)} s`;
  if (seconds < 100 * 60) return `${(seconds / 60).toFixed(0)} min`;
  if (seconds < 48 * 3_600) return `${(seconds / 3_600).toFixed(0)} h`;
  return `${(seconds / 86_400).toFixed(0)} days`;
}

/** An entry of a list: what it is, with a link, and what there is to say of it. */
export interface Entry {
  title: HtmlValue;
  href?: string | undefined;
  pills?: HtmlValue;
  /** Shown in one line, each with a dot between. */
  facts?: readonly HtmlValue[];
  more?: HtmlValue;
}

export function list(entries: readonly Entry[], empty: string): Html {
  if (entries.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<ul class="rows">${entries.map(renderEntry)}</ul>`;
}

function renderEntry({ title, href, pills, facts = [], more }: Entry): Html {
  const shown = facts.filter((fact) => fact !== undefined && fact !== null && fact !== false);
  return html`<li><div class="row-head"><p class="row-title">${
    href === undefined ? title : html`<a href="${href}">${title}</a>`
  }</p>${pills !== undefined && html`<p class="pills">${pills}</p>`}</div>
${shown.length > 0 && html`<ul class="facts">${shown.map((fact) => html`<li>${fact}</li>`)}</ul>`}
${more}</li>`;
}

/** Names and values. */
export function facts(pairs: readonly (readonly [string, HtmlValue])[]): Html {
  return html`<dl class="pairs">${pairs.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

export function section(title: string, ...content: HtmlValue[]): Html {
  return html`<section><h2>${title}</h2>${content}</section>`;
}

interface Action {
  address: string;
  label: string;
  /** What will happen, in a sentence. It asks before it does. */
  asks?: string;
  isDanger?: boolean;
  /** What most people came for. */
  isMain?: boolean;
  fields?: HtmlValue;
}

/** A change. One that asks again shows its sentence first, without a script too. */
export function action(
  { formToken }: Pick<Viewer, "formToken">,
  { address, label, asks, isDanger = false, isMain = false, fields }: Action,
): Html {
  const form = (className: string): Html => html`<form method="post" action="${address}">
<input type="hidden" name="form_token" value="${formToken}">${fields}
<button class="${className}">${label}</button></form>`;
  if (asks === undefined) return form(isMain ? "primary" : "plain");
  return html`<details class="asks"><summary class="button">${label}…</summary>
<div><p>${asks}</p>${form(isDanger ? "danger" : "primary")}</div></details>`;
}

/** Why what was sent is not done. */
export function refusal(problem: string): Html {
  return html`<p class="notice bad" role="alert">${problem}</p>`;
}

export function actions(...buttons: HtmlValue[]): Html {
  return html`<div class="actions">${buttons}</div>`;
}

/** The way to the next page of a list. */
export function nextPage(address: string | undefined, label = "Older"): HtmlValue {
  return (
    address !== undefined &&
    html`<p class="pager"><a class="button" href="${address}">${label}</a></p>`
  );
}

/** The values of a form that is sent by GET, as an address. */
export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

export interface Choice {
  value: string;
  label: string;
}

export function select(
  name: string,
  label: string,
  { choices, chosen }: { choices: readonly Choice[]; chosen: string | undefined },
): Html {
  const options = choices.map(
    ({ value, label: text }) =>
      html`<option value="${value}"${value === (chosen ?? "") && html` selected`}>${text}</option>`,
  );
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options}</select></div>`;
}

export function input(
  name: string,
  label: string,
  {
    value,
    hint,
    attributes,
  }: { value?: string | undefined; hint?: string; attributes?: Html } = {},
): Html {
  const described = hint !== undefined && html` aria-describedby="${name}-hint"`;
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value ?? ""}"${attributes}${described}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}</div>`;
}

export function checkbox(name: string, label: string, isChecked: boolean): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="on"${
    isChecked && html` checked`
  }> ${label}</label>`;
}
