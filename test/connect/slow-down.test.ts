import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defineProvider } from "../../src/providers/contract.ts";
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
import { createHarness, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const queue = "sign-in";
/** Three refusals cost nothing; the fourth try is made, and is what the fifth waits for. */
const triesAtOnce = 4;

/** Knows one password, and what was tried. */
const tries: string[] = [];
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
        tries.push(`${username}:${password}`);
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

let harness: Harness;
let client: { clientId: string };
beforeAll(async () => {
  harness = await createHarness({
    registry: new ProviderRegistry([sandbox, locked]),
    env: { TRUST_PROXY: "127.0.0.0/8" },
  });
  ({ client } = await harness.createClient());
  workSignIns(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  await settle();
  for (const table of ["connect_flows", "sign_in_refusals"])
    await harness.database.query(`delete from ${table}`);
  tries.length = 0;
});

async function open(
  address: string,
  provider = "locked",
): Promise<{ visitor: ConnectVisitor; form: Seen }> {
  const visitor = new ConnectVisitor(harness.baseUrl, { "x-forwarded-for": address });
  return { visitor, form: await visitor.open(linkPath(client, { provider })) };
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
async function settle(): Promise<void> {
  await untilTrue("the sign-ins are at rest", () => harness.services.queue.isIdle(queue));
}

async function later(seconds: number): Promise<void> {
  harness.clock.advance(seconds);
  await harness.services.queue.promoteDelayed(queue);
  await settle();
}

async function typeMany(
  count: number,
  of?: (index: number) => { address?: string; username?: string },
): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) => type(`guess ${index}`, of?.(index))),
  );
  await settle();
}

describe("guessing at an account", () => {
  test("gets slower with every refusal, from the fourth on, up to a minute a try", async () => {
    await typeMany(12);
    expect(tries).toHaveLength(triesAtOnce);
    for (const pause of [2, 4, 8, 16, 32, 60, 60]) {
      const before = tries.length;
      await later(pause - 1);
      expect(tries).toHaveLength(before);
      await later(1);
      expect(tries).toHaveLength(before + 1);
    }
  });

  test("is no faster when it all comes at once", async () => {
    await typeMany(40);
    expect(tries).toHaveLength(triesAtOnce);
  });

  test("is the same account in other letters, and another one under another name", async () => {
    await typeMany(10, (index) => ({ username: index % 2 === 0 ? "ann" : " ANN " }));
    expect(tries).toHaveLength(triesAtOnce);
    await typeMany(2, () => ({ username: "bob" }));
    expect(tries.slice(triesAtOnce).every((attempt) => attempt.startsWith("bob:"))).toBe(true);
    expect(tries).toHaveLength(triesAtOnce + 2);
  });

  test("from many networks is slowed as well: one try each, and then as if from one", async () => {
    await typeMany(60, (index) => ({ address: `198.51.100.${index % 20}` }));
    expect(tries.length).toBeLessThanOrEqual(20 + 21);
    const before = tries.length;
    await later(60);
    expect(tries.length - before).toBeLessThanOrEqual(2);
  });

  test("of an IPv6 network counts by its /64", async () => {
    await typeMany(10, (index) => ({ address: `2001:db8:1:2::${index + 1}` }));
    expect(tries).toHaveLength(triesAtOnce);
  });

  test("is still slow, and still possible, after thousands of refusals", async () => {
    await typeMany(1);
    await harness.database.query("update sign_in_refusals set refusals = 30000");
    await typeMany(2);
    expect(tries).toHaveLength(2);
    await later(60);
    expect(tries).toHaveLength(3);
  });

  test("of codes is slowed too, although the password was right", async () => {
    const { visitor, form } = await open("203.0.113.9", "sandbox");
    let page = await visitor.submit(form, { username: "user_mfa", password: "anything" });
    for (let guess = 1; guess <= 4; guess += 1) page = await visitor.answer(page, `00000${guess}`);
    expect(headingOf(page)).toBe("One more step");
    await visitor.ask("POST", `${page.path}/answer`, {
      ...hiddenFields(page, "answer"),
      otp: "123456",
    });
    await settle();
    expect(await phaseOf(page)).toBe("running");
    await later(2);
    expect((await visitor.ask("GET", page.path)).left).toContain("code=");
  });
});

async function phaseOf({ path }: Seen): Promise<unknown> {
  const [row] = await harness.database.query("select phase from connect_flows where id = $1", [
    path.split("/")[2],
  ]);
  return row?.["phase"];
}

describe("who knows the password", () => {
  test("does not wait at all while somebody else guesses from another network, or from many", async () => {
    await typeMany(60, (index) => ({ address: `198.51.100.${index % 20}` }));
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
    expect(tries).toHaveLength(4);
  });

  test("has mistakes for nothing again after the sign-in, and after an hour", async () => {
    await typeMany(4);
    await later(3_600);
    await typeMany(4);
    expect(tries).toHaveLength(8);
    await later(60);
    await type("right");
    await settle();
    tries.length = 0;
    await typeMany(4);
    expect(tries).toHaveLength(4);
  });

  test("is not slowed by a provider that is down", async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await type("down");
    await settle();
    expect(tries).toHaveLength(10);
  });
});

test("what is kept of it names nobody, and is forgotten", async () => {
  await typeMany(1, () => ({ username: "marker-of-the-name", address: "203.0.113.77" }));
  const kept = JSON.stringify(
    await harness.database.query("select r::text from sign_in_refusals r"),
  );
  for (const what of [
    "marker-of-the-name",
    "203.0.113.77",
    Buffer.from("marker-of-the-name").toString("hex"),
  ])
    expect(kept).not.toContain(what);
  harness.clock.advance(3_600);
  await harness.services.slowDown.forget();
  expect(await harness.database.query("select 1 from sign_in_refusals")).toEqual([]);
});
