import { afterAll, beforeAll, expect, test } from "vitest";
import { createReauthenticationLink } from "../../src/connect/index.ts";
import { en } from "../../src/connect/texts/en.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { ConnectVisitor, textOf, workSignIns } from "../support/connect-visitor.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";

const { definition } = new StubProvider();
const { official } = definition.modes;
const registry = new ProviderRegistry([
  sandbox,
  { ...definition, modes: { official: { ...official!, keepsSecret: true } } },
]);
const ann = { username: "ann", api_key: "key-of-ann" };
const bob = { username: "bob", api_key: "key-of-bob" };

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry });
  workSignIns(harness);
});
afterAll(() => harness.close());

/** A connection of Ann's, and what a browser shows and is sent to when its link is followed as somebody. */
async function signInAgain(
  values: Record<string, string>,
  { mayChangeAccount = false } = {},
): Promise<{ left: string | undefined; text: string; session: unknown }> {
  const { services } = harness;
  const { client, tokenId } = await harness.connect({
    provider: "stub",
    mode: "official",
    formValues: ann,
  });
  const { credential } = await createReauthenticationLink(
    { ...services, environment: "dev" },
    client,
    { tokenId, mayChangeAccount },
  );
  const before = (await services.connections.loadByToken(tokenId))?.session;
  const visitor = new ConnectVisitor(harness.baseUrl);
  const form = await visitor.open(`/connect?session=${credential}`);
  const seen = await visitor.submit(form, values);
  const after = (await services.connections.loadByToken(tokenId))?.session;
  const session = JSON.stringify(after) === JSON.stringify(before) ? "before" : "new";
  return { left: seen.left, text: seen.left ? "" : textOf(seen), session };
}

const accepted = { left: expect.stringContaining(`${redirectUri}?`), text: "", session: "new" };

test("another account than the connection was made with is refused, in words, and changes nothing", async () => {
  expect(await signInAgain(bob)).toEqual({
    left: undefined,
    text: expect.stringContaining(
      en.problems["other-account"].replace("{provider}", "Stub").replace("{client}", "Test"),
    ),
    session: "before",
  });
});

test("a new key of the same account is accepted", async () => {
  expect(await signInAgain({ ...ann, api_key: "next-key-of-ann" })).toEqual(accepted);
});

test("another account is accepted when the operator's link says so", async () => {
  expect(await signInAgain(bob, { mayChangeAccount: true })).toEqual(accepted);
});
