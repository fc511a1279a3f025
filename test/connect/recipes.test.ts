import { z } from "zod";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineProvider, type ProviderDefinition } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import type { Recipe } from "../../src/providers/recipe.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { textsOf } from "../../src/connect/texts/index.ts";
import { ConnectVisitor, linkPath, textOf, type Seen } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { loadStaffdir } from "../support/staffdir.ts";

// The pages themselves, in a browser: test/connect/browser/recipes.e2e.test.ts.

type Box = NonNullable<Recipe["steps"][number]["drawing"]>[number];

const marked: Box = {
  x: 0,
  y: 0,
  width: 8,
  height: 1,
  look: "button",
  label: "New key",
  isMarked: true,
};
const plain: Recipe = {
  field: "key",
  title: "Where is the key?",
  steps: [{ text: "Open the settings.", drawing: [marked] }],
};

function provide(recipe: unknown, more: Partial<ProviderDefinition> = {}): ProviderDefinition {
  return defineProvider({
    apiVersion: 1,
    name: "acme",
    title: "Acme",
    ...more,
    modes: {
      xhr: {
        form: z.object({
          site: formField({ title: "Site" }),
          key: formField({ title: "The key", isSecret: true }),
        }),
        recipe: recipe as Recipe,
        login: async () => ({ session: {} }),
        check: async () => ({ unsupported: [] }),
        identity: async () => ({ name: "Ada", email: "ada@acme.example", phone_number: null }),
        resources: {},
      },
    },
  });
}

const drawn = (...drawing: unknown[]): unknown => ({
  ...plain,
  steps: [{ text: "Open the settings.", drawing }],
});
const many = <One>(count: number, one: One): One[] => Array.from({ length: count }, () => one);

describe("a recipe is taken", () => {
  test("with six steps, six rights, six ways to end it and boxes up to the edges", () => {
    const recipe = {
      ...plain,
      steps: many(6, { text: "x".repeat(400), drawing: [{ ...marked, x: 8, y: 9 }] }),
      rights: many(6, "Read."),
      ending: many(6, "Delete it."),
    };
    const texts = { de: { "Read.": "x".repeat(400) } };
    expect(() => new ProviderRegistry([provide(recipe, { texts })])).not.toThrow();
  });
});

describe("a provider is refused at the start when its recipe", () => {
  const at = "provider acme: `modes.xhr.recipe.";
  test.each<[string, unknown, string]>([
    ["has seven steps", { ...plain, steps: many(7, { text: "x" }) }, `${at}steps\` has to`],
    ["has no step", { ...plain, steps: [] }, `${at}steps\` has to`],
    ["is a page of its own", "<ol><li>Open the settings</li></ol>", "`modes.xhr.recipe` has to"],
    ["has a huge title", { ...plain, title: "x".repeat(101) }, `${at}title\` has to`],
    [
      "has a huge step",
      { ...plain, steps: [{ text: "x".repeat(401) }] },
      `${at}steps.0.text\` has`,
    ],
    ["has an empty step", { ...plain, steps: [{ text: "" }] }, `${at}steps.0.text\` has`],
    ["has seven rights", { ...plain, rights: many(7, "x") }, `${at}rights\` has to`],
    ["has a huge right", { ...plain, rights: ["x".repeat(401)] }, `${at}rights.0\` has to`],
    ["ends in seven ways", { ...plain, ending: many(7, "x") }, `${at}ending\` has to`],
    [
      "has a drawing of its own",
      { ...plain, steps: [{ text: "x", drawing: "<svg onload=alert(1)>" }] },
      `${at}steps.0.drawing\` has to be a list`,
    ],
    ["draws too much", drawn(...many(25, marked)), `${at}steps.0.drawing\` has to`],
    ["draws parts of cells", drawn({ ...marked, x: 0.5 }), `${at}steps.0.drawing.0.x\` has to`],
    ["draws left of the drawing", drawn({ ...marked, x: -1 }), `${at}steps.0.drawing.0.x\` has to`],
    ["draws text as a place", drawn({ ...marked, y: '1"/>' }), `${at}steps.0.drawing.0.y\` has to`],
    ["draws nothing", drawn({ ...marked, width: 0 }), `${at}steps.0.drawing.0.width\` has to`],
    ["has an unknown look", drawn({ ...marked, look: "logo" }), "has to be one of area, button"],
    [
      "has a huge label",
      drawn({ ...marked, label: "x".repeat(61) }),
      `${at}steps.0.drawing.0.label`,
    ],
    ["draws right of the drawing", drawn({ ...marked, x: 9 }), "step 1 that has a box outside of"],
    ["draws below the drawing", drawn({ ...marked, y: 10 }), "step 1 that has a box outside of"],
    ["marks nothing", drawn({ ...marked, isMarked: false }), "step 1 that has to mark one box"],
    ["marks two boxes", drawn(marked, marked), "step 1 that has to mark one box"],
    [
      "marks a box without a label",
      drawn({ ...marked, label: undefined }),
      "a box without a label",
    ],
    [
      "is for an unknown field",
      { ...plain, field: "token" },
      "names the field token, which the form",
    ],
  ])("%s", (_what, recipe, said) => {
    expect(() => new ProviderRegistry([provide(recipe)])).toThrow(said);
  });

  test("has a huge translation", () => {
    const texts = { fr: { "New key": "x".repeat(61) } };
    expect(() => new ProviderRegistry([provide(plain, { texts })])).toThrow(
      "the recipe of xhr has a translation (fr) of more than 60 characters: New key",
    );
  });
});

