// Hits while somebody types into the search, as a list below the field. Without this script the form finds the same.
const waitMs = 120;
const field = document.querySelector("#q");
const form = field.form;
const list = document.createElement("ul");
const said = document.createElement("p");
let active = -1;
let asked = 0;
let timer;

list.id = "hits";
list.className = "hits";
list.hidden = true;
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", "Hits");
said.className = "unseen";
said.setAttribute("role", "status");
form.append(list, said);
for (const [name, value] of Object.entries({
  role: "combobox",
  "aria-expanded": "false",
  "aria-controls": "hits",
  "aria-autocomplete": "list",
}))
  field.setAttribute(name, value);

function close() {
  list.hidden = true;
  active = -1;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
}

function addText(parent, tag, text, className) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  parent.append(element);
}

function showHits(hits) {
  list.replaceChildren(
    ...hits.map(({ address, title, place, audience }, index) => {
      const item = document.createElement("li");
      item.id = `hit-${index}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.address = address;
      addText(item, "span", title, "title");
      addText(item, "span", place === title ? audience : `${place} · ${audience}`, "place");
      return item;
    }),
  );
  active = -1;
  field.removeAttribute("aria-activedescendant");
  list.hidden = hits.length === 0;
  field.setAttribute("aria-expanded", String(hits.length > 0));
  said.textContent = hits.length === 1 ? "1 hit" : `${hits.length} hits`;
}

async function ask() {
  const query = field.value.trim();
  const number = (asked += 1);
  if (query.length < 2) return close();
  const address = `/docs/search/hits?${new URLSearchParams({ q: query })}`;
  const reply = await fetch(address).catch(() => undefined);
  const hits = reply?.ok ? await reply.json() : [];
  // A reply that comes late is to an earlier query.
  if (number === asked && document.activeElement === field) showHits(hits);
}

function move(step) {
  const items = [...list.children];
  if (list.hidden || items.length === 0) return false;
  active = (active + step + items.length + (active < 0 && step < 0 ? 1 : 0)) % items.length;
  for (const [index, item] of items.entries())
    item.setAttribute("aria-selected", String(index === active));
  items[active].scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", items[active].id);
  return true;
}

function open(item) {
  close();
  location.assign(item.dataset.address);
}

field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(ask, waitMs);
});
field.addEventListener("keydown", (event) => {
  const item = list.children[active];
  if (event.key === "ArrowDown" && move(1)) event.preventDefault();
  else if (event.key === "ArrowUp" && move(-1)) event.preventDefault();
  else if (event.key === "Escape" && !list.hidden) {
    event.preventDefault();
    close();
  } else if (event.key === "Enter" && !list.hidden && item) {
    event.preventDefault();
    open(item);
  }
});
field.addEventListener("blur", close);
// The field keeps the focus while a hit is clicked.
list.addEventListener("mousedown", (event) => event.preventDefault());
list.addEventListener("click", (event) => {
  const item = event.target.closest("li");
  if (item) open(item);
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});
