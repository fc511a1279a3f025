import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { carried, ConnectVisitor, linkPath, workSignIns } from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";

const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

let harness: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness();
  owner = await harness.createClient();
  workSignIns(harness);
});
afterAll(() => harness.close());

/** A code of a link with the challenge, or without any. */
async function codeFor(challenge?: string): Promise<string> {
  const one = new ConnectVisitor(harness.baseUrl);
  const form = await one.open(
    linkPath(
      owner.client,
      challenge === undefined ? {} : { code_challenge: challenge, code_challenge_method: "S256" },
    ),
  );
  return (
    Object.fromEntries(
      carried(await one.submit(form, { username: "user_good", password: "anything" })),
    )["code"] ?? ""
  );
}

const exchange = (code: string, more: Record<string, unknown>): Promise<Reply> =>
  harness.http.post("/2023-03-01/management/token", {
    json: { ...exchangeBody({ ...owner, code }), ...more },
  });

describe("a code of a link that carried a challenge", () => {
  test("the pair of RFC 7636 fits", () => {
    expect(challengeOf(verifier)).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  });

  test.each([
    ["43", verifier],
    ["128", "A-._~z09".repeat(16)],
  ])("is worth a token with the right verifier of %s characters", async (_length, right) => {
    expect(
      (await exchange(await codeFor(challengeOf(right)), { code_verifier: right })).status,
    ).toBe(201);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["none", {}, "invalid_request: code_verifier"],
    ["null", { code_verifier: null }, "invalid_request: code_verifier"],
    ["an empty one", { code_verifier: "" }, "invalid_request: code_verifier"],
    ["another one", { code_verifier: `${verifier.slice(0, -1)}j` }, "invalid_grant: code_verifier"],
    [
      "the challenge itself, as the method plain would have it",
      { code_verifier: challengeOf(verifier) },
      "invalid_grant: code_verifier",
    ],
    [
      "one in other letters",
      { code_verifier: verifier.toUpperCase() },
      "invalid_grant: code_verifier",
    ],
    [
      "one of 42 characters",
      { code_verifier: verifier.slice(0, 42) },
      "invalid_request: code_verifier",
    ],
    ["one of 129 characters", { code_verifier: "a".repeat(129) }, "invalid_request: code_verifier"],
    [
      "one with characters that are none of a verifier",
      { code_verifier: `${verifier}=` },
      "invalid_request: code_verifier",
    ],
    [
      "one with a line break at its end",
      { code_verifier: `${verifier}\n` },
      "invalid_request: code_verifier",
    ],
    ["a list", { code_verifier: [verifier] }, "invalid_request: code_verifier"],
  ])(
    "is refused with %s, and still works with the right one",
    async (_what, more, validationError) => {
      const code = await codeFor(challengeOf(verifier));
      const reply = await exchange(code, more);
      expect(reply.status).toBe(400);
      expect(
        (reply.body as { validation_error: string }).validation_error.startsWith(validationError),
      ).toBe(true);
      expect((await exchange(code, { code_verifier: verifier })).status).toBe(201);
    },
  );

  test("is refused with the verifier of another sign-in", async () => {
    const [mine, theirs] = [verifier, `${verifier.slice(1)}x`];
    const code = await codeFor(challengeOf(mine));
    await codeFor(challengeOf(theirs));
    expect(await exchange(code, { code_verifier: theirs })).toMatchObject({
      status: 400,
      body: { validation_error: expect.stringMatching(/^invalid_grant/) },
    });
  });
});

describe("a code of a link without a challenge", () => {
  test("is worth a token without a verifier", async () => {
    expect((await exchange(await codeFor(), {})).status).toBe(201);
  });

  test("is refused with a verifier, which somebody else's code would come with, and still works without", async () => {
    const code = await codeFor();
    expect(await exchange(code, { code_verifier: verifier })).toMatchObject({
      status: 400,
      body: { validation_error: expect.stringMatching(/^invalid_request: code_verifier/) },
    });
    expect((await exchange(code, {})).status).toBe(201);
  });
});
