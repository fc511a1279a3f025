import { randomUUID } from "node:crypto";
import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { forgetSignIns } from "../support/forget-sign-ins.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import type { Client } from "../../src/clients/index.ts";

/** Three refusals cost nothing. The fourth attempt is made, and the fifth waits for it. */
const attemptsAtOnce = 4;

/** What the provider got, as name and password. It accepts one password. */
const attempts: string[] = [];
const locked = defineProvider({
  apiVersion: 1,
  name: "locked",
  title: "Locked",
  modes: {
    xhr: {
      form: z.object({
        username: formField({ title: "User name" }),
        password: formField({ title: "Password", isSecret: true }),
      }),
      login: async (_context, { username = "", password = "" }) => {
        attempts.push(`${username}:${password}`);
        if (password === "down") throw new ProviderDown("away");
        if (password !== "right") throw new AuthError("incorrect_username_or_password");
        return { session: {} };
      },
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Ann", email: "ann@locked.example", phone_number: null }),
      resources: {},
    },
  },
});

/** Two of one system: one names its accounts, the other leaves that to the throttle. */
const addressed = (name: string, account?: ProviderMode["account"]) =>
  defineProvider({
    apiVersion: 1,
    name,
    title: name,
    modes: {
      xhr: {
        form: z.object({
          address: formField({ title: "Address", isAddress: true }),
          username: formField({ title: "User name" }),
          team: formField({ title: "Team", isSetting: true }).optional(),
          password: formField({ title: "Password", isSecret: true }),
        }),
        ...(account && { account }),
        login: async (_context, { address, username, password }) => {
          attempts.push(`${address} ${username}`);
          if (password === "right") return { session: {} };
          throw new AuthError("incorrect_username_or_password");
        },
        check: async () => ({ unsupported: [] }),
        identity: async () => ({ name: "Ann", email: "ann@locked.example", phone_number: null }),
        resources: {},
      },
    },
  });
const unnamed = addressed("unnamed");
const mistaken = addressed("mistaken", () => {
  throw new Error("no account");
});
const named = addressed("named", ({ address = "", username = "" }) => ({
  origin: address,
  tenant: "main",
  login: username.replace(/@.*/, ""),
}));
const tenanted = addressed("tenanted", ({ address = "", team = "", username = "" }) => ({
  origin: address,
  tenant: team,
  login: username,
}));

let harness: Harness;
let signIns: ReturnType<typeof workSignIns>;
let client: Client;
beforeAll(async () => {
  harness = await createHarness({
    registry: new ProviderRegistry([sandbox, locked, unnamed, mistaken, named, tenanted]),
    env: { TRUST_PROXY: "127.0.0.0/8" },
  });
  ({ client } = await harness.createClient());
  signIns = workSignIns(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  await settle();
  await forgetSignIns(harness);
  attempts.length = 0;
});

async function open(
  address: string,
  provider = "locked",
): Promise<{ visitor: ConnectVisitor; form: Seen }> {
  const visitor = new ConnectVisitor(harness.baseUrl, { "x-forwarded-for": address });
  return { visitor, form: await visitor.begin(linkPath(client, { provider })) };
}

/** Sends what somebody typed, in a sign-in of its own, and leaves without waiting for the answer. */
async function type(
  password: string,
  { address = "203.0.113.7", username = "ann" }: { address?: string; username?: string } = {},
): Promise<() => Promise<Seen>> {
  const { visitor, form } = await open(address);
  const { status } = await visitor.ask("POST", `${form.path}/sign-in`, {
    ...hiddenFields(form, "sign-in"),
    username,
    password,
  });
  expect(status).toBe(303);
  return () => visitor.ask("GET", form.path);
}

/** Until every sign-in was tried, or was told to wait. */
const settle = (): Promise<void> => signIns.drained();

async function later(seconds: number): Promise<void> {
  harness.clock.advance(seconds);
  await settle();
}

async function typeMany(
  count: number,
  of?: (index: number) => { address?: string; username?: string },
): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) => type(`wrong ${index}`, of?.(index))),
  );
  await settle();
}

