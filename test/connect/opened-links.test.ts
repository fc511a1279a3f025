import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { de } from "../../src/connect/texts/de.ts";
import { en } from "../../src/connect/texts/en.ts";
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
import { dumpTables } from "../support/dump-tables.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const anyone = { username: "user_good", password: "anything" };

let harness: Harness;
let client: Awaited<ReturnType<Harness["createClient"]>>["client"];
beforeAll(async () => {
  harness = await createHarness({ env: { TRUST_PROXY: "127.0.0.0/8" } });
  ({ client } = await harness.createClient());
  workSignIns(harness);
  // The queue writes down that it has begun.
  await untilTrue(
    "the queue of sign-ins has begun",
    async () => (await harness.database.query("select from bullmq.meta")).length > 0,
  );
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.query("delete from connect_flows");
});

const browser = (headers = {}): ConnectVisitor => new ConnectVisitor(harness.baseUrl, headers);

const countFlows = async (): Promise<number> =>
  (await harness.database.query("select 1 from connect_flows")).length;

/** All that is stored, but for the time at which the queue looked after its workers. */
const dump = async (): Promise<string> =>
  (await dumpTables(harness.database.url)).replaceAll(/stalled-check,\d+/g, "");

/** The fields of the form, as a browser sends them. */
const filledIn = (page: Seen, action = "sign-in"): Record<string, string> => ({
  ...hiddenFields(page, action),
  ...anyone,
});

const countCodes = async (): Promise<number> =>
  (await harness.database.query("select 1 from authorization_codes")).length;

const newKey = (name: string): string => `${name}:${randomBytes(32).toString("base64")}`;

/** Sends the form of a page that was open when another master key took the place of the first one. */
async function sendAfterRotation({ isRetired }: { isRetired: boolean }): Promise<Seen> {
  const own = await createHarness();
  const { database, environment } = own;
  const { client: applicant } = await own.createClient();
  const visitor = new ConnectVisitor(own.baseUrl);
  const page = await visitor.open(linkPath(applicant));
  const next = newKey("next");
  const both = `${next},${environment["MASTER_KEYS"] ?? ""}`;
  const rotated = await createHarness({ database, env: { ...environment, MASTER_KEYS: both } });
  await rotated.services.keys.rewrap(() => undefined);
  if (isRetired) await rotated.services.keys.retire("test");
  await rotated.close();
  const keys = isRetired ? next : both;
  const restarted = await createHarness({ database, env: { ...environment, MASTER_KEYS: keys } });
  const later = new ConnectVisitor(restarted.baseUrl);
  for (const [name, value] of visitor.cookies) later.cookies.set(name, value);
  const seen = await later.ask("POST", page.path, filledIn(page));
  await restarted.close();
  await own.close();
  return seen;
}

const from = (address: string): ConnectVisitor => browser({ "x-forwarded-for": address });

/** How many sessions wait for a lock of this kind. */
const countWaits = async (kind: "advisory" | "relation"): Promise<number> =>
  (
    await harness.database.query(
      `select 1 from pg_locks where locktype = '${kind}' and not granted and database =
         (select oid from pg_database where datname = current_database())`,
    )
  ).length;

const begin = (address: string): Promise<Seen> => from(address).begin(linkPath(client));

/** Copies the flow of a page until `count` are open: of its address, or each of another one of the same site. */
async function fillUp(page: Seen, count: number, { isOfOthers = false } = {}): Promise<void> {
  await harness.database.query(
    `insert into connect_flows select (copy).* from (
       select json_populate_record(f, json_build_object('id', gen_random_uuid(), 'opener_site_number', number,
         'opener_key', case when $3 then number::text else opener_key end)) as copy
       from connect_flows f, generate_series(2, $2::integer) as number where f.id = $1) as copies`,
    [page.path.split("/")[2], count, isOfOthers],
  );
}

