import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answerApprover } from "../support/approver/answer-approver.ts";
import {
  comeBack,
  exchange,
  linkOf,
  offered,
  openProviderPage,
  readEmployees,
  signIn,
  startApproverStage,
  type ApproverStage,
} from "../support/approver/approver-stage.ts";
import { application } from "../support/approver/start-approver.ts";
import { createConnectionArgs, rollcall } from "../support/command-line.ts";
import { carried, ConnectVisitor, headingOf, textOf } from "../support/connect-visitor.ts";
import type { Reply } from "../support/http-client.ts";
import { untilTrue } from "../support/until-true.ts";

const management = "/2023-03-01/management";

let stage: ApproverStage;
beforeAll(async () => {
  stage = await startApproverStage();
});
afterAll(() => stage.stop());
beforeEach(() => {
  stage.approver.settings.accessSeconds = 3_600;
  stage.approver.settings.organisations = [{ id: "acme", name: "Acme & Söhne" }];
});

const basicOf = (): [string, string] => [stage.client.clientId, stage.client.clientSecret];
const lastNames = ({ body }: Reply): string[] =>
  (body as { last_name: string }[]).map(({ last_name }) => last_name);

async function listTokens(): Promise<string[]> {
  const { body } = await stage.service.http.get(`${management}/tokens`, { basic: basicOf() });
  return (body as { token: string }[]).map(({ token }) => token);
}

async function makeReauthenticationLink(token: string): Promise<string> {
  const { body } = await stage.service.http.post(`${management}/connect-session`, {
    basic: basicOf(),
    json: { token, redirect_uri: stage.client.redirectUri },
  });
  const { pathname, search } = new URL((body as { connect_url: string }).connect_url);
  return pathname + search;
}

test("leads to the provider's page with state and PKCE, and back with a code that reads data", async () => {
  const visitor = new ConnectVisitor(stage.service.baseUrl);
  const address = await openProviderPage(stage, visitor);
  expect(address.origin + address.pathname).toBe(`${stage.approver.origin}/auth`);
  const { state, code_challenge: challenge, ...asked } = Object.fromEntries(address.searchParams);
  expect(asked).toEqual({
    prompt: "login consent",
    response_type: "code",
    client_id: application.clientId,
    redirect_uri: `${stage.service.baseUrl}/connect/callback`,
    scope: "openid profile email offline_access employees",
    code_challenge_method: "S256",
  });
  expect(state).toMatch(/^[0-9a-f-]{36}\.[\w-]{43}$/);
  expect(challenge).toMatch(/^[\w-]{43}$/);

  const callback = await answerApprover(address.href);
  const back = await comeBack(visitor, callback);
  expect(back.left).toContain(stage.client.redirectUri);
  expect(Object.fromEntries(carried(back))["state"]).toBe("of the client");
  const token = await exchange(stage, back);
  expect(lastNames(await readEmployees(stage, token))).toEqual(["acme"]);
  const code = new URL(callback).searchParams.get("code") ?? "";
  for (const secret of [code, state ?? "", application.clientSecret])
    expect(stage.service.output).not.toContain(secret);
});

test("several organisations are a choice", async () => {
  stage.approver.settings.organisations = [
    { id: "acme", name: "Acme & Söhne" },
    { id: "beta", name: "Beta" },
  ];
  const visitor = new ConnectVisitor(stage.service.baseUrl);
  const address = await openProviderPage(stage, visitor);
  const question = await comeBack(visitor, await answerApprover(address.href));
  expect(textOf(question)).toContain("Acme & Söhne");
  const token = await exchange(stage, await visitor.answer(question, "beta"));
  expect(lastNames(await readEmployees(stage, token))).toEqual(["beta"]);
});