describe("repeated attempts at an account", () => {
  test("get slower with every refusal, from the fourth on, up to a minute an attempt", async () => {
    await typeMany(12);
    expect(attempts).toHaveLength(attemptsAtOnce);
    for (const pause of [2, 4, 8, 16, 32, 60, 60]) {
      const before = attempts.length;
      await later(pause - 1);
      expect(attempts).toHaveLength(before);
      await later(1);
      expect(attempts).toHaveLength(before + 1);
    }
  });

  test("are no faster when all come at once", async () => {
    await typeMany(12);
    expect(attempts).toHaveLength(attemptsAtOnce);
  });

  test("are at the same account in other letters, and at another one under another name", async () => {
    await typeMany(10, (index) => ({ username: index % 2 === 0 ? "ann" : " ANN " }));
    expect(attempts).toHaveLength(attemptsAtOnce);
    await typeMany(2, () => ({ username: "bob" }));
    expect(attempts.slice(attemptsAtOnce).every((attempt) => attempt.startsWith("bob:"))).toBe(
      true,
    );
    expect(attempts).toHaveLength(attemptsAtOnce + 2);
  });

  test("from many networks are 20 an hour, and the refused ones are not tried later", async () => {
    await typeMany(30, (index) => ({ address: `198.51.100.${index % 20}` }));
    expect(attempts).toHaveLength(20);
    await later(60);
    expect(attempts).toHaveLength(20);
  });

  test("of an IPv6 network count by its /64", async () => {
    await typeMany(10, (index) => ({ address: `2001:db8:1:2::${index + 1}` }));
    expect(attempts).toHaveLength(attemptsAtOnce);
  });

  test("are still slow, and still possible, after thousands of refusals", async () => {
    await typeMany(1);
    await harness.database.query("update sign_in_throttle set refusals = 30000");
    await typeMany(2);
    expect(attempts).toHaveLength(2);
    await later(60);
    expect(attempts).toHaveLength(3);
  });

  test("at the second factor are slowed too, although the password was right", async () => {
    const { visitor, form } = await open("203.0.113.9", "sandbox");
    let page = await visitor.submit(form, { username: "user_mfa", password: "anything" });
    for (let attempt = 1; attempt <= 4; attempt += 1)
      page = await visitor.answer(page, `00000${attempt}`);
    expect(headingOf(page)).toBe("One more step");
    await visitor.ask("POST", `${page.path}/answer`, {
      ...hiddenFields(page, "answer"),
      answer: "123456",
    });
    await settle();
    expect(await phaseOf(page)).toBe("running");
    await later(2);
    expect((await visitor.ask("GET", page.path)).left).toContain("code=");
  });
});

describe("the spellings of one account", () => {
  const spellings = [
    "https://hr.example.com",
    "HTTPS://HR.example.COM/",
    "https://hr.example.com:443/",
    "http://hr.example.com:80",
    "hr.example.com",
    " https://hr.example.com/p1 ",
    "https://hr.example.com/p2?x=1#y",
    "https://ann@hr.example.com./",
    "https://hr.example.com./p",
  ];

  async function sendAll(provider: string, logins: readonly string[]): Promise<void> {
    for (const [index, address] of spellings.entries()) {
      const { visitor, form } = await open("203.0.113.7", provider);
      await visitor.ask("POST", `${form.path}/sign-in`, {
        ...hiddenFields(form, "sign-in"),
        address,
        username: logins[index % logins.length] ?? "",
        team: `team ${index}`,
        password: "wrong",
      });
    }
    await settle();
  }

  test.each([
    ["unnamed", ["ann", " ANN "]],
    ["mistaken", ["ann", "Ann"]],
    ["named", ["ann", "Ann@hr.example.com", " ann@elsewhere"]],
  ])(
    "share one throttle at the provider %s: address, login and setting alike",
    async (name, logins) => {
      await sendAll(name, logins);
      expect(attempts).toHaveLength(attemptsAtOnce);
    },
  );

  test.each(["https://hr.example.com:8443", "https://other.example.com"])(
    "are not those of the account at %s",
    async (address) => {
      spellings.push(address);
      await sendAll("unnamed", ["ann"]);
      spellings.pop();
      expect(attempts.filter((attempt) => !attempt.startsWith(address))).toHaveLength(
        attemptsAtOnce,
      );
      expect(attempts).toContain(`${address} ann`);
    },
  );
});

/** One form from as many networks as there are forms. Returns how many reached the provider. */
async function sendFromEverywhere(
  provider: string,
  forms: readonly Record<string, string>[],
): Promise<number> {
  const before = attempts.length;
  for (const [index, fields] of forms.entries()) {
    const { visitor, form } = await open(`198.51.${index}.1`, provider);
    await visitor.submit(form, { address: "hr.example.com", password: "wrong", ...fields });
  }
  return attempts.length - before;
}

async function signInToTenant(team: string): Promise<Seen> {
  const { visitor, form } = await open("192.0.2.1", "tenanted");
  const username = "ann@acme.example";
  return await visitor.submit(form, {
    address: "hr.example.com",
    username,
    team,
    password: "right",
  });
}

const thirty = (of: (index: number) => Record<string, string>) =>
  Array.from({ length: 30 }, (_, index) => of(index));

