import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import { countLockWaits } from "../support/lock-waits.ts";
import { Receiver } from "../support/receiver.ts";
import { untilTrue } from "../support/until-true.ts";
import { runWebhookJobs } from "../support/webhook-harness.ts";

const base = "/2023-03-01/management/sandbox/connections";
const employees = "/2023-03-01/xhr/employees";

type Owner = Awaited<ReturnType<Harness["createClient"]>>;
interface Made {
  token: string;
  access_token: string;
}

let harness: Harness;
let receiver: Receiver;
let owner: Owner;
beforeAll(async () => {
  harness = await createHarness();
  receiver = await Receiver.start();
  owner = await harness.createClient();
  await harness.services.clients.update(owner.client, { webhookUri: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  await harness.close();
});

const basicOf = ({ client, secret }: Owner): [string, string] => [client.clientId, secret];
const post = (path: string, json?: object, as = owner): Promise<Reply> =>
  harness.http.post(`${base}${path}`, { basic: basicOf(as), ...(json && { json }) });
const get = (path: string, as = owner): Promise<Reply> =>
  harness.http.get(`${base}${path}`, { basic: basicOf(as) });
const connect = async (json: object = {}): Promise<Made> => {
  const reply = await post("", json);
  expect(reply.status).toBe(201);
  return reply.body as Made;
};
const work = (): Promise<void> => runWebhookJobs(harness.services);
const readAll = async (bearer: string): Promise<Reply> => {
  const headers = { "cache-control": "no-cache" };
  await harness.http.get(employees, { bearer, headers });
  await harness.drain();
  return await harness.http.get(employees, { bearer });
};
/** Data that was read a moment ago is not read again. */
const pass = (): void => harness.clock.advance(120);

describe("POST connections", () => {
  test("201: a token that reads the scenario's data", async () => {
    const made = await connect();
    expect(made).toEqual({
      token: expect.any(String),
      access_token: expect.stringMatching(/^rc_at_dev_/),
      mode: "xhr",
      provider: "sandbox",
      scopes: expect.arrayContaining([employees]),
      token_type: "Bearer",
    });
    expect((await readAll(made.access_token)).status).toBe(200);
    expect((await readAll((await connect({ scenario: "user_empty" })).access_token)).body).toEqual(
      [],
    );
  });

  test("201 with the mode and the scopes that were asked for", async () => {
    const scopes = ["/2023-03-01/official/company"];
    expect(await connect({ mode: "official", scopes })).toMatchObject({ mode: "official", scopes });
  });

  test.each(["user_mfa", "user_choose", "user_approve"])(
    "201 for %s, whose sign-in asks for more",
    async (scenario) => {
      const { token } = await connect({ scenario });
      expect((await get(`/${token}`)).body).toMatchObject({ scenario, hour: 0 });
    },
  );

  test.each<[string, object, string]>([
    [
      "of a refused sign-in",
      { scenario: "user_captcha" },
      "scenario: the sign-in of user_captcha is refused (captcha_challenge)",
    ],
    [
      "of a system that is away",
      { scenario: "user_away" },
      "scenario: the sign-in of user_away is refused (down)",
    ],
    [
      "of an unknown scenario",
      { scenario: "nobody" },
      "scenario: there is no scenario nobody; one of user_good, ",
    ],
    ["of scopes of the other mode", { mode: "official", scopes: [employees] }, "scopes: "],
    ["of no scopes", { scopes: [] }, "scopes: "],
    [
      "of more scopes than there are",
      { scopes: Array(100).fill("x") },
      "scopes: has to have at most",
    ],
    ["of an unknown field", { name: "x" }, "name"],
  ])("400 %s", async (_, json, says) => {
    const reply = await post("", json);
    expect(reply.status).toBe(400);
    expect((reply.body as { validation_error: string }).validation_error).toContain(says);
  });
});

describe("what is done to a connection", () => {
  test("advance: each of two that come at once is an hour", async () => {
    const { token } = await connect();
    const other = await harness.services.pool.connect();
    await other.query("begin");
    await other.query("select from connections where token_id = $1 for update", [token]);
    const advanced = Promise.all([post(`/${token}/advance`), post(`/${token}/advance`)]);
    await untilTrue("both wait", async () => (await countLockWaits(harness.database)) === 2);
    await other.query("commit");
    other.release();
    await advanced;
    expect((await get(`/${token}`)).body).toMatchObject({ hour: 2 });
  });

  test("rights that are set while an hour passes keep the hour", async () => {
    const { token } = await connect();
    const other = await harness.services.pool.connect();
    await other.query("begin");
    await other.query("select from connections where token_id = $1 for update", [token]);
    const wait = async (count: number): Promise<void> =>
      await untilTrue("it waits", async () => (await countLockWaits(harness.database)) === count);
    const advanced = post(`/${token}/advance`);
    await wait(1);
    const limited = post(`/${token}/rights`, { limited: ["tax_id"] });
    await wait(2);
    await other.query("commit");
    other.release();
    await Promise.all([advanced, limited]);
    expect((await get(`/${token}`)).body).toMatchObject({ hour: 1, limited: ["tax_id"] });
  });

  test("advance: the next read finds one added, one removed and two updated", async () => {
    const { token, access_token: bearer } = await connect();
    const before = (await readAll(bearer)).body as { id: string }[];
    pass();
    expect((await post(`/${token}/advance`)).body).toMatchObject({ token, hour: 1 });
    const after = (await readAll(bearer)).body as { id: string }[];
    const idsBefore = new Set(before.map(({ id }) => id));
    expect(after.filter(({ id }) => !idsBefore.has(id))).toHaveLength(1);
    expect(after).toHaveLength(before.length);
  });

  test("fail: reads end with the code", async () => {
    const { token, access_token: bearer } = await connect();
    const code = "captcha_challenge";
    expect((await post(`/${token}/fail`, { code })).body).toMatchObject({ failure: code });
    expect(await readAll(bearer)).toMatchObject({ status: 401, body: { code } });
    expect((await post(`/${token}/fail`, { code: "no_such" })).status).toBe(400);
  });

  test("webhook: 202 while the first poll is missing, then 200 and a signed webhook with its body", async () => {
    receiver.reset();
    const { token } = await connect();
    const first = await post(`/${token}/webhook`);
    expect(first.status).toBe(202);
    expect(Number(first.headers["retry-after"])).toBeGreaterThan(0);
    await work();
    expect(receiver.received).toEqual([]);
    pass();
    expect((await post(`/${token}/webhook`)).status).toBe(200);
    await work();
    expect(receiver.received).toHaveLength(1);
    const [received] = receiver.received;
    expect(received?.token).toBe(token);
    const shown = await harness.http.get(`/2023-03-01/management/deliveries/${received?.id}`, {
      basic: basicOf(owner),
    });
    expect(shown.body).toMatchObject({ token, added: 1, removed: 1, updated: 2 });
    expect((shown.body as { body: string }).body).toBe(received?.bytes.toString());
    expect((await get(`/${token}`)).body).toMatchObject({
      hour: 1,
      poll: { state: "idle", outcome: "changed" },
    });
  });

  test("poll: the list is compared, and 400 says why a connection is not polled", async () => {
    const { token } = await connect();
    expect((await post(`/${token}/poll`)).body).toMatchObject({ poll: { state: "pending" } });
    await work();
    expect((await get(`/${token}`)).body).toMatchObject({ poll: { outcome: "baseline" } });
    const silent = await harness.createClient();
    const made = (await post("", {}, silent)).body as Made;
    const reply = await post(`/${made.token}/poll`, undefined, silent);
    expect(reply).toMatchObject({
      status: 400,
      body: { validation_error: expect.stringContaining("has no webhook_uri") },
    });
    const scopes = ["/2023-03-01/xhr/company"];
    const company = await connect({ mode: "xhr", scopes });
    for (const name of ["poll", "webhook"])
      expect((await post(`/${company.token}/${name}`)).body).toMatchObject({
        validation_error: expect.stringMatching(/not polled: its scopes do not include/),
      });
  });
});

describe("nobody else's connection, and none of another provider", () => {
  const paths: [string, (token: string, as: Owner) => Promise<Reply>][] = [
    ["state", (token, as) => get(`/${token}`, as)],
    ["advance", (token, as) => post(`/${token}/advance`, undefined, as)],
    ["fail", (token, as) => post(`/${token}/fail`, { code: "captcha_challenge" }, as)],
    ["poll", (token, as) => post(`/${token}/poll`, undefined, as)],
    ["webhook", (token, as) => post(`/${token}/webhook`, undefined, as)],
  ];

  test.each(paths)("%s: 404", async (_, ask) => {
    const { token } = await connect();
    const stranger = await harness.createClient();
    const missing = [token, randomUUID(), "nothing"].map(async (id) => await ask(id, stranger));
    for (const reply of await Promise.all(missing)) expect(reply.status).toBe(404);
    await harness.database.query("update connections set provider = 'odoo' where token_id = $1", [
      token,
    ]);
    expect((await ask(token, owner)).status).toBe(404);
  });

  test.each(paths)("%s: 401 without the client's secret", async (_, ask) => {
    const { token } = await connect();
    expect((await ask(token, { ...owner, secret: "wrong" })).status).toBe(401);
  });
});
