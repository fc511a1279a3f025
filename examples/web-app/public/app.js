// The page: it begins sign-ins, waits for data, and shows webhooks as they arrive.
const element = (id) => document.getElementById(id);
const status = element("status");
const problems = {
  access_denied: "You cancelled the sign-in.",
  server_error: "That did not work. Please start again.",
  unknown_state: "This is not a sign-in that this browser began.",
};
let reading = new AbortController();

for (const form of [element("sign-in"), element("again")])
  form.addEventListener("submit", (event) => {
    const isForPopup = form.elements.window.value === "popup";
    if (isForPopup && globalThis.RollcallConnect) openPopup(event, form);
  });
const actions = { hour: letAnHourPass, "session-end": endSession, disconnect };
for (const [id, act] of Object.entries(actions))
  element(id).addEventListener("click", () => void act());
new EventSource("/events").addEventListener("webhook", ({ data }) => showWebhook(JSON.parse(data)));

const problem = new URLSearchParams(location.search).get("problem");
if (problem) {
  say(problems[problem] ?? `The sign-in failed: ${problem}`);
  history.replaceState(null, "", "/");
}
await showAccount();

/** Without a popup the browser sends the form, and the server redirects. */
function openPopup(event, form) {
  event.preventDefault();
  say("Please sign in in the other window.");
  RollcallConnect.open({
    url: async (state) => {
      const body = new URLSearchParams([...new FormData(form), ["state", state]]);
      const { ok, body: made } = await post(form.getAttribute("action"), body);
      if (!ok) throw new Error("no link was made");
      return made.url;
    },
    onSuccess: finish,
    onExit: ({ reason }) =>
      say(
        reason === "cancelled"
          ? problems.access_denied
          : "Continue in the other window, or start again.",
      ),
    onError: ({ error, error_description }) =>
      say(`The sign-in failed: ${error_description ?? error}`),
  });
}

async function finish(told) {
  const { ok, body } = await post("/callback", new URLSearchParams(told));
  say(ok ? "The account is connected." : (problems[body.problem] ?? "The sign-in failed."));
  if (ok) await showAccount();
}

async function showAccount() {
  const account = await (await fetch("/account")).json();
  element("sign-in").hidden = account !== null;
  for (const id of ["account", "changes", "people"]) element(id).hidden = account === null;
  element("again").hidden = true;
  if (!account) return;
  element("account-text").textContent = `Sandbox, mode ${account.mode}.`;
  await readEmployees();
}

/** 202 says when to come again. The page shows that it waits, and for how long. */
async function readEmployees({ untilRefused = false } = {}) {
  reading.abort();
  const { signal } = (reading = new AbortController());
  for (let looks = 1; !signal.aborted; looks += 1) {
    const reply = await fetch(untilRefused ? "/employees?fresh" : "/employees");
    if (signal.aborted) return;
    if (reply.status === 202)
      await wait(
        Number(reply.headers.get("retry-after")),
        `Rollcall is fetching the employees. Question ${looks} was answered 202, the next one follows`,
      );
    else if (untilRefused && reply.ok)
      await wait(
        10,
        "The list is younger than a minute, and is served as it is stored. The next question follows",
      );
    else return await showReply(reply);
  }
}

async function showReply(reply) {
  element("waiting").hidden = true;
  const body = await reply.json();
  if (reply.ok) showEmployees(body);
  else if (body.asksForSignIn) askAgain(body.message);
  else say(`The employees cannot be read: ${body.message}`);
}

async function wait(seconds, text) {
  element("waiting").hidden = false;
  for (let left = seconds; left > 0; left -= 1) {
    element("waiting-text").textContent = `${text} in ${left} s.`;
    element("progress").value = (seconds - left + 1) / (seconds + 1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** The sentence says what is to be done before, such as a new password. */
function askAgain(sentence) {
  element("again").hidden = false;
  say(sentence);
}

function showEmployees(employees) {
  element("rows").replaceChildren(...employees.map(makeRow));
  count();
}

function makeRow(employee) {
  const row = document.createElement("tr");
  row.id = `employee-${employee.id}`;
  const name = document.createElement("th");
  name.scope = "row";
  name.append(employee.display_full_name ?? "Unnamed", makeText("small", employee.job_title));
  row.append(name, makeText("td", employee.start_date), makeText("td", employee.employment_status));
  return row;
}

function makeChangedRow(employee) {
  const row = makeRow(employee);
  row.className = "changed";
  return row;
}

function makeText(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text ?? "–";
  return made;
}

function count() {
  element("count").textContent = `(${element("rows").children.length})`;
}

function namesOf(employees) {
  return employees.map(({ display_full_name: name }) => name).join(", ") || "nobody";
}

/** The webhook has the changed employees whole, so nothing is read again. */
function showWebhook({ id, change: { added, updated, removed } }) {
  element("no-changes").hidden = true;
  const item = document.createElement("li");
  item.append(
    makeText(
      "strong",
      `Added ${namesOf(added)}. Updated ${namesOf(updated)}. Removed ${namesOf(removed)}.`,
    ),
    makeText("small", `${id}, signature checked`),
  );
  element("change-list").prepend(item);
  for (const employee of removed) element(`employee-${employee.id}`)?.remove();
  for (const employee of updated)
    element(`employee-${employee.id}`)?.replaceWith(makeChangedRow(employee));
  element("rows").prepend(...added.map(makeChangedRow));
  count();
}

/** Takes a few seconds: the first poll is waited for, which later ones are compared with. */
async function letAnHourPass() {
  say("An hour passes in the sandbox.");
  const { ok } = await post("/hour");
  say(ok ? "An hour has passed." : "That did not work.");
}

async function endSession() {
  await post("/session-end");
  say("The session at the provider has ended. The next read of it will say so.");
  await readEmployees({ untilRefused: true });
}

async function disconnect() {
  reading.abort();
  await post("/disconnect");
  element("rows").replaceChildren();
  element("change-list").replaceChildren();
  element("no-changes").hidden = false;
  say("The account is disconnected. Rollcall has deleted what it stored for it.");
  await showAccount();
}

async function post(path, body) {
  const reply = await fetch(path, {
    method: "POST",
    body,
    headers: { accept: "application/json" },
  });
  return { ok: reply.ok, body: await reply.json() };
}

function say(text) {
  status.textContent = text;
}
