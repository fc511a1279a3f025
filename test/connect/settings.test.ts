import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { en } from "../../src/connect/texts/en.ts";
import { defineProvider, type ProviderMode, type Settings } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { AskingProvider, helpUrl } from "../support/asking-provider.ts";
import {
  ConnectVisitor,
  hiddenFields,
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

const read: Settings[] = [];

/** With settings that count for timesheets alone, and for all. */
const choosy = defineProvider({
  apiVersion: 1,
  name: "choosy",
  title: "Choosy",
  modes: {
    xhr: {
      form: z.object({
        username: formField({ title: "User name" }),
        password: formField({ title: "Password", isSecret: true }),
        hours: formField({
          title: "Hours worked",
          isSetting: true,
          resources: ["timesheets"],
          choices: [
            { value: "clock", title: "Clock" },
            { value: "projects", title: "Projects" },
          ],
        }).optional(),
        digits: formField(
          { title: "Digits", isSetting: true },
          z.string().regex(/^\d*$/, { error: "Please type digits." }),
        ).optional(),
      }),
      account: ({ username = "" }) => ({ login: username }),
      login: async () => ({ session: {} }),
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Ann", email: "ann@choosy.example", phone_number: null }),
      resources: {
        groups: {
          async *fetch({ settings }) {
            read.push(settings);
            yield [];
          },
          map: () => null,
        },
      },
    },
  },
});

const asking = new AskingProvider();
let harness: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness({
    registry: new ProviderRegistry([sandbox, asking.definition, choosy]),
  });
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

const openChoosy = async (scope: string): Promise<Seen> =>
  new ConnectVisitor(harness.baseUrl).open(linkPath(owner.client, { provider: "choosy", scope }));
const folded = ({ html }: Seen): string =>
  /<details class="settings">(.*?)<\/details>/s.exec(html)?.[1] ?? "";

describe("a setting that can stay as it is", () => {
  const groups = "/2023-03-01/xhr/groups";
  const who = { username: "ann", password: "x" };
  const session = async (json: Record<string, unknown>) =>
    harness.http.post("/2023-03-01/management/connect-session", {
      basic: [owner.client.clientId, owner.secret],
      json: { redirect_uri: redirectUri, scope: groups, provider: "choosy", ...json },
    });

  /** Signs in by a link of a session, and gets the token. */
  async function connectBy(json: Record<string, unknown>, fields: Record<string, string>) {
    const { stop } = workSignIns(harness);
    const reply = await session(json);
    const { connect_url: link } = reply.body as { connect_url: string };
    const visitor = new ConnectVisitor(harness.baseUrl);
    const form = await visitor.open(link.replace("https://api.example.com", ""));
    const { left = "" } = await visitor.submit(form, { ...who, ...fields });
    await stop();
    harness.clock.advance(1);
    const body = exchangeBody({ ...owner, code: new URL(left).searchParams.get("code") ?? "" });
    const made = await harness.http.post("/2023-03-01/management/token", { json: body });
    const { access_token: token } = made.body as { access_token: string };
    return { form, token, tokenId: await newestToken(harness.services, owner.client) };
  }

  test("is folded, and asked for only where what it counts for is read", async () => {
    const hours = folded(await openChoosy(`${groups} /2023-03-01/xhr/timesheets`));
    expect([hours.includes('name="hours"'), hours.includes('name="digits"')]).toEqual([true, true]);
    const without = await openChoosy(groups);
    expect(without.html).not.toContain("Hours worked");
    expect(folded(without)).toContain('name="digits"');
  });

  test("unfolds when it was refused, with the error at it", async () => {
    const visitor = new ConnectVisitor(harness.baseUrl);
    const path = linkPath(owner.client, { provider: "choosy", scope: groups });
    const refused = await visitor.submit(await visitor.open(path), { ...who, digits: "six" });
    expect(refused.html).toContain('<details class="settings" open>');
    expect(refused.html).toContain('<p class="error" id="field-digits-error">Please type digits.');
  });

  test("is not asked for when the client's server has chosen it, and counts", async () => {
    read.length = 0;
    const settings = { digits: "42", hours: "projects" };
    const { form, token } = await connectBy({ settings }, { digits: "1" });
    expect(form.html).not.toContain('name="digits"');
    await readGroups(token);
    expect(read).toEqual([settings]);
  });

  test.each([
    [{ settings: { digits: "six" } }, "settings.digits: Please type digits."],
    [{ settings: { password: "x" } }, "settings: choosy has no such setting; it has hours, digits"],
    [{ settings: { digits: "1" }, provider: undefined }, "settings: need a provider"],
  ])("is refused of a client as the form refuses it: %j", async (json, error) => {
    expect(await session(json)).toMatchObject({ status: 400, body: { validation_error: error } });
  });

  test("is changed beside the accesses, without signing in again, for the next read", async () => {
    read.length = 0;
    const { token, tokenId } = await connectBy({}, { digits: "7" });
    const { stop } = workSignIns(harness);
    const visitor = new ConnectVisitor(harness.baseUrl);
    const first = await visitor.open("/connect/accesses");
    const form = await visitor.send(first, "sign-in", { choice: "choosy/xhr" });
    expect(form.html).not.toContain('name="digits"');
    const list = await visitor.submit(form, who);
    await stop();
    const page = await visitor.open(`${list.path}?settings=${tokenId}`);
    expect(page.html).toContain('value="7"');
    expect(page.html).not.toContain("Hours worked");
    const refused = await visitor.send(page, "settings", { digits: "six" });
    expect(textOf(refused)).toContain("Please type digits.");
    expect(refused.html).toContain('value="six"');
    const saved = await visitor.send(refused, "settings", { digits: "8", hours: "projects" });
    expect(textOf(saved)).toContain("The settings have been saved.");
    await readGroups(token);
    expect(read).toEqual([{ digits: "8" }]);
    const audited = await harness.database.query(
      "select detail from audit_entries where token_id = $1 and action = 'connection.settings-changed'",
      [tokenId],
    );
    expect(audited).toEqual([{ detail: { names: ["digits"] } }]);
  });

  test("of somebody else's account cannot be changed", async () => {
    const { tokenId } = await connectBy({}, { username: "victim", digits: "7" });
    const { stop } = workSignIns(harness);
    const visitor = new ConnectVisitor(harness.baseUrl);
    const first = await visitor.open("/connect/accesses");
    const form = await visitor.send(first, "sign-in", { choice: "choosy/xhr" });
    const list = await visitor.submit(form, { username: "thief", password: "x" });
    await stop();
    const fields = { ...hiddenFields(list, "close"), token: tokenId, digits: "9" };
    await visitor.ask("POST", `${list.path}/settings`, fields);
    const page = await visitor.open(`${list.path}?settings=${tokenId}`);
    expect(page.html).not.toContain('name="digits"');
    const { settings } = (await harness.services.connections.loadByToken(tokenId)) ?? {};
    expect(settings).toEqual({ digits: "7" });
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
    ["has resources and is no setting", formField({ ...field, resources: ["timesheets"] })],
    [
      "has resources and is required",
      formField({ ...field, isSetting: true, resources: ["timesheets"] }),
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
