import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimited, Unavailable } from "../../src/model/index.ts";
import {
  ConnectVisitor,
  failUnknownFlow,
  headingOf,
  linkPath,
  textOf,
  unknownFlow,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, defaultLimits, type Harness } from "../support/harness.ts";
import { manyProviders, SlowProvider } from "./browser/providers.ts";

const anyone = { username: "user_good", password: "anything" };

const slow = new SlowProvider();
let harness: Harness;
let client: { clientId: string };
beforeAll(async () => {
  harness = await createHarness({ registry: manyProviders(slow) });
  ({ client } = await harness.createClient());
  workSignIns(harness);
});
afterAll(async () => {
  slow.answer();
  await harness.close();
});

const visitor = (): ConnectVisitor => new ConnectVisitor(harness.baseUrl);

async function signInAs(username: string): Promise<Seen> {
  const one = visitor();
  return await one.submit(await one.open(linkPath(client)), { ...anyone, username });
}

async function failWith(error: Error): Promise<Seen> {
  failUnknownFlow(harness, error);
  return await visitor().open(unknownFlow);
}

const pages: Record<string, [number, () => Promise<Seen>]> = {
  choose: [200, () => visitor().open(linkPath(client, { provider: undefined, tags: "many" }))],
  "sign-in": [200, () => visitor().open(linkPath(client))],
  refused: [200, () => signInAs("user_captcha")],
  code: [200, () => signInAs("user_mfa")],
  working: [
    200,
    async () => {
      const one = visitor();
      return await one.send(
        await one.open(linkPath(client, { provider: "slow" })),
        "sign-in",
        anyone,
      );
    },
  ],
  declined: [
    200,
    async () => {
      const one = visitor();
      const form = await one.begin(linkPath(client));
      await one.send(form, "decline");
      return await one.open(form.path);
    },
  ],
  "wrong redirect": [
    400,
    () => visitor().open(linkPath(client, { redirect_uri: "https://evil.example" })),
  ],
  unknown: [404, () => visitor().open(unknownFlow)],
  expired: [410, () => expiredPage()],
  forged: [
    403,
    async () => {
      const one = visitor();
      return await one.send(await one.begin(linkPath(client)), "sign-in", { form_token: "x" });
    },
  ],
  "too many": [429, () => failWith(new RateLimited(30))],
  unavailable: [503, () => failWith(new Unavailable("away", 5))],
  "a mistake of ours": [500, () => failWith(new Error("a mistake"))],
};

async function expiredPage(): Promise<Seen> {
  const one = visitor();
  const form = await one.begin(linkPath(client));
  harness.clock.advance(1_800);
  return await one.open(form.path);
}

describe("every page", () => {
  test.each(Object.keys(pages))(
    "%s: nothing from elsewhere, nothing inline, in no frame, kept by nobody, and no address told to others",
    async (name) => {
      const [status, find] = pages[name]!;
      const page = await find();
      expect(page.status).toBe(status);
      expect(page.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
        "strict-transport-security": expect.stringMatching(/^max-age=\d{7,}/),
      });
      const policy = String(page.headers["content-security-policy"]).split("; ");
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ]),
      );
      expect(policy.join(" ")).not.toMatch(/unsafe|\*|data:|https?:|nonce|sha256/);
      expect(page.html).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(page.html).not.toMatch(
        /<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=|javascript:|<iframe|<object|<base/i,
      );
      const addresses = [
        ...page.html.matchAll(/\s(?:href|src|action|srcset|poster|formaction)="([^"]*)"/g),
      ].map(([, address]) => address);
      expect(addresses.length).toBeGreaterThan(5);
      // The browser whose sign-in has expired is led back to the client's site.
      const ofClient = name === "expired" ? ["https://app.example.com/"] : [];
      expect(addresses.filter((address) => !address?.startsWith("/connect"))).toEqual(ofClient);
    },
  );

  test.each(["unknown", "expired", "forged", "too many", "unavailable", "a mistake of ours"])(
    "%s: names its request to whoever asks for help",
    async (name) => {
      const page = await pages[name]![1]();
      expect(textOf(page)).toContain(String(page.headers["x-request-id"]));
    },
  );

  test.each([
    ["too many", "30"],
    ["unavailable", "5"],
  ])("%s: says when to come again", async (name, seconds) => {
    expect((await pages[name]![1]()).headers["retry-after"]).toBe(seconds);
  });

  test("what it loads is there, for good, of the right kind", async () => {
    const page = await visitor().open(linkPath(client));
    const assets = [
      ...new Set(
        [...page.html.matchAll(/"(\/connect\/assets\/[^"]+)"/g)].map((match) => match[1] ?? ""),
      ),
    ];
    expect(assets).toHaveLength(3);
    for (const path of assets) {
      const asset = await visitor().ask("GET", path);
      expect(asset.status).toBe(200);
      expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(asset.headers["x-content-type-options"]).toBe("nosniff");
      expect(asset.headers["set-cookie"]).toBeUndefined();
    }
  });

  test.each([
    "/connect/assets/x/connect.css",
    "/connect/assets/../connect.ts",
    "/connect/assets/%2e%2e/connect.css",
    "/connect/assets/x/..%2f..%2fconfig.ts",
  ])("%s is no asset", async (path) => {
    expect((await visitor().ask("GET", path)).status).toBe(404);
  });
});