test("data are read after the access token has expired, with one refresh for each", async () => {
  stage.approver.settings.accessSeconds = 2;
  const token = await exchange(stage, await signIn(stage));
  expect((await readEmployees(stage, token)).status).toBe(200);
  const { counts } = stage.approver;
  const before = { ...counts };
  for (let round = 1; round <= 2; round += 1) {
    await delay(2_500);
    expect((await readEmployees(stage, token)).status).toBe(200);
    // A list is fresh for a second: where an answer takes longer, it is read once more.
    expect(counts.lists).toBeGreaterThanOrEqual(before.lists + round);
    expect(counts.refreshes - before.refreshes).toBe(counts.lists - before.lists);
  }
  expect(counts.refused).toBe(before.refused);
});

test("what was revoked at the provider is 401, and approving again makes the same token work", async () => {
  const others = await listTokens();
  const token = await exchange(stage, await signIn(stage));
  const id = (await listTokens()).find((each) => !others.includes(each)) ?? "";
  expect((await readEmployees(stage, token)).status).toBe(200);
  await stage.approver.revoke();
  await delay(1_100);
  const refused = await readEmployees(stage, token);
  expect(refused).toMatchObject({
    status: 401,
    body: { code: "reauthentication_required" },
  });
  const back = await signIn(stage, await makeReauthenticationLink(id));
  expect(carried(back)).not.toContainEqual(["code", expect.anything()]);
  expect(lastNames(await readEmployees(stage, token))).toEqual(["acme"]);
});

test("a disconnect ends the session at the provider", async () => {
  const token = await exchange(stage, await signIn(stage));
  const before = stage.approver.counts.revocations;
  expect(
    (await stage.service.http.post(`${management}/disconnect`, { bearer: token })).status,
  ).toBe(200);
  await untilTrue("the provider was told", () => stage.approver.counts.revocations === before + 1);
});

test("somebody who does not approve is sent back to the client", async () => {
  const back = await signIn(stage, linkOf(stage), { approves: false });
  const { error_description: _description, iss: _iss, ...told } = Object.fromEntries(carried(back));
  expect(told).toEqual({ error: "access_denied", state: "of the client" });
});

test.each([
  ["server_error", /can’t be reached or is too busy/],
  ["temporarily_unavailable", /can’t be reached or is too busy/],
  ["invalid_scope", /gave an unexpected answer/],
  ["<script>", /gave an unexpected answer/],
])("the provider's error %s shows the form again", async (error, message) => {
  const visitor = new ConnectVisitor(stage.service.baseUrl);
  const state = (await openProviderPage(stage, visitor)).searchParams.get("state") ?? "";
  const query = new URLSearchParams({ error, state }).toString();
  const page = await visitor.open(`/connect/callback?${query}`);
  expect(headingOf(page)).toBe("Sign in to Approver");
  expect(textOf(page)).toMatch(message);
});

test("a code that the provider refuses shows the form again, and a new one is accepted", async () => {
  const visitor = new ConnectVisitor(stage.service.baseUrl);
  const address = await openProviderPage(stage, visitor);
  const state = address.searchParams.get("state") ?? "";
  const query = new URLSearchParams({ code: "invented", state }).toString();
  const page = await visitor.settle(await visitor.open(`/connect/callback?${query}`));
  expect(headingOf(page)).toBe("Sign in to Approver");
  const { left = "" } = await visitor.send(page, "sign-in", { address: stage.approver.origin });
  const back = await comeBack(visitor, await answerApprover(left));
  expect(lastNames(await readEmployees(stage, await exchange(stage, back)))).toEqual(["acme"]);
});

test("who goes back in the browser can go on to the provider's page, with the same state", async () => {
  const visitor = new ConnectVisitor(stage.service.baseUrl);
  const address = await openProviderPage(stage, visitor);
  const [flowId = ""] = (address.searchParams.get("state") ?? "").split(".");
  const page = await visitor.open(`/connect/${flowId}`);
  expect(page.html).toContain(address.href.replaceAll("&", "&amp;"));
  expect(page.html).not.toContain("form-action");
});

