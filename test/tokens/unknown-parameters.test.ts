import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";

const url = "/2023-03-01/management/token";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** Names that mean something to a program, though nothing to this endpoint. */
const names = [
  "audience",
  "scope",
  "state",
  "",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "toJSON",
  "valueOf",
  "then",
  "length",
  "get",
  "keys",
  "parse",
  "withClient",
  "client_assertion",
  "access_token",
  "a\u0000b",
];

test.each(names)(
  "create token ignores a parameter that it does not know, whatever its name: %j",
  async (name) => {
    for (const value of ["x", 1, null, [], { a: 1 }]) {
      const reply = await harness.http.post(url, {
        json: { ...exchangeBody(await signIn(harness.services)), [name]: value },
      });
      expect([value, reply.status]).toEqual([value, 201]);
    }
  },
);

test.each(names)("and in a form too: %j", async (name) => {
  const signedIn = await signIn(harness.services);
  const body = new URLSearchParams([
    ...Object.entries(exchangeBody(signedIn)),
    [name, "x"],
  ]).toString();
  const reply = await harness.http.post(url, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  expect(reply.status).toBe(200);
});