describe("opening a link", () => {
  test("writes nothing, however often, and whoever looks", async () => {
    const before = await dump();
    const link = linkPath(client, { provider: undefined, sandbox: "true" });
    for (let round = 0; round < 30; round += 1) {
      const looks = Array.from({ length: 20 }, (_, look) =>
        browser().ask(look === 0 ? "HEAD" : "GET", link),
      );
      const [head, ...pages] = (await Promise.all(looks)).map(({ status }) => status);
      expect([head, new Set(pages)]).toEqual([405, new Set([200])]);
    }
    expect(await dump()).toEqual(before);
  });

  test("shows the page at the link's own address, and its forms lead there", async () => {
    const link = `${linkPath(client)}&state=%2f+%7E"'<&&x=%C3%A9`;
    const page = await browser().ask("GET", link);
    expect(page.status).toBe(200);
    const actions = [...page.html.matchAll(/<form method="post" action="([^"]*)"/g)];
    expect(actions.length).toBeGreaterThan(1);
    const escaped = link
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;");
    expect(new Set(actions.map(([, action]) => action))).toEqual(new Set([escaped]));
    expect(page.html).toContain(`<a href="${escaped}&amp;lang=de" `);
  });

  test("cancelling there writes nothing either", async () => {
    const visitor = browser();
    const back = await visitor.send(
      await visitor.open(linkPath(client, { state: "s" })),
      "decline",
    );
    expect(Object.fromEntries(carried(back))).toMatchObject({ error: "access_denied", state: "s" });
    expect(await countFlows()).toBe(0);
  });
});

describe("the first form that a browser sends", () => {
  test("makes one flow, however often and at once it comes", async () => {
    const visitor = browser();
    const page = await visitor.open(linkPath(client));
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => visitor.ask("POST", page.path, filledIn(page))),
    );
    const places = new Set(
      replies.map(({ status, headers }) => `${status} ${headers["location"]}`),
    );
    expect([...places]).toEqual([expect.stringMatching(/^303 \/connect\/[0-9a-f-]{36}$/)]);
    expect(await countFlows()).toBe(1);
    const flow = await visitor.open(String(replies[0]?.headers["location"]));
    expect((await visitor.settle(flow)).left).toContain("code=");
    const before = await countCodes();
    expect((await visitor.submit(page, anyone)).left).toContain("code=");
    expect(await countCodes()).toBe(before);
  });

  test("may be a choice, a search, or no form that there is", async () => {
    const link = linkPath(client, { provider: undefined, tags: "none-has-this" });
    const visitor = browser();
    const page = await visitor.open(link);
    const fields = { ...hiddenFields(page, "decline"), form_name: "search", q: "a b" };
    const searched = await visitor.ask("POST", link, fields);
    expect(searched.headers["location"]).toMatch(/^\/connect\/[0-9a-f-]{36}\?q=a\+b$/);
    const unknown = await visitor.ask("POST", link, { ...fields, form_name: "__proto__" });
    expect(unknown.headers["location"]).toMatch(/^\/connect\/[0-9a-f-]{36}$/);
  });

  test("leads to a sign-in in the language that was chosen on the page", async () => {
    const visitor = browser();
    const page = await visitor.open(`${linkPath(client, { locale: "fr" })}&lang=de`);
    expect(page.html).toContain('<html lang="de">');
    const refused = await visitor.submit(page, { ...anyone, username: "user_captcha" });
    expect(refused.path).not.toContain("lang");
    expect(textOf(refused)).toContain(de.form.submit);
  });

  test("leads nowhere when the client has given up the address since", async () => {
    const moved = await harness.createClient();
    const visitor = browser();
    const other = "https://new.example.com/callback";
    const { clients } = harness.services;
    await clients.update(moved.client, { redirectUris: [redirectUri, other] });
    const page = await visitor.open(linkPath(moved.client));
    const current = await clients.find(moved.client.clientId);
    await clients.update(current!, { redirectUris: [other] });
    const link = linkPath(moved.client, { redirect_uri: other });
    for (const path of [page.path, link]) {
      const seen = await visitor.ask("POST", path, filledIn(page));
      expect([seen.status, seen.headers["location"]]).toEqual([400, undefined]);
    }
    expect(await countFlows()).toBe(0);
  });
});

