import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { createHarness, type Harness } from "../support/harness.ts";

interface Entry {
  mode: string;
  providers: string[];
}

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const list = async (): Promise<Entry[]> => (await harness.http.get("/providers")).body as Entry[];

describe("200", () => {
  test("is an array of entries that have only a mode and its providers", async () => {
    const reply = await harness.http.get("/providers");
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    for (const entry of reply.body as Entry[])
      expect(Object.keys(entry).sort()).toEqual(["mode", "providers"]);
  });

  test("has one entry for each mode", async () => {
    expect((await list()).map(({ mode }) => mode).sort()).toEqual(["official", "xhr"]);
  });

  test("names the sandbox in both modes", async () => {
    for (const { providers } of await list()) expect(providers).toContain("sandbox");
  });

  test("names each provider once in a mode, in the same order every time", async () => {
    const [one, other] = [await list(), await list()];
    for (const { providers } of one) expect(new Set(providers).size).toBe(providers.length);
    expect(other).toEqual(one);
  });

  test("names exactly the providers that have the mode", async () => {
    const { registry } = harness.services;
    for (const { mode, providers } of await list()) {
      expect(providers.filter((name) => !registry.findMode(name, mode as "xhr"))).toEqual([]);
      expect(
        registry
          .list()
          .filter((definition) => definition.modes[mode as "xhr"])
          .map(({ name }) => name)
          .filter((name) => !providers.includes(name)),
      ).toEqual([]);
    }
  });

  test("needs no credential and ignores one", async () => {
    for (const authorization of [
      "Bearer nonsense",
      "Basic !",
      `Bearer ${harness.sandboxToken}`,
      "",
    ]) {
      expect((await harness.http.get("/providers", { headers: { authorization } })).status).toBe(
        200,
      );
    }
  });

  test("has no version in its path", async () => {
    expect((await harness.http.get("/2023-03-01/providers")).status).toBe(404);
  });

  test("ignores a query", async () => {
    expect((await harness.http.get("/providers?mode=xhr&mode=official")).body).toEqual(
      await list(),
    );
  });
});

const named = (name: string, modes: Partial<ProviderDefinition["modes"]>): ProviderDefinition => ({
  ...sandbox,
  name,
  modes,
});

describe("with other providers", () => {
  let other: Harness;

  beforeAll(async () => {
    const { xhr, official } = sandbox.modes;
    other = await createHarness({
      registry: new ProviderRegistry([
        sandbox,
        named("zeta", { ...(official && { official }) }),
        named("acme", { ...(xhr && { xhr }) }),
      ]),
    });
  });
  afterAll(() => other.close());

  test("lists each of them only under the modes that it offers", async () => {
    const entries = (await other.http.get("/providers")).body as Entry[];
    expect(ofModes(entries)).toEqual({
      official: ["sandbox", "zeta"],
      xhr: ["acme", "sandbox"],
    });
  });
});

const ofModes = (entries: Entry[]): Record<string, string[]> =>
  Object.fromEntries(entries.map(({ mode, providers }) => [mode, providers.toSorted()]));

describe("the built-in providers", () => {
  test("that are signed in to by OAuth2 are left out without an application of the operator's", async () => {
    expect(ofModes(await list())).toEqual({
      official: ["employment-hero", "odoo", "personio", "sandbox"],
      xhr: [
        "bamboohr",
        "employment-hero",
        "factorial",
        "frappe-hr",
        "hibob",
        "odoo",
        "sage-hr",
        "sandbox",
        "staffology",
      ],
    });
  });

  test("are each in all their modes with the applications of the environment", async () => {
    const names = ["XERO", "BAMBOOHR", "GUSTO", "FACTORIAL"].flatMap((name) => [
      [`PROVIDER_${name}_CLIENT_ID`, "id"],
      [`PROVIDER_${name}_CLIENT_SECRET`, "secret"],
    ]);
    const offering = await createHarness({
      env: Object.fromEntries(names) as Record<string, string>,
    });
    const { body } = await offering.http.get("/providers");
    await offering.close();
    expect(ofModes(body as Entry[])).toEqual({
      official: [
        "bamboohr",
        "employment-hero",
        "factorial",
        "gusto",
        "odoo",
        "personio",
        "sandbox",
        "xero",
      ],
      xhr: [
        "bamboohr",
        "employment-hero",
        "factorial",
        "frappe-hr",
        "gusto",
        "hibob",
        "odoo",
        "sage-hr",
        "sandbox",
        "staffology",
        "xero",
      ],
    });
  });
});

test("is answered without a database", async () => {
  const alone = await createHarness();
  await alone.services.pool.end();
  expect((await alone.http.get("/providers")).status).toBe(200);
  await alone.close().catch(() => undefined);
  await alone.database.drop();
});