describe("the page of the sign-in", () => {
  const staffdir = loadStaffdir();
  let harness: Harness;
  let client: Awaited<ReturnType<Harness["createClient"]>>["client"];
  beforeAll(async () => {
    const narrow = { ...marked, width: 4, label: "An exceptionally unbreakable label" };
    const { field: _field, ...anywhere } = drawn(narrow) as Recipe;
    const texts = { de: { "Where is the key?": "Wo ist der Schlüssel?" } };
    harness = await createHarness({
      registry: new ProviderRegistry([
        sandbox,
        (await staffdir).definition,
        provide(plain, { texts }),
        { ...provide(anywhere), name: "anywhere" },
        { ...provide({ ...plain, steps: [{ text: "Ask." }] }), name: "undrawn" },
        { ...provide(undefined), name: "silent" },
      ]),
    });
    ({ client } = await harness.createClient());
  });
  afterAll(() => harness.close());

  const open = async (provider: string, locale = "en"): Promise<Seen> =>
    await new ConnectVisitor(harness.baseUrl).open(linkPath(client, { provider, locale }));

  test("shows the recipe of a stranger's package, in the language of the page", async () => {
    const page = await open("staffdir", "de");
    const [, recipe = ""] = /<details class="recipe">(.*?)<\/details>/s.exec(page.html) ?? [];
    expect(recipe).toContain("<summary>Wo finde ich den Namen der Firma?</summary>");
    expect(recipe.match(/<li><p>/g)).toHaveLength(2);
    expect(recipe).toContain("unter „My account“");
    expect(recipe).toContain('aria-label="Zeichnung. Markiert: lindgren."');
    expect(recipe).not.toContain('lang="en"');
  });

  test("has it within the row of the field that it explains", async () => {
    const rows = (await open("acme")).html.split('<div class="field">');
    expect(rows.filter((row) => row.includes('class="recipe"'))).toEqual([
      expect.stringContaining('name="key"'),
    ]);
  });

  test("has one that explains no field before the button", async () => {
    const { html } = await open("anywhere");
    expect(html.indexOf('class="recipe"')).toBeGreaterThan(html.indexOf('name="key"'));
    expect(html.indexOf('class="recipe"')).toBeLessThan(html.indexOf('<button class="primary"'));
    expect(html.match(/class="recipe"/g)).toHaveLength(1);
  });

  test("marks as English what has no translation", async () => {
    const { html } = await open("acme", "de");
    expect(html).toContain("<summary>Wo ist der Schlüssel?</summary>");
    expect(html).toContain('<li><p><span lang="en">Open the settings.</span></p>');
  });

  test("is English as a whole, headings and drawings too, in a language that it is not translated into", async () => {
    const { html } = await open("staffdir", "nl");
    const [, recipe = ""] = /<div lang="en">(<ol>.*?)<\/div>/s.exec(html) ?? [];
    expect(html).toContain('<html lang="nl">');
    expect(html).toContain(
      '<summary><span lang="en">Where do I find the company name?</span></summary>',
    );
    expect(recipe).toContain('aria-label="Drawing. Marked: lindgren."');
    expect(recipe).toContain(`<h2>${textsOf.en.recipe.rights}</h2>`);
    expect(recipe).not.toContain("lang=");
  });

  test("cuts a label that its box has no room for", async () => {
    const { html } = await open("anywhere");
    const labels = [...html.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, label]) => label);
    expect(labels).toEqual(["An exce…"]);
  });

  test("says that drawings are simplified where there are some", async () => {
    expect(textOf(await open("acme"))).toContain("The drawings are simplified.");
    expect(textOf(await open("undrawn"))).not.toContain("The drawings are simplified.");
  });

  test("leaves out the parts that a recipe does not have", async () => {
    expect(textOf(await open("staffdir"))).toContain("Which rights to choose");
    const text = textOf(await open("acme"));
    expect(text).not.toContain("Which rights to choose");
    expect(text).not.toContain("How to end the access");
  });

  test.each(["silent", "sandbox"])("shows nothing for %s, which has none", async (provider) => {
    const { html } = await open(provider);
    expect(html).toContain('name="form_token"');
    expect(html).not.toMatch(/recipe|drawing/);
  });

  test("is a page of its own, too, in the language of the form, which names no application and sets no cookie", async () => {
    const form = await open("staffdir", "de");
    const [, path = ""] = /href="(\/connect\/help\/[^"]+)"/.exec(form.html) ?? [];
    expect(path).toBe("/connect/help/staffdir/xhr?lang=de");
    const page = await new ConnectVisitor(harness.baseUrl).open(path);
    const unfolded = textOf(form).includes(textOf(page).slice(-200));
    expect([page.status, unfolded, page.headers["set-cookie"]]).toEqual([200, true, undefined]);
    expect(page.html).toContain('<html lang="de">');
    expect(page.html).not.toContain(client.name);
  });

  test.each(["silent/xhr", "sandbox/xhr", "staffdir/official", "staffdir/none", "nobody/xhr"])(
    "has no page of its own for %s",
    async (place) => {
      const page = await new ConnectVisitor(harness.baseUrl).open(`/connect/help/${place}`);
      expect(page.status).toBe(404);
    },
  );

  test("draws without a style or a script of its own, as the policy of the pages asks for", async () => {
    const { html, headers } = await open("staffdir");
    expect(headers["content-security-policy"]).toContain("style-src 'self'");
    expect(html).toContain('<svg class="drawing"');
    expect(html).not.toMatch(/ style=| on[a-z]+=/);
  });
});