describe("a form that cannot be accepted shows the page again, and then works", () => {
  const ways: [
    string,
    (page: Seen, visitor: ConnectVisitor) => Promise<Record<string, unknown>>,
  ][] = [
    [
      "without the cookie",
      async (page, visitor) => {
        visitor.cookies.clear();
        return filledIn(page);
      },
    ],
    [
      "with the cookie of another browser",
      async (page, visitor) => {
        const other = browser();
        await other.open(page.path);
        for (const [name, value] of other.cookies) visitor.cookies.set(name, value);
        return filledIn(page);
      },
    ],
    [
      "with the field of another browser",
      async (page) => filledIn(await browser().open(page.path)),
    ],
    [
      "with the field of another client",
      async (_page, visitor) => {
        const other = await harness.createClient();
        return filledIn(await visitor.open(linkPath(other.client)));
      },
    ],
    [
      "after half an hour",
      async (page) => {
        harness.clock.advance(1_800);
        return filledIn(page);
      },
    ],
    ["without the field", async () => anyone],
    ["with a field that is empty", async (page) => ({ ...filledIn(page), form_token: "" })],
    [
      "with a field that is forged",
      async (page) => {
        const { form_token: token = "", ...rest } = filledIn(page);
        return { ...rest, form_token: `${token.slice(0, -3)}AAA` };
      },
    ],
    [
      "with a field that names no key of ours",
      async (page) => {
        const { form_token: token = "", ...rest } = filledIn(page);
        return { ...rest, form_token: token.replace(/^.*\./, "__proto__.") };
      },
    ],
    [
      "with the field twice",
      async (page) => {
        const { form_token: token = "", ...rest } = filledIn(page);
        return { ...rest, form_token: [token, token] };
      },
    ],
  ];

  test.each(ways)("%s", async (_how, change) => {
    const visitor = browser();
    const page = await visitor.open(linkPath(client));
    const fields = (await change(page, visitor)) as Record<string, string>;
    const again = await visitor.ask("POST", page.path, fields);
    expect([again.status, again.headers["location"], headingOf(again)]).toEqual([
      200,
      undefined,
      "Sign in to Sandbox",
    ]);
    expect(textOf(again)).toContain(en.form.again);
    expect(again.html).not.toContain('value="user_good"');
    expect(await countFlows()).toBe(0);
    expect((await visitor.submit(again, anyone)).left).toContain("code=");
  });

  test("where a system is chosen: the page says so where the focus is", async () => {
    const visitor = browser();
    const page = await visitor.open(linkPath(client, { provider: undefined }));
    visitor.cookies.clear();
    const again = await visitor.send(page, "provider", { provider: "sandbox" });
    expect([again.status, textOf(again).includes(en.form.again)]).toEqual([200, true]);
    expect(again.html).toMatch(/role="alert" tabindex="-1" autofocus/);
  });

  test("just before half an hour is over it is accepted", async () => {
    const visitor = browser();
    const page = await visitor.open(linkPath(client));
    harness.clock.advance(1_799);
    expect((await visitor.submit(page, anyone)).left).toContain("code=");
  });

  test.each(["without the cookie", "with a field that is forged"])(
    "a one-time link %s: nobody has claimed it by that",
    async (how) => {
      const own = await harness.createClient();
      const { body } = await harness.http.post("/2023-03-01/management/connect-session", {
        basic: [own.client.clientId, own.secret],
        json: { redirect_uri: redirectUri, scope: "/2023-03-01/xhr/company", provider: "sandbox" },
      });
      const address = new URL((body as { connect_url: string }).connect_url);
      const visitor = browser();
      const page = await visitor.open(address.pathname + address.search);
      if (how === "without the cookie") visitor.cookies.clear();
      const forged = how !== "without the cookie" && { form_token: "forged" };
      const again = await visitor.ask("POST", page.path, { ...filledIn(page), ...forged });
      expect([again.status, textOf(again).includes(en.form.again)]).toEqual([200, true]);
      const other = browser();
      expect((await other.submit(await other.open(page.path), anyone)).left).toContain("code=");
      expect((await visitor.send(again, "sign-in", anyone)).status).toBe(410);
    },
  );
});

describe("when the master key changes while a page is open", () => {
  test("its form is accepted as long as the old key is there", async () => {
    const seen = await sendAfterRotation({ isRetired: false });
    expect(seen.headers["location"]).toMatch(/^\/connect\/[0-9a-f-]{36}$/);
  });

  test("and shows the page again afterwards", async () => {
    const seen = await sendAfterRotation({ isRetired: true });
    expect([seen.status, textOf(seen).includes(en.form.again)]).toEqual([200, true]);
  });
});

