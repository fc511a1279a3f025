// Sends a request of the operation that the page is about, and shows the answer. Without this script the samples of the
// page say the same.
const shownCharacters = 100_000;
const section = document.querySelector(".try");
const form = section.querySelector("form");
const answer = section.querySelector(".answer");
const inputs = [...form.elements].filter(({ name }) => name !== "");

/** What the next page of this tab needs too. A secret is not among it. */
const kept = inputs.filter((input) => input.dataset.kept);
for (const input of kept) input.value = sessionStorage.getItem(input.name) ?? input.value;

const find = (place, name) =>
  inputs.find((input) => input.dataset.place === place && input.name === name);
const token = find("credential", "token");
if (token?.dataset.demo && token.value === "")
  fetch("/docs/demo")
    .then(async (reply) => (reply.ok ? await reply.json() : {}))
    .then(({ token: demo = "" }) => (token.value ||= demo))
    .catch(() => undefined);

const valuesOf = (place) =>
  inputs.filter((input) => input.dataset.place === place && input.value !== "");

function encodeBasic(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function authorizationOf() {
  const {
    token,
    client_id: id,
    client_secret: secret,
  } = Object.fromEntries(valuesOf("credential").map(({ name, value }) => [name, value.trim()]));
  if (token) return `Bearer ${token}`;
  return id || secret ? `Basic ${encodeBasic(`${id ?? ""}:${secret ?? ""}`)}` : undefined;
}

function describeRequest() {
  const path = form.dataset.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(find("path", name).value),
  );
  const query = new URLSearchParams(valuesOf("query").map(({ name, value }) => [name, value]));
  const headers = new Headers(valuesOf("header").map(({ name, value }) => [name, value]));
  const authorization = authorizationOf();
  if (authorization) headers.set("authorization", authorization);
  const [body] = valuesOf("body");
  if (body) headers.set("content-type", "application/json");
  const { method } = form.dataset;
  return [query.size > 0 ? `${path}?${query}` : path, { method, headers, body: body?.value }];
}

function addText(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  answer.append(element);
  return element;
}

function prettyPrint(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function show(reply, ms) {
  const text = prettyPrint(await reply.text());
  answer.replaceChildren();
  addText("h3", `${reply.status} after ${Math.round(ms)} ms`);
  const headers = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "Headers";
  const lines = document.createElement("pre");
  lines.tabIndex = 0;
  lines.textContent = [...reply.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  headers.append(summary, lines);
  answer.append(headers);
  if (text === "") return;
  const body = addText("pre", text.slice(0, shownCharacters));
  body.tabIndex = 0;
  body.setAttribute("aria-label", "Body of the answer");
  if (text.length > shownCharacters)
    addText("p", `… and ${text.length - shownCharacters} characters more`);
}

async function send() {
  for (const { name, value } of kept) sessionStorage.setItem(name, value);
  answer.replaceChildren();
  addText("p", "Sent. Waiting for the answer.");
  const begun = performance.now();
  try {
    await show(await fetch(...describeRequest()), performance.now() - begun);
  } catch (error) {
    answer.replaceChildren();
    addText("p", `The request could not be sent: ${error.message}`);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void send();
});
section.hidden = false;
