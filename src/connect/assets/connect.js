// Small conveniences. Every page works without this script.

for (const button of document.querySelectorAll("[data-reveal]")) offerReveal(button);
for (const list of document.querySelectorAll("[data-filter]")) offerFilter(list);
for (const form of document.querySelectorAll("form[method=post]")) sendOnce(form);
for (const element of document.querySelectorAll("[data-watch]"))
  void watch(element.dataset.watch, element.dataset.step);

// A page from the browser's history may be out of date.
addEventListener("pageshow", (event) => event.persisted && location.reload());

function offerReveal(button) {
  const input = document.getElementById(button.dataset.reveal);
  const label = button.firstElementChild;
  const show = label.textContent;
  const reveal = (isShown) => {
    input.type = isShown ? "text" : "password";
    label.textContent = isShown ? button.dataset.hide : show;
  };
  button.hidden = false;
  button.addEventListener("click", () => reveal(input.type === "password"));
  // A browser may remember the value of a text field. It must not remember a password.
  input.form.addEventListener("submit", () => reveal(false));
}

function offerFilter(list) {
  const search = document.getElementById(list.dataset.filter);
  if (!search) return;
  const count = document.querySelector("[data-none]");
  const plural = new Intl.PluralRules(document.documentElement.lang);
  const items = [...list.children].map((item) => ({
    item,
    name: fold(item.querySelector("bdi").textContent),
  }));
  let announcing;

  const filter = () => {
    for (const { item, name } of items) item.hidden = !name.includes(fold(search.value));
    // After a pause in typing, so that a screen reader reads one number and not five.
    clearTimeout(announcing);
    announcing = setTimeout(announce, 300);
  };
  const announce = () => {
    const found = items.filter(({ item }) => !item.hidden).length;
    const form = found === 0 ? "none" : plural.select(found);
    const sentence = count.dataset[form] ?? count.dataset.other;
    count.textContent = sentence
      .replace("{count}", () => String(found))
      .replace("{search}", () => search.value.trim());
  };
  search.addEventListener("input", filter);
  search.form.addEventListener("submit", (event) => {
    event.preventDefault();
    items
      .find(({ item }) => !item.hidden)
      ?.item.querySelector("button")
      .focus();
  });
  // Some browsers restore what was typed before a reload.
  if (search.value !== search.defaultValue) filter();
}

function fold(text) {
  return text
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

/** The service accepts a form once. This also prevents a second click from waiting for a second reply. */
function sendOnce(form) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) return event.preventDefault();
    isSent = true;
    event.submitter?.setAttribute("aria-disabled", "true");
    // The request may be lost: then the form can be sent again.
    setTimeout(() => {
      isSent = false;
      event.submitter?.removeAttribute("aria-disabled");
    }, 15_000);
  });
}

/** Loads the page again as soon as the flow has moved on. */
async function watch(address, step) {
  for (let failures = 0; ;) {
    const current = await askStep(`${address}?seen=${encodeURIComponent(step)}`);
    if (current !== undefined && current !== step) return location.reload();
    failures = current === undefined ? failures + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** failures, 10_000)));
  }
}

/** Undefined when the step is not known: no network, too many requests, or a service that is restarting. */
async function askStep(address) {
  try {
    const reply = await fetch(address, {
      headers: { accept: "application/json" },
      cache: "no-store",
      signal: AbortSignal.timeout?.(30_000),
    });
    if (reply.ok) return String((await reply.json()).step);
    return reply.status === 429 || reply.status >= 500 ? undefined : "gone";
  } catch {
    return undefined;
  }
}
