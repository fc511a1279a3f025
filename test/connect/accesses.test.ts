import { randomBytes } from "node:crypto";
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../../src/platform/crypto/index.ts";
import { defineProvider, type ProviderMode } from "../../src/providers/contract.ts";
import { AuthError } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import {
  ConnectVisitor,
  carried,
  headingOf,
  hiddenFields,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, redirectUri, type Harness } from "../support/harness.ts";

const start = "/connect/accesses";
const loggedOut: unknown[] = [];
const username = formField({ title: "Email", autocomplete: "username" });
const password = formField({ title: "Password", isSecret: true });

const rest: Pick<ProviderMode, "check" | "identity" | "resources"> = {
  check: async () => ({ unsupported: [] }),
  identity: async () => ({ name: "Ann", email: "", phone_number: null }),
  resources: {},
};

/** Takes the password `right`. Its accounts are named in lower case by the adapter. */
const passwordMode: ProviderMode = {
  ...rest,
  form: z.object({ username, password }),
  account: (form) => ({ login: (form["username"] ?? "").toLowerCase() }),
  login: async (_context, form) => {
    if (form["password"] !== "right") throw new AuthError("incorrect_username_or_password");
    return { session: { who: form["username"] } };
  },
  logOut: async (_context, session) => void loggedOut.push(session),
};

/** Tells two people apart whose names differ in the case of a letter, which its `account` does not. */
const numberedMode: ProviderMode = {
  ...passwordMode,
  accountOfSession: ({ who }) => [who === "Eve" ? "1" : "2"],
};

/** Asks for a name that it does not check, and for a key. */
const keyMode: ProviderMode = {
  ...rest,
  keepsSecret: true,
  form: z.object({ username, key: formField({ title: "API key", isSecret: true }) }),
  login: async (_context, form) => ({ session: { key: form["key"] } }),
};

const provider = (name: string, modes: Partial<Record<"xhr" | "official", ProviderMode>>) =>
  defineProvider({ apiVersion: 1, name, title: `${name.toUpperCase()} HR`, modes });
const registry = new ProviderRegistry([
  sandbox,
  provider("first", { xhr: passwordMode, official: keyMode }),
  provider("second", { xhr: passwordMode }),
  provider("numbered", { xhr: numberedMode }),
  provider("by-key", { xhr: keyMode }),
  provider("twofold", { xhr: passwordMode, official: passwordMode }),
]);

let harness: Harness;
let acme: Awaited<ReturnType<Harness["createClient"]>>;
let other: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness({ registry });
  const create = (name: string) =>
    harness.services.clients.create({ name, redirectUris: [redirectUri] });
  acme = await create("Acme <Payroll>");
  other = await create("Other App");
  workSignIns(harness);
});
afterAll(() => harness.close());

const visitor = (): ConnectVisitor => new ConnectVisitor(harness.baseUrl);
const right = (name: string) => ({ username: name, password: "right" });

/** A connection of the client, made as an end user makes it. */
async function connect(
  who: typeof acme,
  form: Record<string, string>,
  parameters: Record<string, string> = {},
): Promise<{ token: string; tokenId: string }> {
  const one = visitor();
  const link = { provider: "first", scope: "/2023-03-01/xhr/employees", ...parameters };
  const back = await one.submit(await one.open(linkPath(who.client, link)), form);
  const code = new Map(carried(back)).get("code") ?? "";
  const reply = await harness.http.post("/2023-03-01/management/token", {
    json: exchangeBody({ ...who, code }),
  });
  const { access_token: token = "" } = reply.body as { access_token?: string };
  const [row] = await harness.database.query("select id from tokens where digest = $1", [
    sha256(token),
  ]);
  return { token, tokenId: String(row?.["id"]) };
}

async function choose(one: ConnectVisitor, choice = "first/xhr"): Promise<Seen> {
  return await one.send(await one.open(start), "sign-in", { choice });
}

