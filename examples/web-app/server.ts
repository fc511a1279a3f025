// An application of Rollcall: end users connect their HR system, see their employees, and see changes arrive.
// Run it beside a local `npm start`, with `npm run example`.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { env, exit, stderr, stdout } from "node:process";
import { buffer } from "node:stream/consumers";
// In an application of your own it is "@rollcall/client".
import {
  memorySeen,
  receiveWebhook,
  Rollcall,
  RollcallError,
  type ScopeName,
  type SignIn,
  type Token,
  type Webhook,
} from "../../packages/client-typescript/src/index.ts";

interface Session {
  /** The sign-ins that this browser began, by their state. Null is for signing in again. */
  begun: Map<string, SignIn | null>;
  /** What an application keeps in its database. Here it is gone with the process. */
  account?: Token;
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
const demo = JSON.parse(
  await readFile(demoFile, "utf8").catch(() => refuse(`${demoFile} cannot be read`)),
) as Record<"base_url" | "client_id" | "client_secret", string>;
const rollcall = new Rollcall({
  url: demo.base_url,
  clientId: demo.client_id,
  clientSecret: demo.client_secret,
});
const script = `${demo.base_url}/connect/rollcall-connect.js`;
const policy = [
  "default-src 'none'",
  `script-src 'self' ${script}`,
  "style-src 'self'",
  "connect-src 'self'",
  // The form that begins a sign-in ends in a redirect to the service.
  `form-action 'self' ${demo.base_url}`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");
const maxBodyBytes = 64 * 2 ** 20;

const sessions = new Map<string, Session>();
/** A webhook that was shown is not shown again. */
const seen = memorySeen();

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
    return await receive(request, response);
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
  const newId = randomBytes(32).toString("base64url");
  sessions.set(newId, session);
  response.setHeader("set-cookie", `acme=${newId}; Path=/; HttpOnly; SameSite=Lax`);
  return session;
}

/** The page's script hands over its state, for the popup. */
async function beginSignIn({ session, request, response }: Visit): Promise<void> {
  const form = await readForm(request);
  const options = {
    redirect_uri: redirectUri,
    mode: form.get("mode") === "official" ? "official" : "xhr",
    scopes: [...new Set(["employees", ...form.getAll("resource")])] as ScopeName[],
    provider: "sandbox",
    locale: form.get("locale") || undefined,
    state: form.get("state") ?? undefined,
  };
  const isOneTime = form.get("link") === "one-time";
  const signIn = await (isOneTime ? rollcall.oneTimeLink(options) : rollcall.signInLink(options));
  session.begun.set(signIn.state, signIn);
  leadTo(signIn.url, { request, response });
}

async function beginSignInAgain({ session, request, response }: Visit): Promise<void> {
  const form = await readForm(request);
  const signIn = await rollcall.linkToSignInAgain({
    token: accountOf(session).token,
    redirect_uri: redirectUri,
    state: form.get("state") ?? undefined,
  });
  session.begun.set(signIn.state, null);
  leadTo(signIn.url, { request, response });
}

/** A form goes there; a script wants to know where. */
function leadTo(address: string, { request, response }: Omit<Visit, "session">): void {
  if (isOfScript(request)) sendJson(response, 200, { url: address });
  else response.writeHead(303, { location: address }).end();
}

/** The redirect page. Its script tells the page that opened a popup, or sends this form. */
async function showCallback({ request, response }: Visit): Promise<void> {
  const { searchParams } = new URL(request.url ?? "/", origin);
  const names = ["code", "state", "iss", "error", "error_description"];
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
  const problem = begun === undefined ? "unknown_state" : await connect(session, begun, form);
  if (isOfScript(request)) return sendJson(response, problem ? 400 : 200, { problem });
  response.writeHead(303, { location: problem ? `/?problem=${encodeURIComponent(problem)}` : "/" });
  response.end();
}

/** What the redirect says went wrong. */
async function connect(
  session: Session,
  signIn: SignIn | null,
  form: URLSearchParams,
): Promise<string | undefined> {
  try {
    // After signing in again there is no code: the token that we have works again.
    if (!signIn) rollcall.finishSignInAgain(form, { state: form.get("state") ?? "" });
    else session.account = await rollcall.finishSignIn(form, signIn);
    return undefined;
  } catch (error) {
    if (error instanceof RollcallError && error.status === undefined) return error.code;
    throw error;
  }
}

async function showAccount({ session, response }: Visit): Promise<void> {
  const { account } = session;
  sendJson(response, 200, account ? { mode: account.mode, tokenId: account.token } : null);
}

/** The page shows the way from 202 to the list, so nothing is waited for here. */
async function showEmployees({ session, request, response }: Visit): Promise<void> {
  const isFresh = new URL(request.url ?? "/", origin).searchParams.has("fresh");
  const connection = rollcall.connection(accountOf(session));
  sendJson(response, 200, await connection.employees({}, { isFresh, asksOnce: true }));
}

async function letAnHourPass({ session, response }: Visit): Promise<void> {
  sendJson(response, 200, await rollcall.sandbox.sendWebhook(accountOf(session).token));
}

async function endProviderSession({ session, response }: Visit): Promise<void> {
  const { token } = accountOf(session);
  sendJson(
    response,
    200,
    await rollcall.sandbox.fail(token, { code: "reauthentication_required" }),
  );
}

async function disconnect({ session, response }: Visit): Promise<void> {
  await rollcall.connection(accountOf(session)).disconnect();
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

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const message = { headers: request.headers, body: await readBody(request) };
  const options = { secret: demo.client_secret, seen };
  response.writeHead(await receiveWebhook(message, options, showWebhook)).end();
}

function showWebhook({ id, type, token, data: change }: Webhook): void {
  if (type !== "employees.changed") return;
  const event = `event: webhook\ndata: ${JSON.stringify({ id, change })}\n\n`;
  for (const session of sessions.values())
    if (session.account?.token === token) for (const page of session.pages) page.write(event);
}

function accountOf({ account }: Session): Token {
  if (!account) throw new Error("no account is connected");
  return account;
}

const isOfScript = ({ headers }: IncomingMessage): boolean => headers.accept === "application/json";

const escape = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Whoever sends a webhook is known after its last byte, and need not say how many there are. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  return await buffer(upTo(maxBodyBytes, request));
}

