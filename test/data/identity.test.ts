import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Mode } from "../../src/model/index.ts";
import { countFetches, signInAgain, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const url = (mode: Mode = "xhr"): string => `${version}/${mode}/identity`;

describe("200", () => {
  test.each<Mode>(["xhr", "official"])(
    "identity of mode %s is one object, there at once, and no job is made for it",
    async (mode) => {
      const { token, tokenId } = await harness.connect({ mode });
      const reply = await harness.http.get(url(mode), { bearer: token });
      expect(reply.status).toBe(200);
      expect(Object.keys(reply.body as object).sort()).toEqual(["email", "name", "phone_number"]);
      expect(reply.body).toMatchObject({
        name: expect.stringMatching(/./),
        email: expect.stringMatching(/^\S+@\S+$/),
      });
      expect(await countFetches(harness, tokenId)).toBe(0);
    },
  );

  test.each<[string, Record<string, string>]>([
    ["Cache-Control: no-cache", { "cache-control": "no-cache" }],
    ["Prefer: wait", { prefer: "wait=5" }],
  ])("%s changes nothing: identity is never pending", async (_name, headers) => {
    const { token } = await harness.connect();
    harness.clock.advance(7 * 24 * 3600);
    expect((await harness.http.get(url(), { bearer: token, headers })).status).toBe(200);
  });

  test.each([
    "user_down",
    "user_expired",
    "user_slow",
    "user_limited",
    "user_no_payroll",
    "user_sparse",
    "user_large",
    "user_empty",
  ])("identity of %s was captured at sign-in", async (user) => {
    const { token } = await harness.connect({ user });
    expect((await harness.http.get(url(), { bearer: token })).status).toBe(200);
  });

  test("a phone number that the provider does not know is null", async () => {
    const { token } = await harness.connect({ user: "user_sparse" });
    expect((await harness.http.get(url(), { bearer: token })).body).toMatchObject({
      phone_number: null,
    });
  });

  test("it is as old as the sign-in, which a further one renews", async () => {
    const { token, tokenId } = await harness.connect();
    const signedInAt = harness.clock.now();
    harness.clock.advance(120);
    const reply = await harness.http.get(url(), { bearer: token });
    expect(reply.headers["age"]).toBe("120");
    expect(reply.headers["last-modified"]).toBe(signedInAt.toUTCString());
    expect(reply.headers["cache-control"]).toBe("private, no-store");
    await signInAgain(harness, tokenId);
    expect((await harness.http.get(url(), { bearer: token })).headers["age"]).toBe("0");
  });

  test("parameters of the query are ignored", async () => {
    const { token } = await harness.connect();
    expect(
      (await harness.http.get(`${url()}?id=1&id=2&start_date=x`, { bearer: token })).status,
    ).toBe(200);
  });
});

describe("304", () => {
  test("the entity tag of the reply says that nothing changed", async () => {
    const { token } = await harness.connect();
    const { headers } = await harness.http.get(url(), { bearer: token });
    expect(headers["etag"]).toMatch(/^W\/"[^"]+"$/);
    const reply = await harness.http.get(url(), {
      bearer: token,
      headers: { "if-none-match": String(headers["etag"]) },
    });
    expect(reply.status).toBe(304);
    expect(reply.bytes).toHaveLength(0);
  });
});

describe("401", () => {
  test("a refusal by the provider is answered here too, until somebody signs in again", async () => {
    const { token, tokenId } = await harness.connect({ user: "user_expired" });
    await harness.http.get(`${version}/xhr/company`, { bearer: token });
    await harness.drain();
    const refused = await harness.http.get(url(), { bearer: token });
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({
      error: "authentication_error",
      code: "reauthentication_required",
    });
    await signInAgain(harness, tokenId);
    expect((await harness.http.get(url(), { bearer: token })).status).toBe(200);
  });
});