describe("the cookie", () => {
  test("is bound to this host, out of reach of scripts and other sites, and goes with the browser", async () => {
    const { headers } = await visitor().ask("GET", linkPath(client));
    const [session] = [headers["set-cookie"]].flat();
    expect(session?.split("; ").sort()).toEqual([
      "HttpOnly",
      "Path=/",
      "SameSite=Lax",
      "Secure",
      expect.stringMatching(/^__Host-rollcall=rc_bs_dev_[0-9A-Za-z]{49}$/),
    ]);
  });

  test("has a mark beside it, which stays for 90 days and opens no sign-in", async () => {
    const one = visitor();
    const { headers } = await one.ask("GET", linkPath(client));
    const [, mark] = [headers["set-cookie"]].flat();
    expect(mark?.split("; ").sort()).toEqual([
      "HttpOnly",
      "Max-Age=7776000",
      "Path=/",
      "SameSite=Lax",
      "Secure",
      expect.stringMatching(/^__Host-rollcall-mark=rc_bs_dev_[0-9A-Za-z]{49}$/),
    ]);
    const flow = await one.begin(linkPath(client));
    one.cookies.set("__Host-rollcall", one.cookies.get("__Host-rollcall-mark") ?? "");
    expect((await one.open(flow.path)).status).toBe(404);
    one.cookies.delete("__Host-rollcall");
    const again = await one.ask("GET", linkPath(client));
    expect(String(again.headers["set-cookie"])).toContain(
      `__Host-rollcall-mark=${one.cookies.get("__Host-rollcall-mark")};`,
    );
  });

  test("is one for all sign-ins of a browser, and made anew when it is none of ours", async () => {
    const one = visitor();
    await one.open(linkPath(client));
    const [cookie] = [...one.cookies.values()];
    const again = await one.ask("GET", linkPath(client));
    expect(String(again.headers["set-cookie"])).not.toContain("__Host-rollcall=");
    one.cookies.set("__Host-rollcall", `${cookie?.slice(0, -1)}!`);
    await one.open(linkPath(client));
    expect([...one.cookies.values()]).not.toContain(cookie);
  });

  test("is stored as a digest only", async () => {
    const one = visitor();
    const page = await one.begin(linkPath(client));
    const [row] = await harness.database.query(
      "select f::text as text from connect_flows f where id = $1",
      [page.path.split("/")[2]],
    );
    for (const cookie of one.cookies.values())
      expect(row?.["text"]).not.toContain(Buffer.from(cookie).toString("hex"));
  });
});

describe("without https, which only local mode has", () => {
  test("the cookie is a plain one, and no browser is told to insist on https", async () => {
    const local = await createHarness({
      database: harness.database,
      env: {
        PUBLIC_URL: "http://127.0.0.1:1",
        MASTER_KEYS: harness.environment["MASTER_KEYS"] ?? "",
      },
    });
    const page = await new ConnectVisitor(local.baseUrl).ask("GET", linkPath(client));
    const error = await new ConnectVisitor(local.baseUrl).ask("GET", unknownFlow);
    await local.close();
    const [session, mark] = [page.headers["set-cookie"]].flat();
    expect(session).toMatch(/^rollcall=rc_bs_dev_\w+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(mark).toMatch(
      /^rollcall-mark=rc_bs_dev_\w+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(error.headers["strict-transport-security"]).toBeUndefined();
  });
});

describe("rate limits", () => {
  test("the pages have a wide window, and say in a page when it is full", async () => {
    const limited = await createHarness({
      database: harness.database,
      env: { ...defaultLimits, MASTER_KEYS: harness.environment["MASTER_KEYS"] ?? "" },
    });
    const statuses: number[] = [];
    let last: Seen | undefined;
    for (let request = 0; request < 601; request += 1) {
      last = await new ConnectVisitor(limited.baseUrl).ask("GET", unknownFlow);
      statuses.push(last.status);
    }
    await limited.close();
    expect(statuses.filter((status) => status === 404)).toHaveLength(600);
    expect([last?.status, headingOf(last!)]).toEqual([429, "One moment, please"]);
    expect(Number(last?.headers["retry-after"])).toBeGreaterThan(0);
  });
});
