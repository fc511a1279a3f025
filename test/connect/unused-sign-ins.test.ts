import { z } from "zod";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { removeExpiredFlows } from "../../src/connect/index.ts";
import { defineProvider } from "../../src/providers/contract.ts";
import { AuthError } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import {
  ConnectVisitor,
  headingOf,
  linkPath,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const ended: unknown[] = [];
let login: () => Promise<void>;
let check: () => Promise<void>;

const provider = defineProvider({
  apiVersion: 1,
  name: "gated",
  title: "Gated HR",
  modes: {
    xhr: {
      form: z.object({
        username: formField({ title: "Email" }),
        password: formField({ title: "Password", isSecret: true }),
      }),
      login: async (_context, { username }) => {
        await login();
        return { session: { of: username } };
      },
      check: async () => {
        await check();
        return { unsupported: [] };
      },
      account: ({ username = "" }) => ({ login: username }),
      identity: async () => ({ name: "Ann", email: "", phone_number: null }),
      logOut: async ({ isAccountInUse }, session) =>
        void ended.push({ ...session, isAccountInUse }),
      resources: {},
    },
  },
});

let harness: Harness;
let acme: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness({ registry: new ProviderRegistry([sandbox, provider]) });
  acme = await harness.services.clients.create({ name: "Acme", redirectUris: [redirectUri] });
  workSignIns(harness);
});
afterAll(() => harness.close());
beforeEach(() => {
  ended.length = 0;
  login = async () => undefined;
  check = async () => undefined;
});

const path = (): string =>
  linkPath(acme.client, { provider: "gated", scope: "/2023-03-01/xhr/employees" });
const form = { username: "ann", password: "right" };

/** The provider gives its answer when it may go on. */
function holdLogin(): { called: Promise<void>; goOn: () => void } {
  const called = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  login = async () => {
    called.resolve();
    await gate.promise;
  };
  return { called: called.promise, goOn: gate.resolve };
}

async function sendForm(one: ConnectVisitor): Promise<Seen> {
  return await one.send(await one.open(path()), "sign-in", form);
}

test("a session that the check refuses is ended, as one of an account that others may use", async () => {
  check = async () => {
    throw new AuthError("insufficient_permission");
  };
  const one = new ConnectVisitor(harness.baseUrl);
  const refused = await one.settle(await sendForm(one));
  expect(headingOf(refused)).toContain("Gated HR");
  await untilTrue("the session is ended", () => ended.length > 0);
  expect(ended).toEqual([{ of: "ann", isAccountInUse: true }]);
});

test("a session that comes after the end user declined is ended", async () => {
  const { called, goOn } = holdLogin();
  const one = new ConnectVisitor(harness.baseUrl);
  const working = await sendForm(one);
  await called;
  expect((await one.send(working, "decline")).left).toContain("access_denied");
  expect(ended).toEqual([]);
  goOn();
  await untilTrue("the session is ended", () => ended.length > 0);
  expect(ended).toEqual([{ of: "ann", isAccountInUse: false }]);
});

test("a session whose browser never came back is ended when the sign-in expires", async () => {
  // The page that the form leads to would go on by itself, if the provider had answered while it waits.
  const { goOn } = holdLogin();
  const one = new ConnectVisitor(harness.baseUrl);
  await sendForm(one);
  goOn();
  await untilTrue("the sign-in is through", async () => {
    const through = "select 1 from connect_flows where phase = 'ready' and emptied_at is null";
    return (await harness.database.query(through, [])).length === 1;
  });
  await removeExpiredFlows(harness.services);
  await harness.services.logOuts.done();
  expect(ended).toEqual([]);
  harness.clock.advance(1_800);
  await removeExpiredFlows(harness.services);
  await harness.services.logOuts.done();
  expect(ended).toEqual([{ of: "ann", isAccountInUse: false }]);
});

test("a session that comes after the sign-in has expired is ended", async () => {
  const { called, goOn } = holdLogin();
  await sendForm(new ConnectVisitor(harness.baseUrl));
  await called;
  harness.clock.advance(1_800);
  await removeExpiredFlows(harness.services);
  goOn();
  await untilTrue("the session is ended", () => ended.length > 0);
  expect(ended).toEqual([{ of: "ann", isAccountInUse: false }]);
});

test("a session of who signs out before seeing the accesses is ended", async () => {
  const { goOn } = holdLogin();
  const one = new ConnectVisitor(harness.baseUrl);
  const choice = await one.open("/connect/accesses");
  const asked = await one.send(choice, "sign-in", { choice: "gated/xhr" });
  const working = await one.send(asked, "sign-in", form);
  goOn();
  await untilTrue("the sign-in is through", async () => {
    const through = "select 1 from connect_flows where phase = 'ready' and emptied_at is null";
    return (await harness.database.query(through, [])).length === 1;
  });
  await one.send(working, "close");
  await harness.services.logOuts.done();
  expect(ended).toEqual([{ of: "ann", isAccountInUse: false }]);
});

test("the session of a connection that is made is not ended", async () => {
  const one = new ConnectVisitor(harness.baseUrl);
  const back = await one.settle(await sendForm(one));
  expect(back.left).toContain("code=");
  await harness.services.logOuts.done();
  expect(ended).toEqual([]);
});