async function* upTo(maxBytes: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = maxBytes;
  for await (const chunk of body) {
    left -= chunk.length;
    if (left < 0) throw new Error("the request is too large");
    yield chunk;
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(request)).toString());
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
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

/** A browser sees the page again, with a word of what went wrong. The page's script is told more. */
function reportFailure(error: unknown, request: IncomingMessage, response: ServerResponse): void {
  const refusal = error instanceof RollcallError ? error : undefined;
  if (refusal?.code !== "pending")
    stdout.write(`${request.method} ${request.url?.split("?", 1)[0]} failed: ${String(error)}\n`);
  if (response.headersSent) return;
  if (request.headers.accept?.includes("text/html"))
    return void response.writeHead(303, { location: "/?problem=server_error" }).end();
  const { status = 500, sentence: message, asksForSignIn, retryAfterSeconds } = refusal ?? {};
  if (retryAfterSeconds !== undefined) response.setHeader("retry-after", retryAfterSeconds);
  sendJson(response, status, { message, asksForSignIn, problem: "server_error" });
}

function refuse(reason: string): never {
  stderr.write(`${reason}. Start the service first, in another terminal: npm start\n`);
  exit(1);
}

/** Adds what this application needs to the client. Whoever runs it in earnest does it once, by hand. */
async function register(): Promise<void> {
  const webhookUri = `${origin}/webhooks`;
  const { redirect_uris: known, webhook_uri: current } = await rollcall.client();
  if (current === webhookUri && known.includes(redirectUri)) return;
  const redirectUris = [...new Set([...known, redirectUri])];
  await rollcall.updateClient({ redirect_uris: redirectUris, webhook_uri: webhookUri });
}

await register().catch((error: unknown) =>
  refuse(`${demo.base_url} does not answer: ${String(error)}`),
);
createServer((request, response) => {
  answer(request, response).catch((error: unknown) => reportFailure(error, request, response));
}).listen(port, "127.0.0.1", () => stdout.write(`The example application is at ${origin}\n`));