describe("a reply is taken", () => {
  const mutants: [string, (state: string) => string | undefined][] = [
    ["without a state", () => undefined],
    ["with an empty state", () => ""],
    [
      "with the state of no flow",
      (state) => `01a1fd38-4e3b-76f0-aa4b-83ecbf6d43be${state.slice(36)}`,
    ],
    ["with another nonce", (state) => `${state.slice(0, -43)}${"A".repeat(43)}`],
    ["with the flow alone", (state) => state.slice(0, 36)],
    ["with a longer state", (state) => `${state}A`],
  ];
  test.each(mutants)("not %s", async (_name, mutate) => {
    const visitor = new ConnectVisitor(stage.service.baseUrl);
    const address = await openProviderPage(stage, visitor);
    const callback = new URL(await answerApprover(address.href));
    const state = callback.searchParams.get("state") ?? "";
    const mutant = mutate(state);
    if (mutant === undefined) callback.searchParams.delete("state");
    else callback.searchParams.set("state", mutant);
    const seen = await visitor.open(callback.pathname + callback.search);
    expect([seen.status, headingOf(seen)]).toEqual([404, "This sign-in is no longer open"]);
    callback.searchParams.set("state", state);
    expect((await comeBack(visitor, callback.href)).left).toContain(stage.client.redirectUri);
  });

  test("from the browser that began alone", async () => {
    const visitor = new ConnectVisitor(stage.service.baseUrl);
    const callback = await answerApprover((await openProviderPage(stage, visitor)).href);
    const { pathname, search } = new URL(callback);
    const stranger = new ConnectVisitor(stage.service.baseUrl);
    await stranger.open(linkOf(stage));
    expect((await stranger.open(pathname + search)).status).toBe(404);
    expect((await comeBack(visitor, callback)).left).toContain(stage.client.redirectUri);
  });

  test("once, however often it comes", async () => {
    const visitor = new ConnectVisitor(stage.service.baseUrl);
    const { pathname, search } = new URL(
      await answerApprover((await openProviderPage(stage, visitor)).href),
    );
    const before = { ...stage.approver.counts };
    await Promise.all(Array.from({ length: 20 }, () => visitor.ask("GET", pathname + search)));
    const back = await visitor.settle(await visitor.open(pathname + search));
    expect(back.left).toContain(stage.client.redirectUri);
    expect(stage.approver.counts).toEqual({ ...before, codes: before.codes + 1 });
  });

  test("with one code and one state", async () => {
    const visitor = new ConnectVisitor(stage.service.baseUrl);
    const { pathname, search } = new URL(
      await answerApprover((await openProviderPage(stage, visitor)).href),
    );
    const repeated = await visitor.open(`${pathname}${search}&state=again`);
    expect(repeated.status).toBe(404);
  });
});

test("the account's accesses are shown after the same sign-in", async () => {
  await exchange(stage, await signIn(stage, linkOf(stage), { login: "bob" }));
  const visitor = new ConnectVisitor(stage.service.baseUrl);
  const first = await visitor.open("/connect/accesses");
  const page = await visitor.send(first, "sign-in", { choice: "approver/official" });
  const { left = "" } = await visitor.send(page, "sign-in", { address: stage.approver.origin });
  const accesses = await comeBack(visitor, await answerApprover(left, { login: "bob" }));
  expect(textOf(accesses)).toContain("End access");
});

test("a form that the adapter refuses shows the field", async () => {
  const visitor = new ConnectVisitor(stage.service.baseUrl);
  const page = await visitor.send(await visitor.open(linkOf(stage)), "sign-in", {
    address: "nowhere",
  });
  expect(textOf(page)).toContain("This is no address.");
});

test("the command line says that the sign-in needs a page", async () => {
  const fields = [`address=${stage.approver.origin}`];
  const args = createConnectionArgs(stage.client.clientId, { provider: "approver", fields });
  const result = await rollcall(args, { STATE_DIR: stage.stateDir, ...offered });
  expect(result.code).not.toBe(0);
  expect(result.stderr).toContain("use a sign-in link");
});
