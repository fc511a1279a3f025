import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeExpiredFlows } from "../../src/connect/index.ts";
import { en } from "../../src/connect/texts/en.ts";
import { buildWorker, type Worker } from "../../src/start/worker.ts";
import {
  carried,
  ConnectVisitor,
  headingOf,
  hiddenFields,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const anyone = { username: "user_good", password: "anything" };

let harness: Harness;
let signIns: ReturnType<typeof workSignIns>;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness();
  owner = await harness.createClient();
  signIns = workSignIns(harness);
});
afterAll(() => harness.close());

const visitor = (): ConnectVisitor => new ConnectVisitor(harness.baseUrl);

async function signIn(): Promise<{ code: string; path: string }> {
  const one = visitor();
  const form = await one.begin(linkPath(owner.client));
  return {
    code: Object.fromEntries(carried(await one.submit(form, anyone)))["code"] ?? "",
    path: form.path,
  };
}

const countRows = async (table: string): Promise<number> =>
  (
    await harness.database.query(`select 1 from ${table} where client_id = $1`, [
      owner.client.clientId,
    ])
  ).length;
const exchange = (code: string) =>
  harness.http.post("/2023-03-01/management/token", { json: exchangeBody({ ...owner, code }) });

describe("a sign-in", () => {
  const forms: Record<string, (page: Seen) => [string, Record<string, string>]> = {
    "sign-in": (page) => ["sign-in", { ...hiddenFields(page, "sign-in"), ...anyone }],
    decline: (page) => ["decline", hiddenFields(page, "decline")],
  };

  test("is open for thirty minutes, and then says that it has expired, whatever is asked of it", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client));
    harness.clock.advance(1_799);
    expect((await one.open(form.path)).status).toBe(200);
    harness.clock.advance(1);
    const late = await one.open(form.path);
    expect([late.status, headingOf(late)]).toEqual([410, en.title.expired]);
    for (const make of Object.values(forms)) {
      const [move, fields] = make(form);
      const reply = await one.ask("POST", `${form.path}/${move}`, fields);
      expect([reply.status, reply.headers["location"]]).toEqual([410, undefined]);
    }
    expect((await one.ask("GET", `${form.path}/status`)).status).toBe(410);
    expect(late.html).toContain('<a class="button" href="https://app.example.com/">');
  });

  test("that was through but never looked at again gives no code once it has expired", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client));
    const before = await countRows("authorization_codes");
    await one.ask("POST", `${form.path}/sign-in`, { ...hiddenFields(form, "sign-in"), ...anyone });
    await untilTrue(
      "the sign-in is through",
      async () =>
        (
          await harness.database.query(
            "select 1 from connect_flows where id = $1 and phase = 'ready'",
            [form.path.split("/")[2]],
          )
        ).length === 1,
    );
    harness.clock.advance(1_800);
    expect((await one.open(form.path)).status).toBe(410);
    await removeExpiredFlows(harness.services);
    expect((await one.open(form.path)).status).toBe(410);
    expect(await countRows("authorization_codes")).toBe(before);
  });

  test("leads back to the client for an hour after it has expired, and holds nothing more", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client, { state: "s" }));
    const [, , id] = form.path.split("/");
    harness.clock.advance(1_800);
    await removeExpiredFlows(harness.services);
    const [row] = await harness.database.query("select * from connect_flows where id = $1", [id]);
    const held = Object.keys(row ?? {}).filter((name) => row?.[name] && name.startsWith("sealed_"));
    expect(held).toEqual(["sealed_terms"]);
    harness.clock.advance(3_600);
    await removeExpiredFlows(harness.services);
    const late = await one.open(form.path);
    expect([late.status, headingOf(late)]).toEqual([410, en.title.expired]);
    expect(late.html).toContain('<a class="button" href="https://app.example.com/">');
    harness.clock.advance(1);
    await removeExpiredFlows(harness.services);
    expect((await one.open(form.path)).status).toBe(404);
  });

  test("leads the same browser back once more for a minute, and never another one", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client));
    const back = await one.submit(form, anyone);
    harness.clock.advance(60);
    expect((await one.open(form.path)).left).toBe(back.left);
    expect((await visitor().open(form.path)).status).toBe(404);
    harness.clock.advance(1);
    const done = await one.open(form.path);
    expect(headingOf(done)).toBe(en.title.done);
    expect(done.html).toContain('<a class="button" href="https://app.example.com/">');
    expect(textOf(done)).toContain(form.path.split("/")[2]);
  });

  test("says that it is done also when its half hour is over", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client));
    await one.submit(form, anyone);
    harness.clock.advance(1_800);
    await removeExpiredFlows(harness.services);
    const done = await one.open(form.path);
    expect([done.status, headingOf(done)]).toEqual([200, en.title.done]);
    expect(done.html).toContain('<a class="button" href="https://app.example.com/">');
  });

  test("that a one-time link began says so too, by the link and in the browser that used it", async () => {
    const { body } = await harness.http.post("/2023-03-01/management/connect-session", {
      basic: [owner.client.clientId, owner.secret],
      json: {
        redirect_uri: owner.client.redirectUris[0],
        mode: "xhr",
        scope: "/2023-03-01/xhr/employees",
        provider: "sandbox",
      },
    });
    const { pathname, search } = new URL((body as { connect_url: string }).connect_url);
    const one = visitor();
    await one.submit(await one.begin(pathname + search), anyone);
    harness.clock.advance(1_800);
    await removeExpiredFlows(harness.services);
    expect(headingOf(await one.open(pathname + search))).toBe(en.title.done);
    expect((await visitor().open(pathname + search)).status).toBe(410);
  });

  test("that is done has expired when its client has ended: nobody is connected to it", async () => {
    const ended = await harness.createClient();
    const one = visitor();
    const form = await one.begin(linkPath(ended.client));
    await one.submit(form, anyone);
    await harness.services.clients.ends.begin(ended.client.clientId);
    const late = await one.open(form.path);
    expect([late.status, headingOf(late)]).toEqual([410, en.title.expired]);
  });

  test.each([
    { end: "has expired", isFinished: false, status: 410 },
    { end: "is done", isFinished: true, status: 200 },
  ])(
    "whose client has given up the address leads nowhere when it $end",
    async ({ isFinished, status }) => {
      const moved = await harness.createClient();
      const one = visitor();
      const form = await one.begin(linkPath(moved.client));
      if (isFinished) await one.submit(form, anyone);
      const redirectUris = ["https://new.example.com/callback"];
      await harness.services.clients.update(moved.client, { redirectUris });
      harness.clock.advance(1_800);
      const late = await one.open(form.path);
      expect([late.status, late.html.includes("https://")]).toEqual([status, false]);
    },
  );
});

