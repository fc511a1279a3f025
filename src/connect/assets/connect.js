// A little help where it is welcome; every page works without it.

for (const button of document.querySelectorAll("[data-reveal]")) offerReveal(button);
for (const list of document.querySelectorAll("[data-filter]")) offerFilter(list);
for (const form of document.querySelectorAll("form[method=post]")) sendOnce(form);
for (const element of document.querySelectorAll("[data-watch]"))
  void watch(element.dataset.watch, element.dataset.step);

// A page that comes back from the history may be out of date.
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
  // What a browser remembers of a text field, it must not remember of a password.
  input.form.addEventListener("submit", () => reveal(false));
}

function offerFilter(list) {
  const search = document.getElementById(list.dataset.filter);
  if (!search) return;
  const count = document.querySelector("[data-none]");
  const items = [...list.children].map((item) => ({
    item,
    name: fold(item.querySelector("bdi").textContent),
  }));
  let announcing;

  const filter = () => {
    for (const { item, name } of items) item.hidden = !name.includes(fold(search.value));
    // After a pause in typing, so that a screen reader says one number and not five.
    clearTimeout(announcing);
    announcing = setTimeout(announce, 300);
  };
  const announce = () => {
    const found = items.filter(({ item }) => !item.hidden).length;
    const sentence =
      found === 0 ? count.dataset.none : found === 1 ? count.dataset.one : count.dataset.many;
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
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}

/** The service takes a form once in any case; this spares people the wait for a second answer. */
function sendOnce(form) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) return event.preventDefault();
    isSent = true;
    event.submitter?.setAttribute("aria-disabled", "true");
    // A connection may be lost on the way: then it can be sent again.
    setTimeout(() => {
      isSent = false;
      event.submitter?.removeAttribute("aria-disabled");
    }, 15_000);
  });
}

/** Goes on as soon as the provider has answered. */
async function watch(address, step) {
  for (let failures = 0; ;) {
    const seen = await askStep(address);
    if (seen !== undefined && seen !== step) return location.reload();
    failures = seen === undefined ? failures + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** failures, 10_000)));
  }
}

/** Undefined when nothing was learned: no network, too many requests, a service that starts anew. */
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
