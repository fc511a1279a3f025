import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enqueueSignIn } from "../../src/connect/begin-sign-in.ts";
import { scopesOfMode } from "../../src/model/index.ts";
import { sha256 } from "../../src/platform/crypto/index.ts";
import {
  carried,
  ConnectVisitor,
  linkPath,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, redirectUri, type Harness } from "../support/harness.ts";

const thiefUri = "https://thief.example.com/callback";
const narrowScopes = "/2023-03-01/xhr/company";

type Owner = Awaited<ReturnType<Harness["createClient"]>>;

let harness: Harness;
let victim: Owner;
let thief: Owner;
beforeAll(async () => {
  harness = await createHarness();
  workSignIns(harness);
  victim = await harness.createClient();
  thief = await harness.services.clients.create({
    name: "Thief",
    redirectUris: [thiefUri, redirectUri],
  });
});
afterAll(() => harness.close());

const change = async (statement: string, ...values: unknown[]): Promise<unknown> =>
  await harness.database.query(statement, values);

const flowIdOf = ({ path }: Seen): string => /^\/connect\/([^/?]+)/.exec(path)?.[1] ?? "";

/** Somebody signs in with the link, but has not been sent back yet. */
async function signInWith(
  path: string,
): Promise<{ visitor: ConnectVisitor; id: string; page: Seen }> {
  const visitor = new ConnectVisitor(harness.baseUrl);
  const page = await visitor.begin(path);
  return { visitor, id: flowIdOf(page), page };
}

async function becomeReady(id: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (await harness.database.query("select phase from connect_flows where id = $1", [id]))[0],
    )
    .toEqual({ phase: "ready" });
}

const credentials = { username: "user_good", password: "anything" };

/** The flow of the victim's end user is signed in, and its browser has not come back for the redirect. */
async function readyFlow(): Promise<{ visitor: ConnectVisitor; id: string }> {
  const { visitor, id, page } = await signInWith(linkPath(victim.client, { scope: narrowScopes }));
  const form = hiddenOf(page);
  await visitor.ask("POST", `/connect/${id}/sign-in`, { ...form, ...credentials });
  await becomeReady(id);
  return { visitor, id };
}

function hiddenOf(page: Seen): Record<string, string> {
  return Object.fromEntries(
    [...page.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")],
    ),
  );
}

/** A browser with a cookie of its own. */
async function openBrowser(): Promise<{ visitor: ConnectVisitor; digest: Buffer }> {
  const visitor = new ConnectVisitor(harness.baseUrl);
  await visitor.open(linkPath(thief.client, { redirect_uri: thiefUri }));
  return { visitor, digest: sha256([...visitor.cookies.values()][0] ?? "") };
}

const codeIn = (seen: Seen): string | undefined =>
  seen.left === undefined ? undefined : (new URL(seen.left).searchParams.get("code") ?? undefined);