/** The list of the accesses, in a browser of its own. */
async function look(
  form: Record<string, string>,
  choice?: string,
): Promise<{ one: ConnectVisitor; page: Seen }> {
  const one = visitor();
  return { one, page: await one.submit(await choose(one, choice), form) };
}

const isActive = async (token: string): Promise<boolean> => {
  const reply = await harness.http.get("/2023-03-01/management/introspect", { bearer: token });
  return (reply.body as { active: boolean }).active;
};

describe("who signs in to an account again", () => {
  test("sees each application, since when and what it reads, and ends one; the other stays", async () => {
    const mine = await connect(acme, right("ann@x.example"));
    const second = await connect(other, right("ann@x.example"));
    const { one, page } = await look(right("ANN@x.example"));
    expect(headingOf(page)).toBe("Applications with access");
    expect(textOf(page)).toMatch(/Other App Access since \d+ \w+ \d{4}/);
    expect(textOf(page)).toContain("Acme <Payroll> Access since");
    expect(textOf(page)).toContain("Reads: Employees");
    const asked = await one.open(`${page.path}?end=${mine.tokenId}`);
    expect(headingOf(asked)).toBe("End the access of Acme <Payroll>?");
    expect(textOf(asked)).toContain("Access not affected by this: Other App.");
    expect(await isActive(mine.token)).toBe(true);
    const ended = await one.send(asked, "end");
    expect(textOf(ended)).toContain(
      "The access has ended. These applications still have access to your FIRST HR account: O Other App",
    );
    expect(textOf(ended)).not.toContain("Acme");
    expect([await isActive(mine.token), await isActive(second.token)]).toEqual([false, true]);
    const refused = await harness.http.get("/2023-03-01/xhr/employees", { bearer: mine.token });
    expect(refused.status).toBe(403);
    const audited = await harness.database.query(
      "select detail from audit_entries where token_id = $1 and action = 'token.disconnected'",
      [mine.tokenId],
    );
    expect(audited).toMatchObject([{ detail: { by: "end-user" } }]);
  });

  test("leaves no session and nothing typed behind", async () => {
    loggedOut.length = 0;
    const { page } = await look(right("leaves-nothing"));
    await expect.poll(() => loggedOut).toEqual([{ who: "leaves-nothing" }]);
    const [row] = await harness.database.query(
      `select sealed_sign_in, sealed_prefill, sealed_submission, sealed_challenge from connect_flows where id = $1`,
      [page.path.split(/[/?]/)[2]],
    );
    expect(Object.values(row ?? {})).toEqual([null, null, null, null]);
    expect(await harness.database.query("select 1 from connections where scopes = '{}'")).toEqual(
      [],
    );
  });

  test("finds an access of before only once its end user has signed in again", async () => {
    const { tokenId } = await connect(acme, right("old"));
    await harness.database.query(
      "update connections set account_digest = null where token_id = $1",
      [tokenId],
    );
    expect(textOf((await look(right("old"))).page)).toContain("No application can read");
    const link = await harness.http.post("/2023-03-01/management/connect-session", {
      basic: [acme.client.clientId, acme.secret],
      json: { token: tokenId, redirect_uri: redirectUri },
    });
    const one = visitor();
    const { pathname, search } = new URL((link.body as { connect_url: string }).connect_url);
    await one.submit(await one.open(pathname + search), right("old"));
    expect(textOf((await look(right("old"))).page)).toContain("Acme <Payroll>");
  });

  test("does not see a connection whose code was not exchanged", async () => {
    const one = visitor();
    const link = linkPath(acme.client, { provider: "first", scope: "/2023-03-01/xhr/employees" });
    await one.submit(await one.open(link), right("unclaimed"));
    expect(textOf((await look(right("unclaimed"))).page)).toContain("No application can read");
  });

  test("sees the accesses of both modes when they have one sign-in", async () => {
    const scope = "/2023-03-01/official/employees";
    await connect(acme, right("both"), { provider: "twofold", mode: "official", scope });
    expect(textOf((await look(right("both"), "twofold/official")).page)).toContain(
      "Acme <Payroll>",
    );
  });

  test("is asked again by the throttle and the queue of every sign-in, and refused in words", async () => {
    const before = await harness.database.query("select 1 from sign_in_throttle");
    const { page } = await look({ username: "ann@x.example", password: "wrong" });
    expect(textOf(page)).toContain("FIRST HR didn’t accept this email or password.");
    const after = await harness.database.query("select 1 from sign_in_throttle");
    expect(after.length).toBeGreaterThan(before.length);
  });

  test("signs out, and is out: the list is gone for the same browser too", async () => {
    await connect(acme, right("leaver"));
    const { one, page } = await look(right("leaver"));
    expect(headingOf(await one.send(page, "close"))).toBe("You’re signed out");
    expect(textOf(await one.open(page.path))).not.toContain("Acme");
  });

  test("is out after ten minutes, and led to the beginning", async () => {
    await connect(acme, right("waits"));
    const { one, page } = await look(right("waits"));
    await harness.database.query(
      "update connect_flows set expires_at = expires_at - interval '10 minutes' where purpose = 'accesses'",
    );
    const late = await one.open(page.path);
    expect(late.path).toBe(start);
    expect(textOf(late)).not.toContain("Acme");
  });
});

