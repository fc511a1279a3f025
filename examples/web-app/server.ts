// An application of Rollcall: end users connect their HR system, see their employees, and see changes arrive.
// Run it beside a local `npm start`, with `npm run example`.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { env, exit, stderr, stdout } from "node:process";
import { buffer } from "node:stream/consumers";
import { makeRandom, Rollcall, type Demo, type Mode } from "./rollcall.ts";

/** What an application keeps in its database. Here it is gone with the process. */
interface Account {
  accessToken: string;
  tokenId: string;
  mode: Mode;
}

interface Session {
  /** The sign-ins that this browser began, by their state. `verifier` is missing after signing in again. */
  begun: Map<string, { mode: Mode; verifier?: string }>;
  account?: Account;
  /** The open pages, which hear about webhooks at once. */
  pages: Set<ServerResponse>;
}

interface Visit {
  session: Session;
  request: IncomingMessage;
  response: ServerResponse;
}

const port = Number(env["PORT"] ?? 4100);
const origin = `http://127.0.0.1:${port}`;
const redirectUri = `${origin}/callback`;
const demoFile = `${env["STATE_DIR"] ?? ".rollcall"}/demo.json`;
const demo = await readFile(demoFile, "utf8").catch(() => refuse(`${demoFile} cannot be read`));
const rollcall = new Rollcall(JSON.parse(demo) as Demo);
const script = `${rollcall.demo.base_url}/connect/rollcall-connect.js`;
const policy = [
  "default-src 'none'",
  `script-src 'self' ${script}`,
  "style-src 'self'",
  "connect-src 'self'",
  // The form that begins a sign-in ends in a redirect to the service.
  `form-action 'self' ${rollcall.demo.base_url}`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");
const maxBodyBytes = 20_000_000;

const sessions = new Map<string, Session>();
/** A webhook that has come before is not counted again. */
const receivedWebhooks = new Set<string>();

const pages: Record<string, [file: string, type: string]> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/app.css": ["app.css", "text/css; charset=utf-8"],
  "/app.js": ["app.js", "text/javascript; charset=utf-8"],
  "/callback.js": ["callback.js", "text/javascript; charset=utf-8"],
};

const actions: Record<string, (visit: Visit) => Promise<void>> = {
  "GET /callback": showCallback,
  "GET /account": showAccount,
  "GET /employees": showEmployees,
  "GET /events": openEvents,
  "POST /sign-in": beginSignIn,
  "POST /sign-in-again": beginSignInAgain,
  "POST /callback": finishSignIn,
  "POST /hour": letAnHourPass,
  "POST /session-end": endProviderSession,
  "POST /disconnect": disconnect,
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", origin);
  if (request.method === "POST" && pathname === "/webhooks")
    return await receiveWebhook(request, response);
  // Other sites may not act in the name of whoever is signed in here.
  if (request.method === "POST" && request.headers.origin !== origin)
    return void response.writeHead(403).end();
  const visit = { session: findSession(request, response), request, response };
  const page = pages[pathname];
  const action = actions[`${request.method} ${pathname}`];
  if (page && request.method === "GET") return await sendFile(response, ...page);
  return action ? await action(visit) : void response.writeHead(404).end();
}

function findSession(request: IncomingMessage, response: ServerResponse): Session {
  const id = /(?:^|; )acme=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
  const known = sessions.get(id);
  if (known) return known;
  const session: Session = { begun: new Map(), pages: new Set() };
  const newId = makeRandom();
  sessions.set(newId, session);
  response.setHeader("set-cookie", `acme=${newId}; Path=/; HttpOnly; SameSite=Lax`);
  return session;
}

/** The page's script hands over its state, for the popup. Without the script the state is made here. */
async function beginSignIn({ session, request, response }: Visit): Promise<void> {
  const form = await readForm(request);
  const mode: Mode = form.get("mode") === "official" ? "official" : "xhr";
  const [state, verifier] = [form.get("state") ?? makeRandom(), makeRandom()];
  session.begun.set(state, { mode, verifier });
  const options = {
    redirectUri,
    mode,
    resources: [...new Set(["employees", ...form.getAll("resource")])],
    locale: form.get("locale") || undefined,
    state,
    verifier,
  };
  const isOneTime = form.get("link") === "one-time";
  const link = isOneTime ? await rollcall.makeOneTimeLink(options) : rollcall.makeLink(options);
  leadTo(link, { request, response });
}

async function beginSignInAgain({ session, request, response }: Visit): Promise<void> {
  const form = await readForm(request);
  const state = form.get("state") ?? makeRandom();
  const { tokenId, mode } = accountOf(session);
  session.begun.set(state, { mode });
  const link = await rollcall.makeLinkToSignInAgain(tokenId, state, redirectUri);
  leadTo(link, { request, response });
}

/** A form goes there; a script wants to know where. */
function leadTo(address: string, { request, response }: Omit<Visit, "session">): void {
  if (isOfScript(request)) sendJson(response, 200, { url: address });
  else response.writeHead(303, { location: address }).end();
}

/** The redirect page. Its script tells the page that opened a popup, or sends this form. */
async function showCallback({ request, response }: Visit): Promise<void> {
  const { searchParams } = new URL(request.url ?? "/", origin);
  const names = ["code", "state", "error", "error_description"];
  const fields = names
    .map((name) => [name, escape(searchParams.get(name) ?? "")])
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  await sendFile(response, "callback.html", "text/html; charset=utf-8", {
    fields: fields.join(""),
  });
}

