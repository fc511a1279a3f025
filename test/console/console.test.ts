import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportLines } from "../../src/audit/index.ts";
import { ConsoleSessions, noteCounts, removeOldRows } from "../../src/console/index.ts";
import { renderFilled } from "../../src/console/pages/filled-fields.ts";
import { endClients } from "../../src/start/end-clients.ts";
import { settleRestored } from "../../src/start/settle-restored.ts";
import { ConnectVisitor, linkPath, workSignIns, type Seen } from "../support/connect-visitor.ts";
import {
  attemptSignIn,
  formToken,
  ownOrigin,
  visitAsDeveloper,
  visitAsOperator,
  type Owner,
} from "../support/console-visitors.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { runWebhookJobs } from "../support/webhook-harness.ts";

const sections = [
  "problems",
  "problems/ended",
  "connections",
  "reads",
  "webhooks",
  "providers",
  "try",
  "audit",
]
  .map((name) => `/${name}`)
  .concat("");

let harness: Harness;
let sessions: ConsoleSessions;
let routes: { method: string; url: string }[];
beforeAll(async () => {
  harness = await createHarness({ env: { CONSOLE: "on" } });
  const { services } = harness;
  sessions = new ConsoleSessions({ ...services, environment: services.config.environment });
  routes = listRoutes();
});
afterAll(() => harness.close());

/** Of the console, as the application prints them. */
function listRoutes(): { method: string; url: string }[] {
  const lines = harness.app.printRoutes({ commonPrefix: false }).split("\n");
  const path: string[] = [];
  return lines.flatMap((line) => {
    const found = /^([│ ├└─]*)(\S+)(?: \(([A-Z, ]+)\))?/u.exec(line);
    if (!found) return [];
    const [, indent = "", part = "", methods] = found;
    const depth = Math.floor(indent.length / 4);
    path.length = depth;
    path[depth] = part;
    const url = path.filter(Boolean).join("");
    return url.startsWith("/console") && methods
      ? methods.split(", ").map((method) => ({ method, url }))
      : [];
  });
}

const visitor = (headers: Record<string, string> = ownOrigin): ConnectVisitor =>
  new ConnectVisitor(harness.baseUrl, headers);

const operator = (name?: string): Promise<ConnectVisitor> => visitAsOperator(harness, name);
const developer = (owner: Owner): Promise<ConnectVisitor> => visitAsDeveloper(harness, owner);

/** What stands beside each field. */
function cellsOf(page: string): Map<string, string> {
  const rows = page.matchAll(/<th scope="row"><code>([^<]+)<\/code><\/th><td>(.*?)<\/td>/gs);
  return new Map(
    [...rows].map(([, name = "", cell = ""]) => [name, cell.replaceAll(/<[^>]*>/g, "").trim()]),
  );
}

async function isInside(one: ConnectVisitor): Promise<boolean> {
  return (await one.ask("GET", "/console")).status === 200;
}

describe("a link of an operator", () => {
  test("signs in once, and to look at it uses nothing up", async () => {
    const { credential } = await sessions.createLink("jo");
    const path = `/console/sign-in?link=${credential}`;
    const [first, second] = [visitor(), visitor()];
    const [page] = [await first.ask("GET", path), await first.ask("GET", path)];
    const other = await second.ask("GET", path);
    const use = (one: ConnectVisitor, seen: Seen): Promise<Seen> =>
      one.ask("POST", "/console/sign-in/link", { form_token: formToken(seen), link: credential });
    expect(await isInside(first)).toBe(false);
    expect((await use(first, page)).status).toBe(303);
    expect((await use(second, other)).status).toBe(410);
    expect((await second.ask("GET", path)).status).toBe(410);
    expect([await isInside(first), await isInside(second)]).toEqual([true, false]);
  });

  test("is over after 15 minutes, and its session after eight hours", async () => {
    const { credential } = await sessions.createLink("jo");
    const one = await operator();
    harness.clock.advance(901);
    expect(await sessions.hasLink(credential)).toBe(false);
    expect(await isInside(one)).toBe(true);
    harness.clock.advance(8 * 3_600);
    expect(await isInside(one)).toBe(false);
  });
});