describe("nobody sees or ends the access to another account", () => {
  let victim: { token: string; tokenId: string };
  beforeAll(async () => {
    victim = await connect(acme, right("victim"));
  });
  const expectUntouched = async (): Promise<void> => {
    expect(await isActive(victim.token)).toBe(true);
  };

  test.each([
    ["another name", right("somebody"), "first/xhr"],
    ["the same name at another provider", right("victim"), "second/xhr"],
    ["the name with a space more", right("victim "), "first/xhr"],
    ["the name, where it is not checked", { username: "victim", key: "mine" }, "first/official"],
  ])("%s: nothing is listed, and its token cannot be ended", async (_name, form, choice) => {
    const { one, page } = await look(form, choice);
    expect(textOf(page)).toContain("No application can read");
    const forged = await one.ask("POST", `${page.path}/end`, {
      ...hiddenFields(page, "close"),
      token: victim.tokenId,
    });
    expect(forged.headers["location"]).toBe(page.path);
    await expectUntouched();
  });

  test("a name in other letters, where the provider tells them apart, shows nothing", async () => {
    await connect(acme, right("eve"), { provider: "numbered" });
    expect(textOf((await look(right("Eve"), "numbered/xhr")).page)).toContain("No application can");
    expect(textOf((await look(right("eve"), "numbered/xhr")).page)).toContain("Acme <Payroll>");
  });

  test("a name that is not checked shows nothing of another key", async () => {
    await connect(
      acme,
      { username: "shared", key: "the key of the victim" },
      { provider: "by-key" },
    );
    const { page } = await look({ username: "shared", key: "another key" }, "by-key/xhr");
    expect(textOf(page)).toContain("No application can read");
    const same = await look({ username: "shared", key: "the key of the victim" }, "by-key/xhr");
    expect(textOf(same.page)).toContain("Acme <Payroll>");
  });

  test("another browser neither sees the list nor ends anything, with every field of the first one", async () => {
    const { page } = await look(right("victim"));
    const thief = visitor();
    await thief.open(start);
    expect((await thief.open(page.path)).status).toBe(404);
    const fields = { ...hiddenFields(page, "close"), token: victim.tokenId };
    expect((await thief.ask("POST", `${page.path}/end`, fields)).status).toBe(404);
    expect((await visitor().ask("POST", `${page.path}/end`, fields)).status).toBe(404);
    await expectUntouched();
  });

  test("a forged, missing or foreign form token ends nothing", async () => {
    const { one, page } = await look(right("victim"));
    const foreign = (await look(right("victim"))).page;
    const fields = { ...hiddenFields(page, "close"), token: victim.tokenId };
    for (const form_token of [
      "",
      "x".repeat(43),
      hiddenFields(foreign, "close")["form_token"] ?? "",
    ])
      expect((await one.ask("POST", `${page.path}/end`, { ...fields, form_token })).status).toBe(
        403,
      );
    await expectUntouched();
  });

  test("before the sign-in, after a refusal and after signing out nothing can be ended", async () => {
    const one = visitor();
    const form = await choose(one);
    const end = (page: Seen) =>
      one.ask("POST", `${form.path}/end`, {
        ...hiddenFields(page, "close"),
        token: victim.tokenId,
      });
    await end(form);
    const refused = await one.submit(form, { username: "victim", password: "wrong" });
    await end(refused);
    const list = await one.submit(refused, right("victim"));
    const fields = { ...hiddenFields(list, "close"), token: victim.tokenId };
    await one.send(list, "close");
    const late = await one.ask("POST", `${form.path}/end`, fields);
    expect(late.headers["location"]).toBe(form.path);
    await expectUntouched();
  });

  test("the flow of a connection shows no list and ends nothing, whoever signed in", async () => {
    const one = visitor();
    const form = await one.begin(
      linkPath(acme.client, { provider: "first", scope: "/2023-03-01/xhr/employees" }),
    );
    const ended = await one.ask("POST", `${form.path}/end`, {
      ...hiddenFields(form, "decline"),
      token: victim.tokenId,
    });
    expect(ended.headers["location"]).toBe(form.path);
    await one.ask("POST", `${form.path}/close`, hiddenFields(form, "decline"));
    expect(headingOf(await one.open(form.path))).toBe("Sign in to FIRST HR");
    await expectUntouched();
  });

  test("the flow of the accesses makes no connection and leads to no client", async () => {
    const { one, page } = await look(right("victim"));
    for (const form of ["decline", "provider", "other"]) {
      const reply = await one.ask("POST", `${page.path}/${form}`, hiddenFields(page, "close"));
      expect(reply.headers["location"]).toBe(page.path);
    }
    expect(textOf(await one.open(page.path))).toContain("Acme <Payroll>");
  });

  test.each([
    "",
    "sandbox/xhr",
    "first",
    "first/none",
    "nobody/xhr",
    "../first/xhr",
    "first/xhr/xhr",
  ])("the choice %j begins nothing", async (choice) => {
    expect((await choose(visitor(), choice)).path).toBe(start);
  });

  test("the shared sandbox token is nobody's to end, where the simulated provider is offered", async () => {
    const mine = await connect(acme, right("shared@x.example"));
    const [shared] = await harness.database.query(
      `update connections c set provider = 'first', account_digest = o.account_digest
       from connections o, clients l
       where o.token_id = $1 and l.is_shared_sandbox and c.client_id = l.client_id returning c.token_id`,
      [mine.tokenId],
    );
    const tokenId = String(shared?.["token_id"]);
    const { one, page } = await look(right("shared@x.example"));
    expect(textOf(page)).toContain("Acme <Payroll>");
    expect(page.html).not.toContain(tokenId);
    expect(headingOf(await one.open(`${page.path}?end=${tokenId}`))).toBe(headingOf(page));
    await one.ask("POST", `${page.path}/end`, { ...hiddenFields(page, "close"), token: tokenId });
    expect(await isActive(harness.sandboxToken)).toBe(true);
  });

  test("a form from elsewhere, which comes without the cookie, begins nothing", async () => {
    const before = await harness.database.query("select 1 from connect_flows");
    const reply = await visitor().ask("POST", `${start}/sign-in`, { choice: "first/xhr" });
    expect(reply.headers["location"]).toBe(start);
    expect(await harness.database.query("select 1 from connect_flows")).toHaveLength(before.length);
  });

  test("one network has no more of these sign-ins open than of others, and is told in a page", async () => {
    const form = await choose(visitor());
    await harness.database.query(
      `insert into connect_flows select (copy).* from (
         select json_populate_record(f, json_build_object('id', gen_random_uuid())) as copy
         from connect_flows f, generate_series(1, 200) where f.id = $1) as copies`,
      [form.path.split("/")[2]],
    );
    const refused = await choose(visitor());
    expect([refused.status, headingOf(refused)]).toEqual([429, "One moment, please"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.html).toContain(`href="${start}"`);
    await harness.database.query("delete from connect_flows");
    expect(headingOf(await choose(visitor()))).toBe("Sign in to FIRST HR");
  });

  test("two ways to sign in to one system are told apart by what is secret, and nothing else", async () => {
    const { html } = await visitor().open(start);
    const notes = [...html.matchAll(/FIRST HR<\/bdi> <span class="soft">\((.*?)\)/g)];
    expect(notes.map(([, note]) => note)).toEqual(["Password", "API key"]);
    expect(html).not.toContain("SECOND HR</bdi> <span");
  });

  test("opening the first page stores nothing", async () => {
    const before = await harness.database.query("select 1 from connect_flows");
    expect((await visitor().open(start)).status).toBe(200);
    expect(await harness.database.query("select 1 from connect_flows")).toHaveLength(before.length);
  });
});

describe("what is stored of an account", () => {
  test("is 32 bytes that differ for each account and provider, and hold no word of it", async () => {
    const made = [
      await connect(acme, right("stored")),
      await connect(acme, right("stored"), { provider: "second" }),
      await connect(acme, right("stored2")),
    ];
    const rows = await harness.database.query(
      "select account_digest from connections where token_id = any($1)",
      [made.map(({ tokenId }) => tokenId)],
    );
    const digests = rows.map(({ account_digest: digest }) => digest as Buffer);
    expect(digests.map(({ length }) => length)).toEqual([32, 32, 32]);
    expect(new Set(digests.map((digest) => digest.toString("hex"))).size).toBe(3);
  });

  test("cannot be made with another master key, and is found with one that has become old", async () => {
    const { tokenId } = await connect(acme, right("rotated"));
    const keys = harness.environment["MASTER_KEYS"] ?? "";
    const fresh = `fresh:${randomBytes(32).toString("base64")}`;
    const list = async (MASTER_KEYS: string): Promise<string[]> => {
      const again = await createHarness({
        registry,
        database: harness.database,
        env: { MASTER_KEYS },
      });
      try {
        const found = await again.services.connections.listOfAccount({
          provider: "first",
          origin: null,
          account: ["xhr", "named", "", "", "rotated"],
        });
        return found.map((connection) => connection.tokenId);
      } finally {
        await again.close();
      }
    };
    expect(await list(`${fresh},${keys}`)).toEqual([tokenId]);
    // A service does not start without a key that it has used.
    await harness.database.query("update master_keys set activated_at = null");
    await harness.database.query("delete from audit_keys; delete from audit_head");
    expect(await list(fresh)).toEqual([]);
  });
});

describe("the simulated provider, whose accounts are everybody's", () => {
  test("is not offered when hosted, and its page of consent names no way to end access", async () => {
    const page = await visitor().open(start);
    expect(page.html).not.toContain("sandbox/");
    expect((await visitor().open(linkPath(acme.client))).html).not.toContain(start);
  });

  test("the page of consent of another one does, and says what it opens", async () => {
    const page = await visitor().open(
      linkPath(acme.client, { provider: "second", scope: "/2023-03-01/xhr/employees" }),
    );
    expect(page.html).toContain(`href="${start}"`);
    expect(textOf(page)).toContain("See and end access (opens in a new tab)");
  });
});
