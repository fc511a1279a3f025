import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en } from "../../src/connect/texts/en.ts";
import {
  carried,
  ConnectVisitor,
  headingOf,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";

const url = "/2023-03-01/management/connect-session";
const unknownToken = "01a1fd38-4e3b-76f0-aa4b-83ecbf6d43be";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  workSignIns(harness);
});
afterAll(() => harness.close());

type Connected = Awaited<ReturnType<Harness["connect"]>>;

const create = (
  { client, secret }: Pick<Connected, "client" | "secret">,
  json: Record<string, unknown>,
): Promise<Reply> => harness.http.post(url, { basic: [client.clientId, secret], json });

async function openLink(
  connected: Connected,
  json: Record<string, unknown> = {},
): Promise<Seen & { visitor: ConnectVisitor }> {
  const reply = await create(connected, { token: connected.tokenId, ...json });
  expect(reply.status).toBe(201);
  const visitor = new ConnectVisitor(harness.baseUrl);
  return {
    ...(await visitor.open(
      (reply.body as { connect_url: string }).connect_url.replace("https://api.example.com", ""),
    )),
    visitor,
  };
}

async function readEmployees(token: string): Promise<Reply> {
  const get = (): Promise<Reply> =>
    harness.http.get("/2023-03-01/xhr/employees", {
      bearer: token,
      headers: { "cache-control": "no-cache" },
    });
  const first = await get();
  if (first.status !== 202) return first;
  await harness.drain();
  workSignIns(harness);
  return await get();
}

const idsIn = ({ body }: Reply): string[] => (body as { id: string }[]).map(({ id }) => id);

async function statusOf({ client, secret, tokenId }: Connected): Promise<unknown> {
  const { body } = await harness.http.get("/2023-03-01/management/tokens", {
    basic: [client.clientId, secret],
  });
  return (body as { token: string; status: string }[]).find(({ token }) => token === tokenId)
    ?.status;
}

/** Makes the provider refuse the connection, as when its session has expired. */
async function refuse({ tokenId }: Connected): Promise<void> {
  const connection = await harness.services.connections.loadByToken(tokenId);
  await harness.services.connections.saveSession(connection!, {
    ...connection!.session,
    failure: "reauthentication_required",
  });
}

describe("a re-authentication link", () => {
  test("makes the same token work again, with the same ids, and gives no code", async () => {
    const connected = await harness.connect();
    const before = idsIn(await readEmployees(connected.token));
    await refuse(connected);
    harness.clock.advance(120);
    expect(await readEmployees(connected.token)).toMatchObject({
      status: 401,
      body: { code: "reauthentication_required" },
    });
    expect(await statusOf(connected)).toBe("reauthentication_required");

    const { visitor, ...form } = await openLink(connected, { state: "s" });
    expect(textOf(form)).toContain("Test asks you to sign in to Sandbox again");
    const back = await visitor.submit(form, { username: "user_good", password: "anything" });
    expect(back.left).toBe(`${redirectUri}?state=s&iss=https%3A%2F%2Fapi.example.com`);
    expect(await statusOf(connected)).toBe("active");
    expect(idsIn(await readEmployees(connected.token))).toEqual(before);
    expect(
      await harness.database.query("select 1 from tokens where client_id = $1", [
        connected.client.clientId,
      ]),
    ).toHaveLength(1);
    expect(
      await harness.database.query("select 1 from authorization_codes where client_id = $1", [
        connected.client.clientId,
      ]),
    ).toHaveLength(1);
  });

  test("takes a second factor", async () => {
    const connected = await harness.connect();
    const { visitor, ...form } = await openLink(connected);
    const code = await visitor.submit(form, { username: "user_mfa", password: "anything" });
    expect(headingOf(code)).toBe(en.title.question);
    expect(carried(await visitor.answer(code, "123456"))).toEqual([
      ["iss", "https://api.example.com"],
    ]);
  });

  test("that is declined, or refused by the provider, changes nothing", async () => {
    const connected = await harness.connect();
    const { visitor, ...form } = await openLink(connected);
    const refused = await visitor.submit(form, {
      username: "user_bad_password",
      password: "anything",
    });
    expect(headingOf(refused)).toBe("Sign in to Sandbox");
    expect(Object.fromEntries(carried(await visitor.send(refused, "decline")))).toMatchObject({
      error: "access_denied",
    });
    harness.clock.advance(61);
    expect(textOf(await visitor.open(refused.path))).toContain(
      "The connection between Test and Sandbox is unchanged.",
    );
    expect((await readEmployees(connected.token)).status).toBe(200);
  });

  test("asks for what the connection has, and for no other provider", async () => {
    const connected = await harness.connect({ scopes: ["/2023-03-01/xhr/employees"] });
    const { visitor, ...form } = await openLink(connected);
    expect(headingOf(form)).toBe("Sign in to Sandbox");
    expect(textOf(form)).not.toContain("Pay runs");
    expect(form.html).not.toContain("/other");
    await visitor.submit(form, { username: "user_good", password: "anything" });
    expect(
      await harness.database.query("select scopes, provider from connections where token_id = $1", [
        connected.tokenId,
      ]),
    ).toEqual([{ scopes: ["/2023-03-01/xhr/employees"], provider: "sandbox" }]);
  });

  test("goes back to the address that it names, else to the client's first one", async () => {
    const connected = await harness.connect();
    const { visitor, ...form } = await openLink(connected, { redirect_uri: redirectUri });
    expect((await visitor.send(form, "decline")).left?.startsWith(`${redirectUri}?`)).toBe(true);
    expect(
      await create(connected, { token: connected.tokenId, redirect_uri: "https://evil.example" }),
    ).toMatchObject({ status: 400 });
  });

  test("is worth nothing once the token is disconnected", async () => {
    const connected = await harness.connect();
    const { visitor, ...form } = await openLink(connected);
    await harness.http.post("/2023-03-01/management/disconnect", { bearer: connected.token });
    const seen = await visitor
      .submit(form, { username: "user_good", password: "anything" })
      .catch(() => undefined);
    expect(seen?.left).toBeUndefined();
    expect(seen?.status).toBe(410);
    expect(
      (await harness.http.get("/2023-03-01/xhr/company", { bearer: connected.token })).status,
    ).toBe(403);
  });
});

describe("404", () => {
  test.each<[string, (own: Connected) => Promise<string>]>([
    ["a token id that is not known", async () => unknownToken],
    ["the token of another client", async () => (await harness.connect()).tokenId],
    [
      "the shared sandbox token",
      async () =>
        String(
          (
            await harness.database.query(
              "select t.id from tokens t join clients c using (client_id) where c.is_shared_sandbox",
            )
          )[0]?.["id"],
        ),
    ],
    [
      "a token that was disconnected",
      async (own) => {
        await harness.http.post("/2023-03-01/management/disconnect", { bearer: own.token });
        return own.tokenId;
      },
    ],
  ])("%s: the same answer, which names the id that was sent", async (_what, tokenId) => {
    const own = await harness.connect();
    const token = await tokenId(own);
    const reply = await create(own, { token });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({
      message: "The token is not known or was disconnected.",
      id: token,
    });
  });
});