describe("a session", () => {
  test("has a cookie of its own: the one of before the sign-in opens nothing", async () => {
    const owner = await harness.createClient();
    const one = visitor();
    await one.ask("GET", "/console/sign-in");
    const [before] = [...one.cookies.values()];
    const seen = await attemptSignIn(one, owner.client.clientId, owner.secret);
    expect([...one.cookies.values()]).not.toContain(before);
    expect(String(seen.headers["set-cookie"])).toMatch(
      /^__Host-rollcall-console=rc_bs_dev_\w+; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const fixed = visitor();
    fixed.cookies.set("__Host-rollcall-console", before ?? "");
    expect([await isInside(one), await isInside(fixed)]).toEqual([true, false]);
  });

  test("ends by a sign-out, after which its cookie opens no page", async () => {
    const one = await operator();
    const [cookie = ""] = [...one.cookies.values()];
    const page = await one.ask("GET", "/console");
    expect(page.headers["cache-control"]).toBe("no-store");
    await one.ask("POST", "/console/sign-out", { form_token: formToken(page) });
    one.cookies.set("__Host-rollcall-console", cookie);
    const again = await one.ask("GET", "/console/connections");
    expect([again.status, again.headers["location"]]).toEqual([
      303,
      "/console/sign-in?to=%2Fconsole%2Fconnections",
    ]);
  });

  test("that ended after a backup was made is not brought back by it, nor a link that was used", async () => {
    const tables = ["console_sessions", "console_links"];
    const one = await operator();
    const { credential } = await sessions.createLink("jo");
    for (const table of tables)
      await harness.database.query(`create table backup_of_${table} as table ${table}`);
    await sessions.endAll();
    for (const table of tables)
      await harness.database.query(`insert into ${table} table backup_of_${table}`);
    await settleRestored(harness.services, [], []);
    expect([await isInside(one), await sessions.hasLink(credential)]).toEqual([false, false]);
  });

  test("of a developer ends when the secrets of the client change, but for who changed them", async () => {
    const owner = await harness.createClient();
    const [one, other] = [await developer(owner), await developer(owner)];
    const path = `/console/clients/${owner.client.clientId}`;
    const page = await one.ask("GET", path);
    const shown = await one.ask("POST", `${path}/rotate`, { form_token: formToken(page) });
    const secret = /rc_cs_dev_\w+/.exec(shown.html)?.[0] ?? "";
    expect([await isInside(one), await isInside(other)]).toEqual([true, false]);
    expect(
      await harness.services.clients.authenticate(owner.client.clientId, secret),
    ).toBeDefined();
    const client = (await harness.services.clients.find(owner.client.clientId))!;
    await harness.services.clients.update(client, { secrets: [secret] });
    expect(await isInside(one)).toBe(false);
  });

  test("ends by command: of one name, of one client, or of all", async () => {
    const owner = await harness.createClient();
    const [jo, kim, dev] = [await operator("jo"), await operator("kim"), await developer(owner)];
    const inside = async () => [await isInside(jo), await isInside(kim), await isInside(dev)];
    await sessions.endAll({ name: "kim" });
    expect(await inside()).toEqual([true, false, true]);
    await sessions.endAll({ clientId: owner.client.clientId });
    expect(await inside()).toEqual([true, false, false]);
    await sessions.endAll();
    expect(await inside()).toEqual([false, false, false]);
  });

  test.each([
    ["client_id", "null"],
    ["name", "'somebody'"],
    ["expires_at", "expires_at + interval '1 hour'"],
    ["secrets_mac", "'\\x00'"],
  ])("whose %s somebody wrote into the database is none", async (column, value) => {
    const one = await developer(await harness.createClient());
    expect(await isInside(one)).toBe(true);
    await harness.database.query(`update console_sessions set ${column} = ${value}`);
    expect(await isInside(one)).toBe(false);
  });
});

describe("a form", () => {
  test("counts only with its token and from a page of the console", async () => {
    const one = await operator();
    const token = formToken(await one.ask("GET", "/console"));
    const from = async (headers: Record<string, string>, form_token: string): Promise<number> => {
      const same = visitor(headers);
      for (const cookie of one.cookies) same.cookies.set(...cookie);
      const form = { form_token, name: "New", redirect_uris: "https://app.example.com/callback" };
      return (await same.ask("POST", "/console/clients", form)).status;
    };
    expect(await from(ownOrigin, "")).toBe(403);
    expect(await from(ownOrigin, formToken(await (await operator()).ask("GET", "/console")))).toBe(
      403,
    );
    expect(await from({}, token)).toBe(403);
    expect(await from({ origin: "null" }, token)).toBe(403);
    expect(await from({ origin: "https://evil.example" }, token)).toBe(403);
    expect(await from(ownOrigin, token)).toBe(200);
  });
});

describe("a wrong secret", () => {
  test("is refused as an unknown client is, and slows the next attempts", async () => {
    const { client } = await harness.createClient();
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1)
      statuses.push((await attemptSignIn(visitor(), client.clientId, "wrong")).status);
    expect(statuses.slice(0, 4)).toEqual([403, 403, 403, 403]);
    expect(statuses.at(-1)).toBe(429);
    const unknown = await attemptSignIn(visitor(), "0".repeat(8), "wrong");
    expect(unknown.status).toBe(403);
    harness.clock.advance(3_700);
  });

  test("keeps out nobody who has a right one, however many strangers sent before", async () => {
    const { client, secret } = await harness.createClient();
    const attempt = async (tried: string): Promise<number> =>
      (await attemptSignIn(visitor(), client.clientId, tried)).status;
    for (let count = 0; count < 20; count += 1) {
      expect(await attempt("wrong")).toBe(403);
      harness.clock.advance(61);
    }
    expect([await attempt("wrong"), await attempt(secret)]).toEqual([429, 303]);
    harness.clock.advance(3_700);
  });
});

