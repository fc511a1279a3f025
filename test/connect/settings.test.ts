import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { en } from "../../src/connect/texts/en.ts";
import { defineProvider, type ProviderMode } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { AskingProvider, helpUrl } from "../support/asking-provider.ts";
import {
  ConnectVisitor,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import {
  createHarness,
  exchangeBody,
  newestToken,
  redirectUri,
  type Harness,
} from "../support/harness.ts";

const asking = new AskingProvider();
let harness: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness({ registry: asking.registry() });
  owner = await harness.createClient();
});
afterAll(() => harness.close());
beforeEach(() => asking.reset());

const typed = { username: "none", password: "x", region: "us" };

async function openForm(locale = "en"): Promise<{ visitor: ConnectVisitor; form: Seen }> {
  const visitor = new ConnectVisitor(harness.baseUrl);
  return {
    visitor,
    form: await visitor.open(linkPath(owner.client, { provider: "asking", locale })),
  };
}

/** Signs in on the pages, while a worker works, and gets the token. */
async function connect(fields: Record<string, string>, answer?: string) {
  const { stop } = workSignIns(harness);
  const { visitor, form } = await openForm();
  let page = await visitor.submit(form, fields);
  if (answer !== undefined) page = await visitor.answer(page, answer);
  await stop();
  const code = new URL(page.left ?? "").searchParams.get("code") ?? "";
  // Tokens of one moment have no order.
  harness.clock.advance(1);
  const body = exchangeBody({ ...owner, code });
  const reply = await harness.http.post("/2023-03-01/management/token", { json: body });
  return {
    token: (reply.body as { access_token: string }).access_token,
    tokenId: await newestToken(harness.services, owner.client),
  };
}

async function readGroups(token: string): Promise<void> {
  const options = { bearer: token, headers: { "cache-control": "no-cache" } };
  await harness.http.get("/2023-03-01/xhr/groups", options);
  await harness.drain();
}

async function openAgain(tokenId: string): Promise<{ visitor: ConnectVisitor; form: Seen }> {
  const reply = await harness.http.post("/2023-03-01/management/connect-session", {
    basic: [owner.client.clientId, owner.secret],
    json: { token: tokenId, redirect_uri: redirectUri },
  });
  const { connect_url: link } = reply.body as { connect_url: string };
  const visitor = new ConnectVisitor(harness.baseUrl);
  return { visitor, form: await visitor.open(link.replace("https://api.example.com", "")) };
}

describe("a field with choices", () => {
  test("is a select whose first choice is chosen, with help that opens in a new tab", async () => {
    const { form } = await openForm();
    expect(form.html).toMatch(
      /<select id="field-region" name="region"[^>]*><option value="eu">Europe<\/option><option value="us">/,
    );
    expect(form.html).toContain(
      `<a href="${helpUrl}" target="_blank" rel="noopener noreferrer">${en.form.where}`,
    );
    expect(textOf(form)).toContain(`(${en.form.newTab})`);
  });

  test("is in the language of the page as far as the adapter knows it, and is marked as English else", async () => {
    const { form } = await openForm("de");
    expect(form.html).toContain('<label for="field-region">Gegend</label>');
    expect(form.html).toContain(
      '<option value="eu">Europa</option><option value="us" lang="en">America</option>',
    );
  });

  test.each(["mars", "EU", "eu ", ""])("refuses %j, which is no choice", async (region) => {
    const { visitor, form } = await openForm();
    const refused = await visitor.send(form, "sign-in", { ...typed, region });
    expect(textOf(refused)).toMatch(/Please (choose one of these|fill in this field)\./);
    expect(refused.html).toContain('id="field-region-error"');
  });
});

describe("a setting", () => {
  test("is named on the page among what is kept", async () => {
    const { form } = await openForm();
    expect(textOf(form)).toContain(en.kept.settings.replace("{fields}", "Region"));
    const other = await new ConnectVisitor(harness.baseUrl).open(linkPath(owner.client));
    expect(textOf(other)).not.toContain(
      "is stored in encrypted form for as long as the connection",
    );
  });

  test("is given to the check and to every read, also when a challenge came between", async () => {
    const straight = await connect(typed);
    await readGroups(straight.token);
    const asked = await connect({ ...typed, username: "text", region: "eu" }, "blue");
    await readGroups(asked.token);
    expect(asking.settings).toEqual([{ region: "us" }, { region: "eu" }]);
    expect(asking.checkedSettings).toEqual(asking.settings);
  });

  test("is kept sealed", async () => {
    const { tokenId } = await connect(typed);
    const [row] = await harness.database.query(
      `select sealed_settings is not null as "isSealed", c::text as all from connections c where token_id = $1`,
      [tokenId],
    );
    expect(row).toMatchObject({ isSealed: true });
    expect(String(row?.["all"])).not.toContain(Buffer.from("region").toString("hex"));
  });

  test("is chosen already in a re-authentication, and may be changed there", async () => {
    const { token, tokenId } = await connect(typed);
    const { visitor, form } = await openAgain(tokenId);
    expect(form.html).toContain('<option value="us" selected>');
    expect(form.html).not.toContain('value="none"');
    const { stop } = workSignIns(harness);
    await visitor.submit(form, { ...typed, region: "eu" });
    await stop();
    await readGroups(token);
    expect(asking.settings).toEqual([{ region: "eu" }]);
  });
});

describe("a provider is refused at the start when a field", () => {
  const field = { title: "Region" };
  test.each([
    ["is a secret and a setting", formField({ ...field, isSecret: true, isSetting: true })],
    [
      "is a secret and has choices",
      formField({ ...field, isSecret: true, choices: [{ value: "a", title: "A" }] }),
    ],
    ["has no choices", formField({ ...field, choices: [] })],
    ["has a helpUrl", formField({ ...field, helpUrl: "http://asking.example" })],
    ["has a helpUrl", formField({ ...field, helpUrl: "javascript:alert(1)" })],
  ])("%s (%#)", (mistake, region) => {
    const mode = { form: z.object({ region }) } as unknown as ProviderMode;
    const wrong = defineProvider({
      apiVersion: 1,
      name: "wrong",
      title: "W",
      modes: { xhr: mode },
    });
    expect(() => new ProviderRegistry([wrong])).toThrow(
      `provider wrong: the field region ${mistake}`,
    );
  });
});