describe("strangers share the hour", () => {
  const spelt = ["ann", " ANN", "\uff21nn", "an\u00adn", "a\u200bnn", "ann\ufe0f"];

  test.each(["unnamed", "mistaken", "tenanted"])(
    "of one login, however it is spelt, at the provider %s",
    async (provider) => {
      const forms = thirty((index) => ({ username: spelt[index % spelt.length] ?? "" }));
      expect(await sendFromEverywhere(provider, forms)).toBe(20);
    },
  );

  test("of one login at a server, in whatever tenant", async () => {
    const forms = thirty((index) => ({
      username: "ann",
      team: ["", "acme", "beta"][index % 3] ?? "",
    }));
    expect(await sendFromEverywhere("tenanted", forms)).toBe(20);
  });

  test.each(["unnamed", "mistaken", "tenanted"])(
    "of one email address, at whatever server of the provider %s",
    async (provider) => {
      const forms = thirty((index) => ({
        address: `name-${index}.example.com`,
        username: "ann@acme.example",
      }));
      expect(await sendFromEverywhere(provider, forms)).toBe(20);
    },
  );

  test("and not of a login that many servers have", async () => {
    const forms = thirty((index) => ({ address: `name-${index}.example.com`, username: "admin" }));
    expect(await sendFromEverywhere("tenanted", forms)).toBe(30);
  });

  test("also those who have signed in to the same login of another tenant", async () => {
    expect((await signInToTenant("own")).left).toContain("code=");
    const forms = thirty(() => ({ username: "ann@acme.example", team: "acme" }));
    await sendFromEverywhere("tenanted", forms);
    attempts.length = 0;
    await signInToTenant("acme");
    expect(attempts).toEqual([]);
    await signInToTenant("own");
    expect(attempts).toHaveLength(1);
  });
});

test("an attempt that is taken back does not end the pause that a later one has caused", async () => {
  const { signInThrottle } = harness.services;
  const account = { name: ["ann"], shared: ["ann"] };
  const from = { address: "203.0.113.7", network: "", browser: undefined, isOfLink: false };
  const attempt = signInThrottle.identify("locked", account, from);
  const flow = { id: randomUUID(), clientId: client.clientId, tokenId: null, provider: "locked" };
  const admit = () => signInThrottle.admit(attempt, { ...flow, linkDigest: null });
  const first = await admit();
  for (let refused = 1; refused < attemptsAtOnce; refused += 1) await admit();
  expect(first).toMatchObject({ kind: "admitted", counted: {} });
  await signInThrottle.withdraw({ ...attempt, ...first });
  expect(await admit()).toEqual({ kind: "paused", afterSeconds: 2 });
});

async function phaseOf({ path }: Seen): Promise<unknown> {
  const [row] = await harness.database.query("select phase from connect_flows where id = $1", [
    path.split("/")[2],
  ]);
  return row?.["phase"];
}

describe("who knows the password", () => {
  test("does not wait at all, where the account has signed in before, while others try from many networks", async () => {
    await type("right", { address: "192.0.2.1" });
    await settle();
    await typeMany(30, (index) => ({ address: `198.51.100.${index % 20}` }));
    const look = await type("right", { address: "192.0.2.1" });
    await settle();
    expect((await look()).left).toContain("code=");
  });

  test("waits for a minute at most after mistakes of one's own, and the page says that it is being checked", async () => {
    for (let mistake = 0; mistake < 8; mistake += 1) {
      await typeMany(1);
      await later(60);
    }
    const look = await type("right");
    await settle();
    await later(60);
    expect((await look()).left).toContain("code=");
  });

  test("is not tried any more once the sign-in has expired", async () => {
    await typeMany(4);
    await type("right");
    await settle();
    await later(1_800);
    expect(attempts).toHaveLength(4);
  });

  test("has mistakes for nothing again after the sign-in, and after an hour", async () => {
    await typeMany(4);
    await later(3_600);
    await typeMany(4);
    expect(attempts).toHaveLength(8);
    await later(60);
    await type("right");
    await settle();
    attempts.length = 0;
    await typeMany(4);
    expect(attempts).toHaveLength(4);
  });

  test("is not slowed by a provider that is down", async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await type("down");
    await settle();
    expect(attempts).toHaveLength(10);
  });
});

test("what is stored of attempts names nobody, and is removed", async () => {
  await typeMany(1, () => ({ username: "marker-of-the-name", address: "203.0.113.77" }));
  const stored = JSON.stringify(
    await harness.database.query("select r::text from sign_in_throttle r"),
  );
  for (const what of [
    "marker-of-the-name",
    "203.0.113.77",
    Buffer.from("marker-of-the-name").toString("hex"),
  ])
    expect(stored).not.toContain(what);
  harness.clock.advance(3_600);
  await harness.services.signInThrottle.removeOld();
  expect(await harness.database.query("select 1 from sign_in_throttle")).toEqual([]);
});