describe("the switches", () => {
  test("nobody signs in by OpenID Connect without its variables", async () => {
    expect((await visitor().ask("GET", "/console/oidc")).status).toBe(404);
    expect((await visitor().ask("GET", "/console/oidc/callback")).status).toBe(404);
    expect((await visitor().ask("GET", "/console/sign-in")).html).not.toContain("organisation");
  });

  test("developers stay out with CONSOLE_CLIENTS=off, and everybody without CONSOLE", async () => {
    const shared = {
      database: harness.database,
      clock: harness.clock,
    };
    const keys = { MASTER_KEYS: harness.environment["MASTER_KEYS"] ?? "" };
    const owner = await harness.createClient();
    const inside = await developer(owner);
    const closed = await createHarness({
      ...shared,
      env: { ...keys, CONSOLE: "on", CONSOLE_CLIENTS: "off" },
    });
    const one = new ConnectVisitor(closed.baseUrl, ownOrigin);
    expect((await attemptSignIn(one, owner.client.clientId, owner.secret)).status).toBe(403);
    for (const cookie of inside.cookies) one.cookies.set(...cookie);
    expect(await isInside(one)).toBe(false);
    await closed.close();
    const off = await createHarness({ ...shared, env: keys });
    expect((await new ConnectVisitor(off.baseUrl).ask("GET", "/console")).status).toBe(404);
    await off.close();
  });
});

