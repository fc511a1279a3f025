// A little help where it is welcome; every page works without it.

for (const button of document.querySelectorAll("[data-reveal]")) {
  const input = document.getElementById(button.dataset.reveal);
  const show = button.textContent;
  button.hidden = false;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const isShown = input.type === "password";
    input.type = isShown ? "text" : "password";
    button.textContent = isShown ? button.dataset.hide : show;
    button.setAttribute("aria-pressed", String(isShown));
  });
}

for (const list of document.querySelectorAll("[data-filter]")) {
  const search = document.getElementById(list.dataset.filter);
  const status = document.querySelector(".count");
  const items = [...list.children];
  search.form.addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
    const isNone = items.every((item) => item.hidden);
    status.textContent = isNone ? status.dataset.none.replace("…", search.value) : "";
  });
}

for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", () => {
    form.querySelector(".primary").setAttribute("aria-disabled", "true");
    form.addEventListener("submit", (event) => event.preventDefault());
  });
}
// A page that comes back from the history can be sent again.
addEventListener("pageshow", (event) => event.persisted && location.reload());

const watched = document.querySelector("[data-watch]");
if (watched) watch();

async function watch() {
  for (;;) {
    try {
      const reply = await fetch(watched.dataset.watch, { headers: { accept: "application/json" } });
      if (!reply.ok || String((await reply.json()).step) !== watched.dataset.step) return location.reload();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}