describe("a connection that nobody claims", () => {
  test("is there until its code expires, and the code works until then", async () => {
    const { code } = await signIn();
    harness.clock.advance(299);
    await harness.services.connections.removeUnclaimed();
    expect((await exchange(code)).status).toBe(201);
  });

  test("is worth nothing in the second in which the code expires, although nobody has swept yet", async () => {
    const { code } = await signIn();
    harness.clock.advance(300);
    expect(await exchange(code)).toMatchObject({
      status: 400,
      body: { validation_error: "invalid_grant: the code has expired" },
    });
  });

  test("vanishes with its session, its identity and its key; the ones that were claimed stay", async () => {
    const own = await harness.createClient();
    const one = visitor();
    const form = await one.begin(linkPath(own.client));
    const kept = Object.fromEntries(carried(await one.submit(form, anyone)))["code"] ?? "";
    await harness.http.post("/2023-03-01/management/token", {
      json: exchangeBody({ ...own, code: kept }),
    });
    await one.submit(await one.begin(linkPath(own.client)), anyone);
    const connections = () =>
      harness.database.query(
        "select claimed_at is not null as claimed from connections where client_id = $1",
        [own.client.clientId],
      );
    expect(await connections()).toHaveLength(2);
    harness.clock.advance(300);
    await harness.services.connections.removeUnclaimed();
    expect(await connections()).toEqual([{ claimed: true }]);
  });

  test("no signed-in session outlives it in the sign-in that made it", async () => {
    const { path } = await signIn();
    const [row] = await harness.database.query(
      "select sealed_sign_in, sealed_prefill, sealed_challenge, sealed_submission from connect_flows where id = $1",
      [path.split("/")[2]],
    );
    expect(row).toEqual({
      sealed_sign_in: null,
      sealed_prefill: null,
      sealed_challenge: null,
      sealed_submission: null,
    });
  });
});

describe("the worker", () => {
  let worker: Worker;
  afterAll(() => worker.stop());

  test("removes both by itself when it starts", async () => {
    await signIn();
    harness.clock.advance(1_800 + 3_601);
    expect([(await countRows("connections")) > 0, (await countRows("connect_flows")) > 0]).toEqual([
      true,
      true,
    ]);
    await signIns.stop();
    worker = buildWorker(harness.services);
    await untilTrue(
      "what expired is gone",
      async () =>
        (
          await harness.database.query(
            "select 1 from connections where claimed_at is null and expires_at is not null",
          )
        ).length +
          (await countRows("connect_flows")) ===
        0,
    );
  });
});
