import { z } from "zod";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineProvider } from "../../src/providers/contract.ts";
import { AuthError, FieldError } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { ConnectVisitor, linkPath, textOf, workSignIns } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";

// A package brings its own sentences. "Password" and "User name" are sentences of built-in providers, too.

const acme = defineProvider({
  apiVersion: 1,
  name: "acme",
  title: "Acme",
  modes: {
    xhr: {
      form: z.object({
        username: formField({ title: "User name", help: "The one on your badge." }),
        password: formField({ title: "Password", isSecret: true }),
        constructor: formField({ title: "constructor" }),
        site: formField({ title: "Site" }, z.string().regex(/^\d+$/, { error: "Digits alone." })),
      }),
      login: async (_context, { username = "", password }) => {
        if (password === "code")
          return { challenge: { kind: "otp", prompt: "The number on your token", state: {} } };
        throw new FieldError("username", `Nobody is called that${username === "x" ? "" : "!"}`);
      },
      resume: async () => Promise.reject(new AuthError("incorrect_mfa_or_otp")),
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Ada", email: "ada@acme.example", phone_number: null }),
      resources: {},
    },
  },
  texts: {
    de: {
      Password: "Kennwort <b>",
      "The one on your badge.": "Der auf Ihrem Ausweis.",
      "Digits alone.": "Nur Ziffern.",
      "Nobody is called that": "So heißt niemand",
      "The number on your token": "Die Zahl auf Ihrem Token",
    },
  },
});

let harness: Harness;
let client: Awaited<ReturnType<Harness["createClient"]>>["client"];
beforeAll(async () => {
  harness = await createHarness({ registry: new ProviderRegistry([sandbox, acme]) });
  ({ client } = await harness.createClient());
  workSignIns(harness);
});
afterAll(() => harness.close());

const values = { username: "x", password: "y", constructor: "z", site: "1" };

async function openForm(locale: string, provider = "acme") {
  const visitor = new ConnectVisitor(harness.baseUrl);
  return { visitor, page: await visitor.open(linkPath(client, { provider, locale })) };
}

describe("the texts of a package", () => {
  test("are shown at its form, before those of built-in providers", async () => {
    const { page } = await openForm("de");
    expect(page.html).toContain(">Kennwort &lt;b&gt;</label>");
    expect(textOf(page)).toContain("Der auf Ihrem Ausweis.");
  });

  test("leave the sentences that it does not bring: translated if Rollcall knows them, else in English", async () => {
    const { page } = await openForm("de");
    expect(page.html).toContain(">Benutzername</label>");
    expect(page.html).toContain('<span lang="en">Site</span>');
    expect(page.html).toContain('<span lang="en">constructor</span>');
  });

  test("are not those of another provider", async () => {
    const { page } = await openForm("de", "sandbox");
    expect(page.html).toContain(">Passwort</label>");
  });

  test.each(["en", "fr"])("show English when there are none in %s", async (locale) => {
    const { page } = await openForm(locale);
    expect(textOf(page)).toContain("The one on your badge.");
  });

  test("are shown for what is wrong with a field, by the form and by the sign-in", async () => {
    const { visitor, page } = await openForm("de");
    const wrong = await visitor.submit(page, { ...values, site: "here" });
    expect(textOf(wrong)).toContain("Nur Ziffern.");
    expect(textOf(await visitor.submit(wrong, values))).toContain("So heißt niemand");
  });

  test("are shown for the question of a challenge", async () => {
    const { visitor, page } = await openForm("de");
    const asked = await visitor.submit(page, { ...values, password: "code" });
    expect(textOf(asked)).toContain("Die Zahl auf Ihrem Token");
  });
});