/** Nothing of a redirect is believed before its state is one that this browser began with. */
async function finishSignIn({ session, request, response }: Visit): Promise<void> {
  const form = await readForm(request);
  const state = form.get("state") ?? "";
  const begun = session.begun.get(state);
  session.begun.delete(state);
  const problem = begun ? await connect(session, begun, form) : "unknown_state";
  if (isOfScript(request)) return sendJson(response, problem ? 400 : 200, { problem });
  response.writeHead(303, { location: problem ? `/?problem=${encodeURIComponent(problem)}` : "/" });
  response.end();
}

async function connect(
  session: Session,
  { mode, verifier }: { mode: Mode; verifier?: string },
  form: URLSearchParams,
): Promise<string | undefined> {
  if (form.get("error")) return form.get("error") ?? undefined;
  // After signing in again there is no code: the token that we have works again.
  if (verifier === undefined) return undefined;
  const exchanged = await rollcall.exchange(form.get("code") ?? "", redirectUri, verifier);
  session.account = { accessToken: exchanged.access_token, tokenId: exchanged.token, mode };
  return undefined;
}

async function showAccount({ session, response }: Visit): Promise<void> {
  const { account } = session;
  sendJson(response, 200, account ? { mode: account.mode, tokenId: account.tokenId } : null);
}

/** Passes on what the service answers: the page shows the way from 202 to the list. */
async function showEmployees({ session, request, response }: Visit): Promise<void> {
  const { accessToken, mode } = accountOf(session);
  const isFresh = new URL(request.url ?? "/", origin).searchParams.has("fresh");
  await passOn(await rollcall.readEmployees(accessToken, mode, { isFresh }), response);
}

async function letAnHourPass({ session, response }: Visit): Promise<void> {
  await passOn(await rollcall.changeSandbox(accountOf(session).tokenId, "webhook"), response);
}

async function endProviderSession({ session, response }: Visit): Promise<void> {
  const body = { code: "reauthentication_required" };
  await passOn(await rollcall.changeSandbox(accountOf(session).tokenId, "fail", body), response);
}

async function disconnect({ session, response }: Visit): Promise<void> {
  await rollcall.disconnect(accountOf(session).accessToken);
  delete session.account;
  sendJson(response, 200, null);
}

/** Server-sent events: a webhook shows in the page at once. */
async function openEvents({ session, response }: Visit): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(": open\n\n");
  session.pages.add(response);
  response.once("close", () => session.pages.delete(response));
}

async function receiveWebhook(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  if (!rollcall.isSigned(request.headers, body)) return void response.writeHead(401).end();
  const id = String(request.headers["webhook-id"]);
  const isNew = !receivedWebhooks.has(id);
  receivedWebhooks.add(id);
  response.writeHead(204).end();
  if (!isNew) return;
  const tokenId = request.headers["x-service-api-token"];
  const event = `event: webhook\ndata: ${JSON.stringify({ id, change: JSON.parse(body.toString()) })}\n\n`;
  for (const session of sessions.values())
    if (session.account?.tokenId === tokenId) for (const page of session.pages) page.write(event);
}

function accountOf({ account }: Session): Account {
  if (!account) throw new Error("no account is connected");
  return account;
}

const isOfScript = ({ headers }: IncomingMessage): boolean => headers.accept === "application/json";

const escape = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes)
    throw new Error("the request is too large");
  return await buffer(request);
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(request)).toString());
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
}

async function passOn(reply: Response, response: ServerResponse): Promise<void> {
  const retryAfter = reply.headers.get("retry-after");
  if (retryAfter !== null) response.setHeader("retry-after", retryAfter);
  sendJson(response, reply.status, await reply.json());
}

async function sendFile(
  response: ServerResponse,
  file: string,
  type: string,
  values: Record<string, string> = {},
): Promise<void> {
  const text = await readFile(new URL(`public/${file}`, import.meta.url), "utf8");
  const filled = Object.entries({ script, ...values }).reduce(
    (all, [name, value]) => all.replaceAll(`{{${name}}}`, () => value),
    text,
  );
  response
    .writeHead(200, {
      "content-type": type,
      "content-security-policy": policy,
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    })
    .end(filled);
}

/** A browser sees the page again, with a word of what went wrong. */
function reportFailure(error: unknown, request: IncomingMessage, response: ServerResponse): void {
  stdout.write(`${request.method} ${request.url?.split("?", 1)[0]} failed: ${String(error)}\n`);
  if (response.headersSent) return;
  if (request.headers.accept?.includes("text/html"))
    response.writeHead(303, { location: "/?problem=server_error" }).end();
  else sendJson(response, 500, { problem: "server_error" });
}

function refuse(reason: string): never {
  stderr.write(`${reason}. Start the service first, in another terminal: npm start\n`);
  exit(1);
}

await rollcall
  .register({ redirectUri, webhookUri: `${origin}/webhooks` })
  .catch((error: unknown) => refuse(`${rollcall.demo.base_url} does not answer: ${String(error)}`));
createServer((request, response) => {
  answer(request, response).catch((error: unknown) => reportFailure(error, request, response));
}).listen(port, "127.0.0.1", () => stdout.write(`The example application is at ${origin}\n`));