describe("what is shown", () => {
  interface Party extends Owner {
    tokenId: string;
    connectionId: string;
    readId: string;
    deliveryId: string;
  }
  let victim: Party;
  let thief: Party;
  /** Names and numbers of people that the provider delivered. */
  let canaries: string[];

  beforeAll(async () => {
    [victim, thief] = [await makeParty("user_good"), await makeParty("user_good")];
    const refused = await harness.connect({ client: victim as never, user: "user_expired" });
    await harness.http.get("/2023-03-01/xhr/employees", { bearer: refused.token });
    await harness.drain();
  });

  async function makeParty(user: string): Promise<Party> {
    const owner = await harness.createClient();
    const { token, tokenId } = await harness.connect({ client: owner, user });
    await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
    await harness.drain();
    const { body } = await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
    canaries = (body as Record<string, unknown>[]).flatMap((each) =>
      ["last_name", "tax_id", "email"].flatMap((name) => {
        const value = each[name];
        return typeof value === "string" && value.length > 3 ? [value] : [];
      }),
    );
    const connection = (await harness.services.connections.find({ tokenId }))!;
    const [read] = await harness.services.reads.lists.ofConnection(connection.id, 1);
    const deliveryId = randomUUID();
    await harness.database.query(
      `insert into deliveries (id, connection_id, client_id, token_id, status, sealed_body, added, removed, updated,
         created_at, settled_at, origin_key, run, last_status, last_error)
       values ($1, $2, $3, $4, 'failed', '', 1, 0, 0, service_now(), service_now(), '', 3, 500, 'status')`,
      [deliveryId, connection.id, owner.client.clientId, tokenId],
    );
    await harness.database.query(
      `insert into console_problems (key, seen_by, kind, client_id, token_id, provider, times, found_at, ended_at)
       values ('', 'all', 'sign_in_ended', $1, $2, 'sandbox', 1, service_now(), service_now())`,
      [owner.client.clientId, tokenId],
    );
    return { ...owner, tokenId, connectionId: connection.id, readId: read?.id ?? "", deliveryId };
  }

  const pagesOf = ({ client, tokenId, readId, deliveryId }: Party): string[] => [
    ...sections.map((section) => `/console${section}`),
    `/console/connections?q=${tokenId}`,
    "/console/connections?state=refused",
    "/console/reads?state=failed",
    "/console/webhooks?state=failed",
    `/console/clients/${client.clientId}`,
    `/console/connections/${tokenId}`,
    `/console/reads/${readId}`,
    `/console/deliveries/${deliveryId}`,
  ];

  test("no page has anything of the people whose data was read", async () => {
    expect(canaries.length).toBeGreaterThan(20);
    for (const one of [await operator(), await developer(victim)])
      for (const path of pagesOf(victim)) {
        const { status, html } = await one.ask("GET", path);
        expect([path, status]).toEqual([path, 200]);
        expect(canaries.filter((value) => html.includes(value))).toEqual([]);
      }
  });

  test("every page: nothing from elsewhere, nothing inline, in no frame, kept by nobody", async () => {
    const one = await operator();
    for (const path of [
      ...pagesOf(victim),
      "/console/system",
      "/console/clients/new",
      "/console/x",
    ]) {
      const { html, headers } = await one.ask("GET", path);
      if (path === "/console/x") continue;
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "same-origin",
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringMatching(
          /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
        ),
      });
      expect(html).not.toMatch(
        /<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=|javascript:|<iframe/i,
      );
    }
  });

  test("a developer finds nothing of another client, by any route and any id", async () => {
    const one = await developer(thief);
    const form_token = formToken(await one.ask("GET", "/console"));
    const ids = [victim.client.clientId, victim.tokenId, victim.connectionId, victim.readId];
    ids.push(victim.deliveryId);
    const named = routes.filter(({ url }) => url.includes(":") && !url.includes("/assets/"));
    expect(named.length).toBeGreaterThan(8);
    for (const { method, url } of named) {
      if (method !== "GET" && method !== "POST") continue;
      for (const id of ids) {
        const path = url.replaceAll(/:\w+/g, id);
        const seen = await one.ask(method, path, method === "POST" ? { form_token } : undefined);
        expect([method, path, seen.status]).toEqual([method, path, 404]);
      }
    }
    for (const path of ["/console/system", "/console/clients/new"])
      expect((await one.ask("GET", path)).status).toBe(404);
    for (const path of ["/console/clients", "/console/system/end-sessions"])
      expect((await one.ask("POST", path, { form_token })).status).toBe(404);
    for (const path of pagesOf(thief)) {
      const { html } = await one.ask(
        "GET",
        `${path}${path.includes("?") ? "&" : "?"}client=${victim.client.clientId}`,
      );
      const others = ids.filter((id) => html.includes(id));
      expect([path, others]).toEqual([path, []]);
    }
    const ended = await one.ask("GET", "/console/problems/ended");
    expect(ended.html).toContain(thief.tokenId);
    expect((await one.ask("GET", `/console/connections?q=${victim.tokenId}`)).html).toContain(
      "No connection is like that.",
    );
  });

  test("a sign-in that ended is the same problem on the page, in the API and for a command", async () => {
    const page = await (await developer(victim)).ask("GET", "/console/problems");
    expect(page.html).toContain("Sandbox no longer accepts the sign-in");
    expect(page.html).toContain("End user’s turn");
    const { body } = await harness.http.get("/2023-03-01/management/problems", {
      basic: [victim.client.clientId, victim.secret],
    });
    const { problems } = body as { problems: { kind: string; turn: string; token: string }[] };
    expect(problems.filter(({ kind }) => kind === "sign_in_ended")).toEqual([
      expect.objectContaining({ turn: "end_user", times: 1, provider: "sandbox" }),
    ]);
    const others = await harness.http.get("/2023-03-01/management/problems", {
      basic: [thief.client.clientId, thief.secret],
    });
    expect(others.body).toEqual({ problems: [], has_more: false });
  });

  test("fields that the account may not read are a problem of their resource, as long as a scope covers it", async () => {
    const owner = await harness.createClient();
    const of = async (): Promise<unknown[]> => {
      const basic: [string, string] = [owner.client.clientId, owner.secret];
      const { body } = await harness.http.get("/2023-03-01/management/problems", { basic });
      return (body as { problems: unknown[] }).problems;
    };
    const one = await developer(owner);
    const search = async (): Promise<string> =>
      (await one.ask("GET", "/console/connections?state=limited")).html;
    await harness.connect({ client: owner, user: "user_good" });
    harness.clock.advance(1);
    const uncovered = { client: owner, user: "user_fewer_fields" };
    await harness.connect({ ...uncovered, scopes: ["/2023-03-01/xhr/groups"] });
    expect(await of()).toEqual([]);
    harness.clock.advance(1);
    const since = harness.clock.now().toISOString();
    const { tokenId } = await harness.connect({ client: owner, user: "user_fewer_fields" });
    const detail = "bank_account, tax_id";
    expect(await of()).toEqual([
      expect.objectContaining({
        kind: "fields_limited",
        turn: "end_user",
        what: `The account at Sandbox may not read these fields of employees: ${detail}.`,
        token: tokenId,
        resource: "employees",
        since,
        times: 2,
        detail,
      }),
    ]);
    expect((await one.ask("GET", "/console/problems")).html).toContain(detail);
    expect(await search()).toContain(`/console/connections/${tokenId}"`);
    const setRights = async (limited: string[], forbidden: "employees"[]): Promise<void> => {
      const { sandbox } = harness.services;
      const connection = await sandbox.find(tokenId, owner.client.clientId);
      await sandbox.setRights(connection, { limited, forbidden });
    };
    await setRights(["tax_id"], ["employees"]);
    expect(await of()).toEqual([expect.objectContaining({ kind: "right_missing" })]);
    await setRights([], []);
    expect(await of()).toEqual([]);
    expect(await search()).not.toContain(`/console/connections/${tokenId}"`);
    expect((await one.ask("GET", "/console/problems/ended")).html).toContain(
      "may not read these fields of employees: tax_id.",
    );
  });

  test("what is filled is shown for each field, and why one is missing", async () => {
    const owner = await harness.createClient();
    const { token, tokenId } = await harness.connect({ client: owner, user: "user_sparse" });
    await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
    await harness.drain();
    const one = await developer(owner);
    const show = async (): Promise<string> =>
      (await one.ask("GET", `/console/connections/${tokenId}`)).html;
    const shown = cellsOf(await show());
    expect([shown.get("first_name"), shown.get("job_title")]).toEqual(["42 of 42", "none"]);
    expect([...shown.keys()]).not.toContain("bank_account");
    await harness.database.query("update snapshots set limited = '{job_title}'");
    expect(cellsOf(await show()).get("job_title")).toBe("none the account may not read it");
    // What a program stored that does not count is counted by the next read, though nothing has changed.
    await harness.database.query("update snapshots set filled = null, source_mac = null");
    const before = await show();
    expect(before).toContain("What is filled isn’t known");
    harness.clock.advance(120);
    const form = { form_token: formToken({ html: before }), resource: "employees" };
    await one.ask("POST", `/console/connections/${tokenId}/read`, form);
    await harness.drain();
    expect(cellsOf(await show()).get("first_name")).toBe("42 of 42");
    // A program that does not count stores another version.
    await harness.database.query("update snapshots set version = 'other'");
    const unknown = await show();
    expect(unknown).toContain("What is filled isn’t known");
    expect([...cellsOf(unknown)]).toEqual([]);
  });

  test("a field that no table of the adapter fills is one that the provider doesn’t give", () => {
    const declared = harness.services.registry.findMode("bamboohr", "xhr")?.resources;
    const neverGiven = declared?.employees?.neverGiven ?? [];
    expect(neverGiven).toEqual(["remote_created_at", "avatar", "bank_account"]);
    const list = {
      resource: "employees",
      fetchedAt: new Date(),
      limited: [],
      filled: { version: "v", records: 12, fields: { avatar: "none", gender: "none" } },
    } as const;
    const cells = cellsOf(String(renderFilled({ list, neverGiven })));
    expect(Object.fromEntries(cells)).toEqual({
      avatar: "none the provider doesn’t give it",
      gender: "none",
    });
  });

  test("each change is in the audit record with who asked for it", async () => {
    const one = await operator("jo");
    const at = `/console/connections/${victim.tokenId}`;
    const form_token = formToken(await one.ask("GET", at));
    expect(
      (await one.ask("POST", `${at}/read`, { form_token, resource: "employees" })).status,
    ).toBe(303);
    const made = await one.ask("POST", `${at}/link`, { form_token });
    expect(made.html).toMatch(/https:\/\/api\.example\.com\/connect\?session=rc_ln_dev_\w+/);
    expect((await one.ask("POST", `${at}/disconnect`, { form_token })).status).toBe(303);
    const entries = await harness.services.audit.list(harness.services.pool, { limit: 10 });
    const told = entries.map(({ action, tokenId, detail }) => [
      action,
      tokenId,
      detail["asked_by"],
      detail["did"],
    ]);
    expect(told).toEqual(
      expect.arrayContaining([
        ["console.used", victim.tokenId, "operator jo", "read.requested"],
        ["console.used", victim.tokenId, "operator jo", "link.made"],
        ["console.used", victim.tokenId, "operator jo", "token.disconnected"],
        ["token.disconnected", victim.tokenId, "operator jo", undefined],
      ]),
    );
    expect((await one.ask("GET", at)).html).toContain("Disconnected");
  });

  test("an operator verifies and exports the record as the commands do, and nobody else", async () => {
    const { auditChain, pool } = harness.services;
    const one = await operator();
    const form_token = formToken(await one.ask("GET", "/console/audit"));
    await auditChain.link();
    const verified = await one.ask("POST", "/console/audit/verify", { form_token });
    expect(verified.html).toContain("The record is as it was written");
    await auditChain.link();
    const exported = await one.ask("POST", "/console/audit/export", { form_token });
    expect(exported.headers["content-disposition"]).toBe('attachment; filename="audit.jsonl"');
    const lines = exported.html.trimEnd().split("\n");
    const printed = await Array.fromAsync(await exportLines({ pool, auditChain }));
    expect(lines.slice(0, -1)).toEqual(
      printed.slice(0, lines.length - 1).map((line) => line.trim()),
    );
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      checkpoint: { position: lines.length - 1 },
    });
    await harness.database.query(
      "insert into audit_entries (at, action, client_id) values (now(), 'token.issued', 'x')",
    );
    const found = await one.ask("POST", "/console/audit/verify", { form_token });
    expect(found.html).toContain("The record is not as it was written");
    expect(found.html).toMatch(/entry \d+ has no MAC/);
    await harness.database.query("update audit_head set position = 0");
    const cut = await one.ask("POST", "/console/audit/export", { form_token });
    expect([cut.status, cut.html]).toEqual([
      400,
      expect.stringContaining("The end of the audit record was changed"),
    ]);
    expect(cut.headers["content-disposition"]).toBeUndefined();
    const other = await developer(victim);
    const form = { form_token: formToken(await other.ask("GET", "/console/audit")) };
    for (const button of ["verify", "export"])
      expect((await other.ask("POST", `/console/audit/${button}`, form)).status).toBe(404);
  });

  test("a test webhook is the one that the sandbox sends, after its first poll", async () => {
    const owner = await harness.createClient();
    const { clients, sandbox } = harness.services;
    await clients.update(owner.client, { webhookUri: "https://app.example.com/webhooks" });
    const { tokenId } = await harness.connect({ client: owner });
    const one = await developer(owner);
    const at = `/console/connections/${tokenId}`;
    const form_token = formToken(await one.ask("GET", at));
    const press = async () =>
      (await one.ask("POST", `${at}/webhook`, { form_token })).headers["location"];
    const hour = async (): Promise<number> =>
      (await sandbox.describe(await sandbox.find(tokenId, owner.client.clientId))).hour;
    expect([await press(), await hour()]).toEqual([`${at}?done=firstPoll`, 0]);
    await runWebhookJobs(harness.services);
    harness.clock.advance(120);
    expect([await press(), await hour()]).toEqual([`${at}?done=webhook`, 1]);
    const [entry] = await harness.services.audit.list(harness.services.pool, {
      limit: 50,
      clientId: owner.client.clientId,
    });
    expect(entry?.detail["asked_by"]).toMatch(/^developer /);
  });

  test("a client is made, changed as the API would take it, and its secret shown once", async () => {
    const one = await operator();
    const form_token = formToken(await one.ask("GET", "/console/clients/new"));
    const redirect_uris = "https://app.example.com/callback";
    const refused = await one.ask("POST", "/console/clients", {
      form_token,
      name: "New",
      redirect_uris: "http://app.example.com/",
    });
    expect([refused.status, refused.html]).toEqual([
      400,
      expect.stringContaining("Redirect addresses: "),
    ]);
    const made = await one.ask("POST", "/console/clients", {
      form_token,
      name: "New",
      redirect_uris,
      require_pkce: "on",
    });
    const [clientId = ""] = /[0-9A-F]{8}(?:-[0-9A-F]{8}){3}/.exec(made.html) ?? [];
    const [secret = ""] = /rc_cs_dev_\w+/.exec(made.html) ?? [];
    expect(await harness.services.clients.authenticate(clientId, secret)).toBeDefined();
    const path = `/console/clients/${clientId}`;
    expect((await one.ask("GET", path)).html).not.toContain(secret);
    const change = { form_token, name: "Newer", redirect_uris, webhook_uri: "", event_uri: "" };
    const saved = await one.ask("POST", path, {
      ...change,
      require_pkce: "on",
      revision: "2",
      purpose: "Pay",
      brand_color: "#8A1F5A",
    });
    expect(saved.status).toBe(303);
    expect(await harness.services.clients.find(clientId)).toMatchObject({
      name: "Newer",
      requirePkce: true,
      purpose: "Pay",
      brandColor: "#8a1f5a",
      webhookUri: null,
    });
    const late = await one.ask("POST", path, { ...change, revision: "1" });
    expect([late.status, late.html]).toEqual([400, expect.stringContaining("Somebody changed")]);
  });

  test("PKCE is the operator's to demand; a developer who saves the settings leaves it as it is", async () => {
    const owner = await harness.createClient();
    const [one, dev] = [await operator(), await developer(owner)];
    const save = async (by: ConnectVisitor, also: Record<string, string>): Promise<void> => {
      const page = await by.ask("GET", pathOf(owner));
      const [, revision = ""] = /name="revision" value="(\d+)"/.exec(page.html) ?? [];
      const fields = { name: "Test", redirect_uris: redirectUri, revision, ...also };
      await by.ask("POST", pathOf(owner), { form_token: formToken(page), ...fields });
    };
    const found = async () => await harness.services.clients.find(owner.client.clientId);
    await save(dev, { require_pkce: "on" });
    expect(await found()).toMatchObject({ requirePkce: false, allowSandbox: false });
    await save(one, { require_pkce: "on" });
    expect(await found()).toMatchObject({ requirePkce: true });
    await save(dev, { allow_sandbox: "on" });
    expect(await found()).toMatchObject({ requirePkce: true, allowSandbox: true });
    const has = async (by: ConnectVisitor): Promise<boolean> =>
      (await by.ask("GET", pathOf(owner))).html.includes('name="require_pkce"');
    expect([await has(one), await has(dev)]).toEqual([true, false]);
  });
});

