// Nothing here is needed: it writes times in the reader's zone, shows where one is in a narrow navigation, looks at a
// page again in place, and sends a form once when it is clicked twice.
"use strict";

const lookEveryMs = 15_000;
const sentForMs = 10_000;
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function writeTimes(root) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    if (element.title !== "") continue;
    element.title = element.textContent;
    element.textContent = format.format(new Date(element.dateTime));
  }
}

/** Only the navigation is moved, as the page may be at a place that its address names. */
function showSection() {
  const current = document.querySelector(".sections [aria-current]");
  const navigation = current?.closest(".sections");
  if (!navigation) return;
  const room = navigation.clientWidth - current.offsetWidth;
  navigation.scrollLeft = current.offsetLeft - room / 2;
}

/** Somebody who types, chooses, or was asked something, is not disturbed. */
function isUsed(main) {
  const focused = document.activeElement;
  const isInside = focused !== null && focused !== main && main.contains(focused);
  return isInside || main.querySelector("details[open]") !== null || !getSelection().isCollapsed;
}

async function lookAgain() {
  const main = document.querySelector("main[data-live]");
  if (!main || document.hidden || isUsed(main)) return;
  const response = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector("main[data-live]");
  if (!fresh || isUsed(main)) return;
  writeTimes(fresh);
  if (fresh.innerHTML !== main.innerHTML) main.replaceChildren(...fresh.childNodes);
}

/** A second click would do it again, and show the second reply alone. A reply may be lost, or be a file. */
function sendOnce(event) {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.isSent !== undefined) return event.preventDefault();
  form.dataset.isSent = "";
  setTimeout(() => delete form.dataset.isSent, sentForMs);
}

writeTimes(document);
showSection();
document.addEventListener("submit", sendOnce);
for (const field of document.querySelectorAll("input.copy"))
  field.addEventListener("focus", () => field.select());
setInterval(() => void lookAgain().catch(() => undefined), lookEveryMs);
