import { beforeAll, describe, expect, it } from "vitest";
import type { Session } from "../../src/providers/contract.ts";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import type { Customer } from "../support/odoo-customer.ts";
import { commonResources } from "../support/odoo-desk-data.ts";
import { customer, range, signInAs, url } from "./live-odoo.ts";

/** Names that a company translates, which are read in the language of the account. */
const translated = /(?:^groups\.|^employees\.groups\.)name$|\.group_name$|\.policy_name$/;

export function describeLanguages(): void {
  describe.each(["xhr", "official"] as const)("an account in German, read as %s", (mode) => {
    let english: Customer;
    let german: Customer;
    let ofEnglish: Session;
    let ofGerman: Session;
    beforeAll(async () => {
      const administrator = await OdooAdministrator.at(url);
      await administrator.ensureLanguage("de_DE");
      await administrator.ensureAccount({ login: "english" });
      await administrator.ensureAccount({ login: "german", language: "de_DE" });
      [english, german] = [customer(mode), customer(mode)];
      ofEnglish = await signInAs(english, "english");
      ofGerman = await signInAs(german, "german");
    });

    it.each(commonResources)(
      "has the same %s as one in English, but for names",
      async (resource) => {
        const one = await english.read(resource, ofEnglish, { range });
        const other = await german.read(resource, ofGerman, { range });
        expect(one.length).toBeGreaterThan(0);
        expect(withoutNames(resource, other)).toEqual(withoutNames(resource, one));
      },
    );

    it.each([
      ["groups", "Verwaltung"],
      ["time-off-entries", "Krankheit"],
      ["time-off-balances", "Elternzeit"],
    ] as const)("has names of %s in German", async (resource, name) => {
      const records = await german.read(resource, ofGerman, { range });
      expect(JSON.stringify(records)).toContain(`"${name}"`);
    });

    it("has the same rights", async () => {
      const found = await german.inspect(ofGerman);
      expect(found).toMatchObject({ unsupported: [], forbidden: [], limited: {} });
    });
  });
}

/** The records without the names that differ by language. Each of them is a text in both. */
function withoutNames(resource: string, value: unknown, path: string = resource): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNames(resource, item, path));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        withoutNames(resource, item, `${path}.${key}`),
      ]),
    );
  return translated.test(path) ? typeof value : value;
}