describe("one network", () => {
  test("has at most 200 flows open, and is told in a page when it may begin another one", async () => {
    await fillUp(await begin("203.0.113.7"), 200);
    harness.clock.advance(60);
    const visitor = from("203.0.113.7");
    const page = await visitor.open(linkPath(client, { state: "s" }));
    const refused = await visitor.send(page, "sign-in", anyone);
    expect([refused.status, headingOf(refused)]).toEqual([429, en.title.tooMany]);
    expect(refused.headers["retry-after"]).toBe("1740");
    expect(refused.html).toContain(`href="${page.path.replaceAll("&", "&amp;")}"`);
    expect(await countFlows()).toBe(200);
    expect((await begin("203.0.113.8")).status).toBe(200);
    harness.clock.advance(1_740);
    expect((await visitor.submit(await visitor.open(page.path), anyone)).left).toContain("code=");
  });

  test("goes on with those that it has open, and those that led to a connection do not count", async () => {
    const visitor = from("203.0.113.7");
    const form = await visitor.begin(linkPath(client));
    await fillUp(form, 200);
    expect((await begin("203.0.113.7")).status).toBe(429);
    expect((await visitor.submit(form, anyone)).left).toContain("code=");
    expect((await begin("203.0.113.7")).status).toBe(200);
  });

  test("of IPv6 is a /64", async () => {
    await fillUp(await begin("2001:db8:1:2::1"), 200);
    expect((await begin("2001:db8:1:2:ffff::9")).status).toBe(429);
    expect((await begin("2001:db8:1:3::1")).status).toBe(200);
  });

  test("of a /48 or a /24 has twenty times as many together, over all of its addresses", async () => {
    for (const [first, same, other] of [
      ["2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:2:2::1"],
      ["203.0.113.7", "203.0.113.8", "203.0.112.8"],
    ] as const) {
      await harness.database.query("delete from connect_flows");
      await fillUp(await begin(first), 4_000, { isOfOthers: true });
      const refused = await begin(same);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(1_000);
      expect((await begin(other)).status).toBe(200);
      await harness.database.query("delete from connect_flows where opener_site_number = 1");
      expect((await begin(same)).status).toBe(200);
      expect((await begin(same)).status).toBe(429);
    }
  });

  test("cannot have more by sending its forms at once", async () => {
    await fillUp(await begin("203.0.113.7"), 197);
    const pages = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const visitor = from("203.0.113.7");
        return { visitor, page: await visitor.open(linkPath(client)) };
      }),
    );
    const replies = await Promise.all(
      pages.map(({ visitor, page }) =>
        visitor.ask("POST", page.path, hiddenFields(page, "decline")),
      ),
    );
    const begun = await Promise.all(
      pages.map(({ visitor, page }) => visitor.ask("POST", page.path, filledIn(page))),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 303));
    expect(begun.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 303),
      ...Array.from({ length: 9 }, () => 429),
    ]);
    expect(await countFlows()).toBe(200);
  });

  test("waits for itself with one client of the database, however many forms it sends at once", async () => {
    const other = await harness.services.pool.connect();
    await other.query("begin");
    await other.query("lock table connect_flows in exclusive mode");
    const begun = Array.from({ length: 12 }, () => begin("203.0.113.7"));
    await untilTrue("one waits", async () => (await countWaits("relation")) > 0);
    await delay(500);
    expect(await countWaits("advisory")).toBe(0);
    await other.query("commit");
    other.release();
    expect(new Set((await Promise.all(begun)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("is told soon that its turn does not come, while the database holds up the one before", async () => {
    const { timeout } = AbortSignal;
    const limits = vi.spyOn(AbortSignal, "timeout");
    limits.mockImplementation((ms) => timeout.call(AbortSignal, ms === 10_000 ? 300 : ms));
    const other = await harness.services.pool.connect();
    await other.query("begin");
    await other.query("lock table connect_flows in exclusive mode");
    try {
      const begun = Array.from({ length: 3 }, () => begin("203.0.113.7"));
      await untilTrue("one waits", async () => (await countWaits("relation")) > 0);
      let refused = 0;
      for (const one of begun) void one.then(({ status }) => (refused += Number(status === 503)));
      await untilTrue("both others are told", () => refused === 2);
      await other.query("commit");
      const statuses = (await Promise.all(begun)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 503, 503]);
      expect((await begin("203.0.113.7")).status).toBe(200);
    } finally {
      other.release();
      limits.mockRestore();
    }
  });

  test("is not named in what is stored", async () => {
    await begin("203.0.113.77");
    const rows = JSON.stringify(await harness.database.query("select * from connect_flows"));
    expect(rows).not.toContain("203.0.113");
  });
});