const pathOf = ({ client }: Owner): string => `/console/clients/${client.clientId}`;

describe("the end of a client", () => {
  test("is asked for again with how many connections end, and is shown until it is done", async () => {
    const owner = await harness.createClient();
    const beside = await harness.createClient();
    for (let made = 0; made < 2; made += 1) await harness.connect({ client: owner });
    const [one, dev] = [await operator("jo"), await developer(owner)];
    const page = await one.ask("GET", pathOf(owner));
    expect(page.html).toContain("its connections, now 2, are disconnected");
    const form_token = formToken(page);
    const ended = await one.ask("POST", `${pathOf(owner)}/end`, { form_token });
    expect(ended.headers["location"]).toBe(`${pathOf(owner)}?done=clientEnded`);
    expect(await isInside(dev)).toBe(false);
    const shown = async (path: string): Promise<string> => (await one.ask("GET", path)).html;
    expect(await shown(pathOf(owner))).toMatch(/Being ended(?!.*<form method="post"[^>]*\/end")/s);
    const lists = async (query: string) => {
      const html = await shown(`/console/clients${query}`);
      return [owner, beside].map(({ client }) => html.includes(client.clientId));
    };
    expect([await lists(""), await lists("?state=ended")]).toEqual([
      [false, true],
      [true, false],
    ]);
    const signal = new AbortController().signal;
    await endClients(harness.services, signal);
    await harness.services.events.place();
    await endClients(harness.services, signal);
    expect(await shown(pathOf(owner))).toMatch(/>Ended<.*left<\/dt><dd>0</s);
    const [entry] = await harness.database.query(
      `select detail from audit_entries where client_id = '${owner.client.clientId}' and action = 'client.ended'`,
    );
    expect(entry?.["detail"]).toMatchObject({ asked_by: "operator jo" });
  });

  test("is for operators alone", async () => {
    const owner = await harness.createClient();
    const dev = await developer(owner);
    const page = await dev.ask("GET", pathOf(owner));
    expect(page.html).not.toContain("/end");
    const form = { form_token: formToken(page) };
    expect((await dev.ask("POST", `${pathOf(owner)}/end`, form)).status).toBe(404);
    expect(await isInside(dev)).toBe(true);
  });
});

describe("Try", () => {
  const path = "/console/try";

  /** Sends the form, and works while the page waits for the first read. */
  async function trySandbox(one: ConnectVisitor, fields: Record<string, string>): Promise<Seen> {
    const form_token = formToken(await one.ask("GET", path));
    const asking = one.ask("POST", path, { form_token, ...fields });
    for (;;) {
      const answered = await Promise.race([asking, harness.drain()]);
      if (answered) return answered;
    }
  }

  test("connects the sandbox for a developer, with first data and calls that work as they stand", async () => {
    const owner = await harness.createClient();
    const other = await harness.createClient();
    const one = await developer(owner);
    const made = await trySandbox(one, { scenario: "user_good", client: other.client.clientId });
    expect(made.html).toMatch(/[1-9]\d* employees were read/);
    const [bearer = ""] = /rc_at_dev_\w+/.exec(made.html) ?? [];
    const { status, body } = await harness.http.get("/2023-03-01/xhr/employees", { bearer });
    expect(status).toBe(200);
    expect(made.html).toContain(`${(body as unknown[]).length} employees were read`);
    const [tokenId = ""] = /(?<=console\/connections\/)[0-9a-f-]{36}/.exec(made.html) ?? [];
    expect(await harness.services.tokens.ownerOf(tokenId)).toBe(owner.client.clientId);
    const { audit, pool } = harness.services;
    const [entry] = await audit.list(pool, { limit: 1, clientId: owner.client.clientId });
    expect(entry?.detail["asked_by"]).toMatch(/^developer /);
    // Without an address nothing can be sent: the page leads to where it is set.
    expect(made.html).toContain(`/console/clients/${owner.client.clientId}`);
    expect((await one.ask("GET", `/console/connections/${tokenId}`)).html).not.toContain(bearer);
  });

  test("is of the client that an operator chose, and of what is listed alone", async () => {
    const { client } = await harness.createClient();
    const one = await operator();
    const made = await trySandbox(one, { scenario: "user_empty", client: client.clientId });
    expect(made.html).toContain("0 employees were read");
    const unknown = await trySandbox(one, { scenario: "user_mfa2", client: client.clientId });
    expect([unknown.status, unknown.html]).toEqual([400, expect.stringContaining("Choose one")]);
    expect((await trySandbox(one, { scenario: "user_good", client: "nobody" })).status).toBe(404);
  });
});

/** The employees of a new connection are read. */
async function read(owner: Owner, user: string): Promise<void> {
  const { token } = await harness.connect({ client: owner as never, user });
  await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
  await harness.drain();
  await noteCounts(harness.services);
}

describe("the plots", () => {
  const captions = /<figcaption>([^]+?)<\/figcaption>/g;
  const readsOf = async (one: ConnectVisitor, before: string): Promise<string | undefined> => {
    const { html } = await one.ask("GET", "/console");
    const words = [...html.matchAll(captions)].map(([, caption = ""]) =>
      caption
        .replaceAll(/<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
    return words.find((each) => each.startsWith("Reads ") && each.endsWith(before));
  };
  const day = "in the 24 hours before";
  const month = "in the 30 days before";

  test("have the own client's work for a developer, and that of all for an operator, also of the time before", async () => {
    const [owner, other] = [await harness.createClient(), await harness.createClient()];
    await read(other, "user_good");
    await harness.database.query("delete from console_counts where client_id = ''");
    await read(owner, "user_good");
    await read(owner, "user_expired");
    await read(other, "user_good");
    expect([
      await readsOf(await developer(owner), day),
      await readsOf(await developer(other), month),
      await readsOf(await operator(), day),
    ]).toEqual([
      `Reads 2, 50.0 % with success 0 ${day}`,
      `Reads 2, 100 % with success 0 ${month}`,
      `Reads 3, 66.7 % with success 0 ${day}`,
    ]);
    harness.clock.advance(24 * 3_600);
    await read(owner, "user_good");
    expect(await readsOf(await developer(owner), day)).toBe(`Reads 1, 100 % with success 2 ${day}`);
    harness.clock.advance(30 * 24 * 3_600);
    await removeOldRows(harness.services);
    const one = await developer(owner);
    expect(await readsOf(one, month)).toBe(`Reads none 3 ${month}`);
    const { html } = await one.ask("GET", "/console");
    expect(html).toMatch(
      /The last 24 hours<\/h2><p class="empty">Nothing was read, polled or sent\./,
    );
    const hours = "select from console_counts where seconds = 3600";
    expect(await harness.database.query(hours)).toHaveLength(0);
  });

  test("lose nothing of a minute in which the database could not be asked", async () => {
    const owner = await harness.createClient();
    const { work } = harness.services.metrics;
    const counted = {
      clientId: owner.client.clientId,
      what: "reads",
      provider: "odoo",
      outcome: "stored",
    } as const;
    await harness.database.query("alter table console_counts rename to gone");
    work.add(counted);
    await expect(noteCounts(harness.services)).rejects.toThrow(/console_counts/);
    await harness.database.query("alter table gone rename to console_counts");
    work.add(counted);
    await noteCounts(harness.services);
    const rows = await harness.database.query(
      "select times::integer from console_counts where client_id = $1 and seconds = 3600",
      [owner.client.clientId],
    );
    expect(rows).toEqual([{ times: 2 }]);
  });
});

async function agesOf(one: ConnectVisitor): Promise<string[]> {
  const { html } = await one.ask("GET", "/console");
  const [, part = ""] = /How old what is stored is(.+?)<\/section>/s.exec(html) ?? [];
  return [...part.matchAll(/<dd>([^<]+)/g)].map(([, value = ""]) => value);
}

describe("how old what is stored is", () => {
  test("is said of the own connections, and of a part of them when there are many", async () => {
    const [owner, other] = [await harness.createClient(), await harness.createClient()];
    for (const [of, count] of [
      [owner, 20],
      [other, 1_200],
    ] as const)
      await harness.database.query(
        `with made as (
           insert into connections (id, client_id, token_id, provider, mode, scopes, key_id, wrapped_key, sealed_session,
             sealed_identity, unsupported, created_at, signed_in_at, claimed_at, expires_at, origin_key)
           select gen_random_uuid(), $1, lpad(to_hex(n), 32, '0')::uuid, 'odoo', 'xhr', '{employees}', 'k', '', '', '',
             '{}', now(), now(), now(), now(), '' from generate_series($2::integer + 1, 2 * $2::integer) n
           returning id)
         insert into snapshots (connection_id, resource, parameters, version, fetched_at, sealed_body)
         select id, 'employees', '', 'v', service_now() - make_interval(mins => 2 * (row_number() over ())::integer), '' from made`,
        [of.client.clientId, count],
      );
    expect(await agesOf(await developer(owner))).toEqual([
      "21 min",
      "38 min",
      "20, of all connections",
    ]);
    const [median, , of] = await agesOf(await developer(other));
    expect([median, of]).toEqual(["32 h", "500, of the 500 newest connections"]);
    await harness.database.query("analyze connections");
    const [, , some = ""] = await agesOf(await operator());
    expect(some).toMatch(/^\d{2,3}, of [\d,]+ connections, chosen at random$/);
  });
});

async function linesOf(one: ConnectVisitor): Promise<string[]> {
  const { html } = await one.ask("GET", "/console/providers");
  const [, part = ""] = /The last 24 hours<\/h2>(.+?)<\/section>/s.exec(html) ?? [];
  return [...part.matchAll(/<li>([^<]+)/g)].map(([, fact = ""]) => fact);
}

describe("the line of a provider", () => {
  test("has the own reads and how long they took, quotas, and why sign-ins failed", async () => {
    const [owner, other] = [await harness.createClient(), await harness.createClient()];
    const { metrics, quotas } = harness.services;
    for (const user of ["user_good", "user_good", "user_expired"]) {
      const { token } = await harness.connect({ client: owner, user });
      await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
    }
    await harness.drain();
    const work = workSignIns(harness);
    const end = visitor({});
    for (const username of ["user_bad_password", "user_good"]) {
      const page = await end.begin(linkPath(owner.client));
      await end.send(page, "sign-in", { username, password: "anything" });
    }
    await work.stop();
    const ownReads = { provider: "sandbox", clientId: owner.client.clientId };
    // With the two that were stored at once they are 20: the median is the lowest of 18, the 95th percentile the highest.
    for (let count = 0; count < 16; count += 1) metrics.measureRead(ownReads, 4_000);
    for (let count = 0; count < 2; count += 1) metrics.measureRead(ownReads, 15_000);
    for (let count = 0; count < 12; count += 1) {
      await quotas.draw("sage-hr", { company: "a" }, AbortSignal.timeout(20_000));
      await harness.database.query("delete from quota_places");
    }
    await noteCounts(harness.services);
    expect(await linesOf(await developer(owner))).toEqual([
      "3 reads",
      "66.7 % with success",
      "half within 3.5 s",
      "95 of 100 within 15 s",
      "2 sign-ins",
      "1 failed: wrong name, password or key",
    ]);
    expect(await linesOf(await developer(other))).toEqual([]);
    expect(await linesOf(await operator())).toContain(
      "20 % of a quota in use at most, in this hour and the one before",
    );
  });
});