describe("whoever writes to the database gets nothing of somebody else's sign-in", () => {
  test("by another client, redirect address, scopes and browser in its row", async () => {
    const { id } = await readyFlow();
    const { visitor, digest } = await openBrowser();
    await change(
      `update connect_flows set client_id = $2, redirect_uri = $3, scopes = $4, browser_digest = $5, code_challenge = null
       where id = $1`,
      id,
      thief.client.clientId,
      thiefUri,
      scopesOfMode("xhr"),
      digest,
    );
    const seen = await visitor.open(`/connect/${id}`);
    expect(codeIn(seen)).toBeUndefined();
  });

  test("by another browser in its row", async () => {
    const { id } = await readyFlow();
    const { visitor, digest } = await openBrowser();
    await change("update connect_flows set browser_digest = $2 where id = $1", id, digest);
    expect(codeIn(await visitor.open(`/connect/${id}`))).toBeUndefined();
  });

  test("by more scopes in its row", async () => {
    const { visitor, id } = await readyFlow();
    await change(
      "update connect_flows set scopes = $2, mode = 'xhr' where id = $1",
      id,
      scopesOfMode("xhr"),
    );
    const code = codeIn(await visitor.open(`/connect/${id}`));
    const { body } = await harness.http.post("/2023-03-01/management/token", {
      json: exchangeBody({ ...victim, code: code ?? "" }),
    });
    expect((body as { scopes?: string[] }).scopes ?? [narrowScopes]).toEqual([narrowScopes]);
  });

  test("by no challenge in its row", async () => {
    const challenged = linkPath(victim.client, {
      code_challenge: sha256("a".repeat(43)).toString("base64url"),
      code_challenge_method: "S256",
    });
    const { visitor, page, id } = await signInWith(challenged);
    await change("update connect_flows set code_challenge = null where id = $1", id);
    const seen = await visitor.submit(page, credentials);
    const code = codeIn(seen);
    const reply = await harness.http.post("/2023-03-01/management/token", {
      json: exchangeBody({ ...victim, code: code ?? "" }),
    });
    expect(reply.status).not.toBe(201);
  });

  test("by a link of their own that leads to it", async () => {
    const link = async (owner: Owner, json: Record<string, unknown>): Promise<string> => {
      const { body } = await harness.http.post("/2023-03-01/management/connect-session", {
        basic: [owner.client.clientId, owner.secret],
        json,
      });
      return (body as { connect_url: string }).connect_url.replace("https://api.example.com", "");
    };
    const connected = await harness.connect({ client: victim });
    await link(victim, { token: connected.tokenId });
    const own = await link(thief, { scope: narrowScopes, sandbox: true, redirect_uri: thiefUri });
    const digest = sha256(new URLSearchParams(own.split("?")[1]).get("session") ?? "");
    await change(
      "update connect_flows set link_digest = sha256(link_digest) where link_digest = $1",
      digest,
    );
    await change(
      "update connect_flows set link_digest = $1 where token_id = $2",
      digest,
      connected.tokenId,
    );
    const before = await harness.services.connections.loadByToken(connected.tokenId);
    const visitor = new ConnectVisitor(harness.baseUrl);
    const page = await visitor.open(own);
    if (page.html.includes("form_token")) {
      const begun = await visitor.begin(own).catch(() => page);
      if (begun.html.includes("password"))
        await visitor.submit(begun, { ...credentials, username: "user_good" });
    }
    const after = await harness.services.connections.loadByToken(connected.tokenId);
    expect(after?.signInCount).toBe(before?.signInCount);
  });
});

describe("a sign-in replaces no connection but the one that it was opened for", () => {
  test("by the token of somebody else in its row", async () => {
    const connected = await harness.connect({ client: victim });
    const before = await harness.services.connections.loadByToken(connected.tokenId);
    const { visitor, page, id } = await signInWith(
      linkPath(thief.client, { redirect_uri: thiefUri }),
    );
    await change("update connect_flows set token_id = $2 where id = $1", id, connected.tokenId);
    await visitor.submit(page, credentials);
    const after = await harness.services.connections.loadByToken(connected.tokenId);
    expect(after?.signInCount).toBe(before?.signInCount);
  });

  test("by the connection of somebody else under its own token", async () => {
    const connected = await harness.connect({ client: victim });
    const own = await harness.connect({ client: thief });
    const { body } = await harness.http.post("/2023-03-01/management/connect-session", {
      basic: [thief.client.clientId, thief.secret],
      json: { token: own.tokenId },
    });
    const path = (body as { connect_url: string }).connect_url.replace(
      "https://api.example.com",
      "",
    );
    const { visitor, page } = await signInWith(path);
    const free = randomUUID();
    await change("alter table connect_flows drop constraint connect_flows_token_id_fkey");
    await change("update connections set token_id = $2 where token_id = $1", own.tokenId, free);
    await change(
      "update connections set token_id = $2, client_id = $3 where token_id = $1",
      connected.tokenId,
      own.tokenId,
      thief.client.clientId,
    );
    await visitor.submit(page, credentials).catch(() => undefined);
    const [row] = await harness.database.query(
      "select sign_in_count from connections where token_id = $1",
      [own.tokenId],
    );
    expect(row).toEqual({ sign_in_count: 1 });
  });
});

test("a sign-in whose row nobody changed goes on", async () => {
  const { visitor, page } = await signInWith(linkPath(victim.client, { state: "mine" }));
  const seen = await visitor.submit(page, credentials);
  expect(carried(seen).map(([name]) => name)).toEqual([
    "code",
    "authorization_code",
    "state",
    "iss",
  ]);
});

test("a sign-in whose row was changed while it waits is not run again and again", async () => {
  const { id } = await signInWith(linkPath(victim.client, { scope: narrowScopes }));
  await change(
    `update connect_flows set phase = 'running', due_at = service_now(), network_key = 'near', sealed_terms = $2 where id = $1`,
    id,
    randomBytes(64),
  );
  await enqueueSignIn(harness.services.queue, { id });
  await expect
    .poll(() =>
      harness.database.query(
        "select run, due_at > service_now() as later, lease_until from connect_flows where id = $1",
        [id],
      ),
    )
    .toEqual([{ run: 1, later: true, lease_until: null }]);
});
