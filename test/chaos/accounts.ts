import { request } from "undici";
import type { Mode, Scope } from "../../src/model/index.ts";
import type { Services } from "../../src/start/services.ts";
import {
  ConnectVisitor,
  carried,
  linkPath,
  textOf,
  type Seen,
} from "../support/connect-visitor.ts";
import { redirectUri, signIn } from "../support/harness.ts";
import { requestJson } from "./asking.ts";
import type { Stage } from "./stage.ts";

export interface TestClient {
  clientId: string;
  secret: string;
}

export interface Account extends TestClient {
  token: string;
  /** The user name, by which a vendor tells its accounts apart. */
  username: string;
}

const management = "/2023-03-01/management";
const signInsAtOnce = 8;
const signInLimitMs = 120_000;

export async function createClient(stage: Stage): Promise<TestClient> {
  return await stage.withServices(async ({ clients }) => {
    const { client, secret } = await clients.create({ name: "Chaos", redirectUris: [redirectUri] });
    return { clientId: client.clientId, secret };
  });
}

/** Sets the address of the client's webhooks, or of its events. A hosted service takes http from nobody else. */
export async function listenAt(
  stage: Stage,
  { clientId }: TestClient,
  url: string,
  field: "webhookUri" | "eventUri" = "webhookUri",
): Promise<void> {
  await stage.withServices(async ({ clients }) => {
    const client = await clients.find(clientId);
    if (!client) throw new Error("the client is gone");
    await clients.update(client, { [field]: url });
  });
}

export interface SignIn {
  /** The address of the vendor. */
  url: string;
  username: string;
  /** The address that the end user comes from. */
  network?: string;
  provider?: "odoo" | "people";
}

/** A sign-in up to the moment at which the form is sent. */
export async function openForm(
  stage: Stage,
  client: TestClient,
  { network = "198.51.100.1", provider = "odoo" }: Pick<SignIn, "network" | "provider"> = {},
): Promise<{ visitor: ConnectVisitor; page: Seen }> {
  const visitor = new ConnectVisitor(stage.baseUrl, { "x-forwarded-for": network });
  return { visitor, page: await visitor.open(linkPath(client, { provider })) };
}

/** Sends the form and returns the page that follows, which may be one that waits. */
export async function sendForm(
  { visitor, page }: { visitor: ConnectVisitor; page: Seen },
  { url, username, provider = "odoo" }: SignIn,
): Promise<Seen> {
  const fields = { url, username, password: "anything" };
  if (provider !== "odoo") return await visitor.send(page, "sign-in", fields);
  // Its page asks for the address alone. All at once is a sign-in, too.
  const atOnce = { form_name: "sign-in", database: "people", ...fields };
  return await visitor.send(page, "address", atOnce);
}

function isWaiting({ html }: Seen): boolean {
  return html.includes("data-watch=");
}

/** Looks again until the provider has answered or the time is over. */
export async function untilAnswered(
  { signal }: Stage,
  visitor: ConnectVisitor,
  page: Seen,
  limitMs = signInLimitMs,
): Promise<Seen> {
  let current = page;
  const deadline = performance.now() + limitMs;
  while (isWaiting(current) && performance.now() < deadline) {
    signal.throwIfAborted();
    current = await visitor.open(current.path);
  }
  return current;
}

/** Signs in through the pages, as an end user does, and exchanges the code. */
export async function connectAccount(
  stage: Stage,
  client: TestClient,
  signIn: SignIn,
): Promise<Account> {
  const form = await openForm(stage, client, signIn);
  const last = await untilAnswered(stage, form.visitor, await sendForm(form, signIn));
  if (last.left === undefined)
    throw new Error(`the sign-in of ${signIn.username} did not succeed: ${textOf(last)}`);
  const code = new Map(carried(last)).get("code") ?? "";
  const { status, body } = await requestJson(stage, "POST", `${management}/token`, {
    json: {
      client_id: client.clientId,
      client_secret: client.secret,
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
    },
  });
  if (status !== 201) throw new Error(`a code was not exchanged: ${status}`);
  return { ...client, token: String(body["access_token"]), username: signIn.username };
}

/** Several at once. */
export async function connectAccounts(
  stage: Stage,
  client: TestClient,
  signIns: readonly SignIn[],
): Promise<Account[]> {
  const accounts: Account[] = [];
  const left = signIns.entries();
  const connectNext = async (): Promise<void> => {
    for (const [index, signIn] of left)
      accounts[index] = await connectAccount(stage, client, signIn);
  };
  await Promise.all(Array.from({ length: signInsAtOnce }, connectNext));
  return accounts;
}

/**
 * Signs in without the pages and exchanges each code, in this process: as many connections as there are forms. Returns
 * their tokens.
 */
export async function connectHere(
  services: Services,
  { clientId, secret }: TestClient,
  request: { provider: string; mode: Mode; scopes: readonly Scope[] },
  forms: readonly Readonly<Record<string, string>>[],
): Promise<string[]> {
  const client = await services.clients.find(clientId);
  if (!client) throw new Error("the client is gone");
  const issued: string[] = [];
  const left = forms.entries();
  const connectNext = async (): Promise<void> => {
    for (const [index, formValues] of left) {
      const { code } = await signIn(services, {
        ...request,
        client: { client, secret },
        formValues,
      });
      const exchange = { clientId, clientSecrets: [secret], code, redirectUri };
      const { accessToken } = await services.tokens.redeem({
        ...exchange,
        codeVerifier: undefined,
      });
      issued[index] = accessToken;
    }
  };
  await Promise.all(Array.from({ length: signInsAtOnce }, connectNext));
  return issued;
}

/** The id of the client's only token. */
export async function onlyTokenId(stage: Stage, { clientId, secret }: TestClient): Promise<string> {
  const { body } = await request(`${stage.baseUrl}${management}/tokens`, {
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}` },
  });
  const [only, ...others] = (await body.json()) as { token: string }[];
  if (!only || others.length > 0) throw new Error("the client does not have one token");
  return only.token;
}

export async function disconnect(stage: Stage, { token }: Account): Promise<void> {
  const { status } = await requestJson(stage, "POST", `${management}/disconnect`, {
    bearer: token,
  });
  if (status !== 200) throw new Error(`the token was not disconnected: ${status}`);
}
