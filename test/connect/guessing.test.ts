import { randomUUID } from "node:crypto";
import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatText } from "../../src/connect/pages/format.ts";
import { textsOf } from "../../src/connect/texts/index.ts";
import type { Locale } from "../../src/model/index.ts";
import { mintCredential, sha256 } from "../../src/platform/crypto/index.ts";
import { defineProvider, type ProviderMode } from "../../src/providers/contract.ts";
import { AuthError, ProviderDown } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import {
  ConnectVisitor,
  headingOf,
  hiddenFields,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { forgetSignIns } from "../support/forget-sign-ins.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";

/** The passwords that reached the provider. It accepts one. */
const reached: string[] = [];
const define = (name: string, own: Partial<ProviderMode> = {}) =>
  defineProvider({
    apiVersion: 1,
    name,
    title: "Guarded",
    modes: {
      xhr: {
        form: z.object({
          username: formField({ title: "User name" }),
          password: formField({ title: "Password", isSecret: true }),
        }),
        login: async (_context, { username = "", password = "" }) => {
          reached.push(password);
          if (password === "away") throw new ProviderDown("away");
          if (password === "broken") throw new Error("an answer that the adapter does not know");
          if (password !== "right") throw new AuthError("incorrect_username_or_password");
          return { session: { user: username } };
        },
        check: async () => ({ unsupported: [] }),
        identity: async () => ({ name: "Ann", email: "ann@guarded.example", phone_number: null }),
        resources: {},
        ...own,
      },
    },
  });
const guarded = define("guarded");
/** Its accounts are named by the session, and not by what was typed. */
const numbered = define("numbered", { accountOfSession: ({ user }) => [String(user)] });
const registry = new ProviderRegistry([sandbox, guarded, numbered]);
const mostInHour = 20;
const mostOfLink = 3;
const mostOfLinks = 60;
const manyAttempts = 30;
const atHome = "192.0.2.1";
const elsewhere = "203.0.113.9";

let harness: Harness;
let other: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
let work: ReturnType<typeof workSignIns>[];
beforeAll(async () => {
  const env = {
    TRUST_PROXY: "127.0.0.0/8",
    RATE_LIMIT_GATED_CLIENT_5M: "1000",
    RATE_LIMIT_GATED_IP_1M: "1000",
  };
  harness = await createHarness({ registry, env });
  const { database, clock, environment } = harness;
  other = await createHarness({ registry, database, clock, env: environment });
  owner = await harness.createClient();
  work = [workSignIns(harness), workSignIns(other)];
});
afterAll(async () => {
  await other.close();
  await harness.close();
});
beforeEach(async () => {
  await settle();
  await forgetSignIns(harness);
  reached.length = 0;
});

/** Until every sign-in was tried or refused. */
async function settle(): Promise<void> {
  for (const { drained } of work) await drained();
}

interface Typed {
  address: string;
  /** Of a one-time link. The client's own link without it. */
  path?: string;
  password?: string;
  username?: string;
  provider?: string;
  at?: Harness;
  locale?: string;
}

const visit = (address: string, at = harness): ConnectVisitor =>
  new ConnectVisitor(at.baseUrl, { "x-forwarded-for": address });

/** Sends the form of a link, and leaves. Returns a look at what came of it. */
async function type({
  address,
  path,
  password = "wrong",
  username = "ann",
  provider = "guarded",
  at = harness,
  locale = "en",
}: Typed): Promise<() => Promise<Seen>> {
  const visitor = visit(address, at);
  const form = await visitor.begin(path ?? linkPath(owner.client, { provider, locale }));
  const { status } = await visitor.ask("POST", `${form.path}/sign-in`, {
    ...hiddenFields(form, "sign-in"),
    username,
    password,
  });
  expect(status).toBe(303);
  return () => visitor.ask("GET", form.path);
}

async function typeAll(
  count: number,
  of: (index: number) => Typed,
): Promise<(() => Promise<Seen>)[]> {
  const looks = await Promise.all(Array.from({ length: count }, (_, index) => type(of(index))));
  await settle();
  return looks;
}

/** Strangers use up the hour of the account: one attempt is made, and counted as often as there may be attempts. */
async function useUp(username = "ann", provider = "guarded"): Promise<void> {
  reached.length = 0;
  await typeAll(1, () => ({ address: "198.51.0.1", username, provider }));
  expect(reached).toHaveLength(1);
  const raised = await harness.database.query(
    `update sign_in_hours set attempts = array_fill(attempts[1], array[${mostInHour}])
     where cardinality(attempts) = 1 and attempts[1] > service_now() - interval '1 second' returning 1`,
  );
  expect(raised).toHaveLength(1);
  reached.length = 0;
}

async function signInFrom(visitor: ConnectVisitor): Promise<Seen> {
  const form = await visitor.open(linkPath(owner.client, { provider: "guarded" }));
  return await visitor.submit(form, { username: "ann", password: "right" });
}

/** The path of a one-time link. */
async function makeLink(json: Record<string, unknown>, of = owner): Promise<string> {
  const reply = await harness.http.post("/2023-03-01/management/connect-session", {
    basic: [of.client.clientId, of.secret],
    json: { redirect_uri: redirectUri, ...json },
  });
  expect(reply.status).toBe(201);
  const { connect_url: address } = reply.body as { connect_url: string };
  return address.replace("https://api.example.com", "");
}

const makeConnectSession = (of = owner): Promise<string> =>
  makeLink({ provider: "guarded", scope: "/2023-03-01/xhr/employees" }, of);

/** Makes links for Ann's token. */
async function connectAnn(provider = "guarded"): Promise<() => Promise<string>> {
  const client = await harness.createClient();
  const formValues = { username: "ann", password: "right" };
  const { tokenId } = await harness.connect({ client, provider, formValues });
  reached.length = 0;
  return () => makeLink({ token: tokenId }, client);
}

const makeReauthentication = async (provider?: string): Promise<string> =>
  await (
    await connectAnn(provider)
  )();

/** One attempt by each of so many links, from as many networks. */
async function typeByLinks(
  count: number,
  make = (): Promise<string> => makeConnectSession(),
): Promise<(() => Promise<Seen>)[]> {
  const paths: string[] = [];
  while (paths.length < count) paths.push(await make());
  return await typeAll(count, (index) => ({
    address: `198.18.${index}.1`,
    path: paths[index] ?? "",
  }));
}

async function submitBy(path: string, username: string, password: string): Promise<Seen> {
  const visitor = visit(elsewhere);
  return await visitor.submit(await visitor.open(path), { username, password });
}

const refusedText = (locale: Locale): string =>
  formatText(textsOf[locale].problems.throttled, { provider: "Guarded" });

describe("of many attempts at one account within an hour, 20 reach the provider", () => {
  test.each([
    ["many /64 of one /48", (index: number) => `2001:db8:1:${index.toString(16)}::1`],
    ["many /48", (index: number) => `2001:db8:${index.toString(16)}::1`],
    ["many /24", (index: number) => `198.51.${index}.1`],
  ])("from %s", async (_networks, address) => {
    await typeAll(manyAttempts, (index) => ({
      address: address(index),
      password: `wrong ${index}`,
    }));
    expect(reached).toHaveLength(mostInHour);
  });

  test("over two processes at once", async () => {
    await typeAll(manyAttempts, (index) => ({
      address: `198.51.${index}.1`,
      at: index % 2 === 0 ? harness : other,
    }));
    expect(reached).toHaveLength(mostInHour);
  });

  test("and no other hour has more, whenever it begins", async () => {
    await typeAll(1, () => ({ address: elsewhere }));
    harness.clock.advance(50 * 60);
    await typeAll(30, (index) => ({ address: `198.51.${index}.1` }));
    expect(reached).toHaveLength(mostInHour);
    harness.clock.advance(10 * 60);
    await typeAll(30, (index) => ({ address: `198.51.${index + 30}.1` }));
    expect(reached).toHaveLength(mostInHour + 1);
    harness.clock.advance(50 * 60);
    await typeAll(30, (index) => ({ address: `198.51.${index + 60}.1` }));
    expect(reached).toHaveLength(2 * mostInHour);
  });

  test("also where the adapter cannot read the provider's answer to a wrong password", async () => {
    await typeAll(30, (index) => ({ address: `198.51.${index}.1`, password: "broken" }));
    expect(reached).toHaveLength(mostInHour);
  });

  test("while those at a provider that is away take no room", async () => {
    await typeAll(30, (index) => ({ address: `198.51.${index}.1`, password: "away" }));
    const looks = await typeAll(1, () => ({ address: elsewhere, password: "right" }));
    expect((await looks[0]!()).left).toContain("code=");
  });

  test("while sign-ins that succeed take no room", async () => {
    const looks = await typeAll(30, (index) => ({
      address: `198.51.${index}.1`,
      password: index < 15 ? "wrong" : "right",
    }));
    await typeAll(30, (index) => ({ address: `198.51.${index + 30}.1` }));
    expect(reached.filter((password) => password === "wrong")).toHaveLength(mostInHour);
    for (const look of looks.slice(15)) expect((await look()).left).toContain("code=");
  });
});

async function visitedFrom(address: string): Promise<ConnectVisitor> {
  const visitor = visit(address);
  expect((await signInFrom(visitor)).left).toContain("code=");
  return visitor;
}

function withCookies(address: string, cookies: ReadonlyMap<string, string>): ConnectVisitor {
  const visitor = visit(address);
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  return visitor;
}

describe("who knows the password is not locked out by the attempts of strangers", () => {
  test.each([
    ["a one-time link of the client", "guarded", () => makeConnectSession()],
    ["a link to sign in again", "guarded", () => makeReauthentication()],
    ["one where the session names the account", "numbered", () => makeReauthentication("numbered")],
  ])("with %s", async (_link, provider, make) => {
    const path = await make();
    await useUp("ann", provider);
    expect((await submitBy(path, "ann", "right")).left).toContain(redirectUri);
    expect(reached).toEqual(["right"]);
  });

  test("with a one-time link after any number of attempts at a provider that is away", async () => {
    const path = await makeConnectSession();
    await useUp();
    const visitor = visit(elsewhere);
    for (const password of ["away", "away", "away", "away"])
      await visitor.submit(await visitor.open(path), { username: "ann", password });
    const form = await visitor.open(path);
    const back = await visitor.submit(form, { username: "ann", password: "right" });
    expect(back.left).toContain("code=");
  });

  test.each([
    ["/24", atHome, "192.0.2.200"],
    ["/48", "2001:db8:77:1::1", "2001:db8:77:ffff::9"],
  ])("on a %s where the account has signed in before", async (_network, before, now) => {
    await signInFrom(visit(before));
    await useUp();
    expect((await signInFrom(visit(now))).left).toContain("code=");
  });

  test("in a browser that has signed in to the account before, on any network", async () => {
    const { cookies } = await visitedFrom(atHome);
    await useUp();
    expect((await signInFrom(withCookies(elsewhere, cookies))).left).toContain("code=");
  });

  test("in a browser whose sign-ins of before gave it no mark", async () => {
    const visitor = visit(atHome);
    await visitor.open(linkPath(owner.client, { provider: "guarded" }));
    visitor.cookies.delete("__Host-rollcall-mark");
    await signInFrom(visitor);
    await useUp();
    expect((await signInFrom(withCookies(elsewhere, visitor.cookies))).left).toContain("code=");
  });

  test("in a browser that was closed meanwhile", async () => {
    const { cookies } = await visitedFrom(atHome);
    cookies.delete("__Host-rollcall");
    await useUp();
    expect((await signInFrom(withCookies(elsewhere, cookies))).left).toContain("code=");
  });

  test("for 90 days, and no longer", async () => {
    await signInFrom(visit(atHome));
    harness.clock.advance(90 * 86_400 - 1);
    await useUp();
    await typeAll(1, () => ({ address: atHome }));
    expect(reached).toHaveLength(1);
    harness.clock.advance(3_600);
    reached.length = 0;
    await useUp();
    await typeAll(1, () => ({ address: atHome }));
    expect(reached).toEqual([]);
    await harness.services.signInThrottle.removeOld();
    expect(await harness.database.query("select 1 from known_sources")).toEqual([]);
  });

  test("at an account where somebody else signed in, nobody is known", async () => {
    await signInFrom(visit(atHome));
    await useUp("bob");
    await typeAll(1, () => ({ address: atHome, username: "bob" }));
    expect(reached).toEqual([]);
  });
});

describe("what is known does not help who is guessing", () => {
  test("on a network where the account has signed in: 20 an hour more", async () => {
    await signInFrom(visit(atHome));
    reached.length = 0;
    await typeAll(2 * mostInHour + 5, (index) => ({ address: `192.0.2.${index + 2}` }));
    expect(reached).toHaveLength(2 * mostInHour);
  });

  test.each([
    ["a one-time link", () => makeConnectSession()],
    ["a link to sign in again", () => makeReauthentication()],
  ])("with %s: three attempts, however often it is opened", async (_link, make) => {
    const path = await make();
    await useUp();
    const visitor = visit(elsewhere);
    const wrong = { username: "ann", password: "wrong" };
    for (let attempt = 1; attempt <= 3; attempt += 1)
      await visitor.submit(await visitor.open(path), wrong);
    const fourth = await visitor.submit(await visitor.open(path), wrong);
    expect(textOf(fourth)).toContain(refusedText("en"));
    await visitor.submit(await visitor.open(path), { username: "ann", password: "right" });
    expect(reached).toEqual(["wrong", "wrong", "wrong"]);
  });

  test("with a one-time link where the provider's answers cannot be read: three attempts", async () => {
    const path = await makeConnectSession();
    await useUp();
    const visitor = visit(elsewhere);
    for (let attempt = 0; attempt < 6; attempt += 1)
      await visitor.submit(await visitor.open(path), { username: "ann", password: "broken" });
    expect(reached).toEqual(Array.from({ length: mostOfLink }, () => "broken"));
  });

  test("with a one-time link whose attempts were cut off with their process: three attempts", async () => {
    const path = await makeConnectSession();
    const flow = {
      id: randomUUID(),
      clientId: owner.client.clientId,
      tokenId: null,
      provider: "guarded",
      linkDigest: sha256(path.replace("/connect?session=", "")),
    };
    const { signInThrottle } = harness.services;
    const from = { address: atHome, network: "", browser: undefined, isOfLink: true };
    const attempt = signInThrottle.identify("guarded", { name: ["ann"], shared: ["ann"] }, from);
    for (let cutOff = 0; cutOff < mostOfLink; cutOff += 1)
      await signInThrottle.admit(attempt, flow);
    await useUp();
    expect(textOf(await submitBy(path, "ann", "right"))).toContain(refusedText("en"));
  });

  test("with any number of links of one client: 60, and then as anybody", async () => {
    const looks = await typeByLinks(85);
    expect(reached).toHaveLength(mostOfLinks + mostInHour);
    const pages = await Promise.all(looks.map((look) => look()));
    expect(pages.filter((page) => textOf(page).includes(refusedText("en")))).toHaveLength(5);

    const another = await harness.createClient();
    const back = await submitBy(await makeConnectSession(another), "ann", "right");
    expect(back.left).toContain("code=");
    const again = await submitBy(await makeReauthentication(), "ann", "right");
    expect(again.left).toContain(redirectUri);
  });

  test("with any number of links to sign in again for one token: 60, and then as anybody", async () => {
    await typeByLinks(85, await connectAnn());
    expect(reached).toHaveLength(mostOfLinks + mostInHour);
  });

  test.each(["guarded", "numbered"])(
    "with a link to sign in again, at another account of the provider %s: none",
    async (provider) => {
      const path = await makeReauthentication(provider);
      await useUp("bob", provider);
      const visitor = visit(elsewhere);
      for (const password of ["wrong", "right"]) {
        const page = await visitor.submit(await visitor.open(path), { username: "bob", password });
        expect(textOf(page)).toContain(refusedText("en"));
      }
      expect(reached).toEqual([]);
    },
  );

  test("by a link to sign in again, which tells a right password of another account: it counts", async () => {
    const page = await submitBy(await makeReauthentication(), "bob", "right");
    const { "other-account": text } = textsOf.en.problems;
    expect(textOf(page)).toContain(
      formatText(text, { provider: "Guarded", client: owner.client.name }),
    );
    await typeAll(mostInHour, (index) => ({ address: `198.51.${index}.1`, username: "bob" }));
    expect(reached).toHaveLength(mostInHour);
  });

  test("by a mark that the browser made itself", async () => {
    await signInFrom(visit(atHome));
    await useUp();
    const visitor = visit(elsewhere);
    visitor.cookies.set("__Host-rollcall-mark", mintCredential("bs", "dev"));
    expect((await signInFrom(visitor)).left).toBeUndefined();
  });
});

/** Signs in to an account with a second factor. */
const answerFrom = async (address: string, answers: readonly string[]) => {
  const visitor = visit(address);
  const form = await visitor.open(linkPath(owner.client));
  let page = await visitor.submit(form, { username: "user_mfa", password: "anything" });
  for (const answer of answers) page = await visitor.answer(page, answer);
  return { visitor, page };
};

/** Of all processes, by the labels of the metric. */
async function sumOf(
  metric: "guessedAccounts" | "signIns",
  labels: Record<string, string> = {},
): Promise<number> {
  const all = await Promise.all(
    [harness, other].map(async ({ services }) => await services.metrics[metric].get()),
  );
  return all
    .flatMap(({ values }) => values)
    .filter((value) => Object.entries(labels).every(([k, v]) => value.labels[k] === v))
    .reduce((sum, { value }) => sum + value, 0);
}

describe("an attempt that is refused", () => {
  test("is counted by the metric of the attempts, as throttled", async () => {
    const labels = { provider: "guarded", outcome: "throttled" };
    const before = await sumOf("signIns", labels);
    await useUp();
    expect(await sumOf("signIns", labels)).toBe(before);
    await typeAll(3, (index) => ({ address: `203.0.${index}.1` }));
    expect(await sumOf("signIns", labels)).toBe(before + 3);
  });

  test.each(["en", "pl"] as const)(
    "is told to the end user, in %s, who may try again",
    async (locale) => {
      await useUp();
      const [look] = await typeAll(1, () => ({ address: elsewhere, password: "right", locale }));
      const page = await look!();
      expect(textOf(page)).toContain(refusedText(locale));
      expect(page.html).toContain('value="ann"');
      expect(reached).toEqual([]);
      expect(
        await harness.database.query(
          "select 1 from connect_flows where sealed_submission is not null",
        ),
      ).toEqual([]);
    },
  );

  test("of a second factor leaves the question, which is answered later", async () => {
    const { visitor, page } = await answerFrom(elsewhere, []);
    const fourWrong = ["000001", "000002", "000003", "000004"];
    for (let index = 0; index < 5; index += 1) await answerFrom(`198.51.${index}.1`, fourWrong);
    const refused = await visitor.answer(page, "123456");
    expect(headingOf(refused)).toBe("One more step");
    expect(textOf(refused)).toContain("Too many sign-ins to this account");
    await harness.database.query("delete from sign_in_hours");
    expect((await visitor.answer(refused, "123456")).left).toContain("code=");
  });
});

const entries = async () =>
  await harness.database.query(
    "select client_id, detail from audit_entries where action = 'sign-in.throttled' order by id",
  );
const lines = () =>
  [harness, other]
    .flatMap(({ logLines }) => logLines)
    .filter((line) => line.includes("attempts within an hour"));
const counted = (): Promise<number> => sumOf("guessedAccounts");

describe("the operator is told of an account once an hour", () => {
  test("in the audit record, in the log and by a metric, with ids and digests alone", async () => {
    const before = { entries: await entries(), lines: lines(), counted: await counted() };
    await typeAll(manyAttempts, (index) => ({
      address: `198.51.${index}.1`,
      username: "marker-of-ann",
    }));
    const [entry, ...more] = (await entries()).slice(before.entries.length);
    const [line = "", ...moreLines] = lines().filter((each) => !before.lines.includes(each));
    expect([more, moreLines]).toEqual([[], []]);
    expect(await counted()).toBe(before.counted + 1);
    const account = expect.stringMatching(/^[\w-]{16}$/);
    expect(entry).toEqual({
      client_id: owner.client.clientId,
      detail: { provider: "guarded", account, by: "anybody" },
    });
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      clientId: owner.client.clientId,
      provider: "guarded",
      account: (entry!["detail"] as { account: string }).account,
    });
    expect(line).not.toContain("marker-of-ann");
    expect(line).not.toContain("198.51");

    harness.clock.advance(3_600);
    await typeAll(manyAttempts, (index) => ({
      address: `198.51.${index}.1`,
      username: "marker-of-ann",
    }));
    expect(await counted()).toBe(before.counted + 2);
  });

  test("also of more than 20 by the links of one client, with its id", async () => {
    const before = (await entries()).length;
    const another = await harness.createClient();
    await typeByLinks(mostInHour);
    await typeByLinks(mostInHour, () => makeConnectSession(another));
    expect((await entries()).slice(before)).toEqual([]);
    await typeByLinks(1, () => makeConnectSession(another));
    expect(reached).toHaveLength(2 * mostInHour + 1);
    expect((await entries()).slice(before)).toMatchObject([
      { client_id: another.client.clientId, detail: { by: "one-time-links" } },
    ]);
  });
});

test("what is stored of attempts and of who is known names nobody", async () => {
  const visitor = visit("203.0.113.77");
  const form = await visitor.open(linkPath(owner.client, { provider: "guarded" }));
  await visitor.submit(form, { username: "marker-of-the-name", password: "right" });
  await typeAll(1, () => ({ address: "203.0.113.77", username: "marker-of-the-name" }));
  const rows = await Promise.all(
    ["sign_in_hours", "known_sources"].map(
      async (table) => await harness.database.query(`select r::text from ${table} r`),
    ),
  );
  const stored = JSON.stringify(rows);
  expect(rows.map((each) => each.length)).toEqual([2, 2]);
  const secrets = ["marker-of-the-name", "203.0.113", ...visitor.cookies.values()];
  for (const what of secrets)
    for (const form of [what, Buffer.from(what).toString("hex")])
      expect(stored).not.toContain(form);
});
