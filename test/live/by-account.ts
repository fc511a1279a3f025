import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mode, Resource } from "../../src/model/index.ts";
import type { Session } from "../../src/providers/contract.ts";
import { hiddenWithContracts } from "../../src/providers/odoo/employee-fields.ts";
import type { Customer } from "../support/odoo-customer.ts";
import { commonResources } from "../support/odoo-desk-data.ts";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import { OdooExpected } from "../support/odoo-expected.ts";
import { OdooRpc } from "../support/odoo-rpc.ts";
import { makeAbroad, type Abroad } from "../support/odoo-abroad.ts";
import {
  customer,
  inOrder,
  passwordOf,
  range,
  refusal,
  signInAs,
  url,
  withoutDays,
} from "./live-odoo.ts";

const ofOthers = ["timesheets", "time-off-entries", "time-off-balances"] as const;

interface Account {
  login: string;
  /** Those of the administrator when they are left out. */
  groups?: readonly string[];
  language?: string;
  forbidden: readonly Resource[];
  areContractsHidden?: boolean;
}

/** Each works in three companies: one in dollars, one in yen and one in dinars. */
const accounts: readonly Account[] = [
  {
    login: "abroad-manager",
    groups: [
      "base.group_user",
      "hr.group_hr_manager",
      "hr_holidays.group_hr_holidays_manager",
      "hr_attendance.group_hr_attendance_manager",
    ],
    forbidden: [],
  },
  {
    login: "abroad-officer",
    groups: ["base.group_user", "hr.group_hr_user"],
    forbidden: ofOthers,
    areContractsHidden: true,
  },
  { login: "abroad-german", language: "de_DE", forbidden: [] },
  { login: "abroad-plain", groups: ["base.group_user"], forbidden: ["employees", ...ofOthers] },
];

/** What was compared by all of these tests. */
const counted = { values: 0, differences: 0 };

/** Every field of every account, in both modes, beside what the administrator's own RPC tells. */
export function describeByAccount(): void {
  describe("what is read by the accounts of a company", () => {
    let abroad: Abroad;
    beforeAll(async () => {
      const administrator = await OdooAdministrator.at(url);
      await administrator.ensureLanguage("de_DE");
      abroad = await makeAbroad(administrator, url);
      for (const { login, groups, language } of accounts)
        await administrator.ensureAccount({
          login,
          ...(groups && { groups }),
          ...(language !== undefined && { language }),
          companyIds: abroad.companyIds,
        });
    });
    afterAll(async () => {
      await abroad.remove();
      process.stdout.write(
        `Compared with the RPC of the live Odoo: ${counted.values} values, ${counted.differences} of them others.\n`,
      );
    });

    describe.each(["xhr", "official"] as const)("as %s", (mode) => {
      describe.each(accounts)("$login", (account) => {
        describeFields(mode, account, () => abroad);
      });
    });

    it.each(["xhr", "official"] as const)(
      "shows who came back, pay in yen and dinars, and overdrawn leave, as %s",
      async (mode) => {
        const reader = customer(mode);
        const session = await signInAs(reader, "abroad-manager", "all");
        const people = await reader.read("employees", session);
        const named = (id: number) => people.find(({ remote_id }) => remote_id === String(id));
        expect(named(abroad.returned)).toMatchObject({
          start_date: "2022-05-02",
          employment_status: "active",
          employments: [{ effective_date: "2015-01-01" }, { effective_date: "2022-05-02" }],
          custom_fields: { original_start_date: "2015-01-01" },
        });
        expect(named(abroad.inYen)).toMatchObject({
          employments: [{ currency: "jpy", pay_rate: 300_000 }],
          custom_fields: { company: { name: "Tokio KK" } },
        });
        expect(named(abroad.inDinars)).toMatchObject({
          employments: [{ currency: "kwd", pay_rate: 950.125 }],
          custom_fields: { company: { name: "Kuwait WLL" } },
        });
        const balances = await reader.read("time-off-balances", session);
        expect(balances).toContainEqual(
          expect.objectContaining({
            employee_remote_id: String(abroad.returned),
            balance: -5,
            used: 6,
          }),
        );
      },
    );
  });
}

function describeFields(mode: Mode, account: Account, abroadOf: () => Abroad): void {
  const { login, language, forbidden, areContractsHidden = false } = account;
  let reader: Customer;
  let session: Session;
  let expected: OdooExpected;
  beforeAll(async () => {
    reader = customer(mode);
    session = await signInAs(reader, login, "all");
    const { administrator, companyIds } = abroadOf();
    const rpc = await new OdooRpc(url).signIn(administrator, passwordOf(administrator));
    expected = new OdooExpected(rpc.inCompanies(companyIds).inLanguage(language ?? "en_US"));
  });

  it("is told what it may not read", async () => {
    await expect(reader.inspect(session)).resolves.toMatchObject({
      unsupported: [],
      forbidden,
      limited: areContractsHidden ? { employees: hiddenWithContracts } : {},
      identity: await expected.identity(Number(session["uid"])),
    });
  });

  it.each(commonResources.filter((resource) => forbidden.includes(resource)))(
    "is refused %s",
    async (resource) => {
      await expect(reader.read(resource, session, { range })).rejects.toEqual(
        refusal("insufficient_permission"),
      );
    },
  );

  it.each(commonResources.filter((resource) => !forbidden.includes(resource)))(
    "has %s as the administrator's RPC tells them",
    async (resource) => {
      const known = await readKnown(expected, resource, areContractsHidden);
      expect(known.length).toBeGreaterThan(0);
      const found = await reader.read(resource, session, { range });
      const records = resource === "time-off-balances" ? found.map(withoutDays as never) : found;
      const differences = compare(inOrder(records as object[]), inOrder(known), resource);
      counted.differences += differences.length;
      expect(differences).toEqual([]);
    },
  );
}

async function readKnown(
  expected: OdooExpected,
  resource: Resource,
  areContractsHidden: boolean,
): Promise<object[]> {
  const reads: Partial<Record<Resource, () => Promise<object[]>>> = {
    company: () => expected.company(),
    employees: () => expected.employees({ areContractsHidden }),
    groups: () => expected.groups(),
    "work-locations": () => expected.workLocations(),
    timesheets: () => expected.attendances(),
    "time-off-entries": () => expected.timeOffEntries(),
    "time-off-balances": () => expected.balances(),
  };
  return (await reads[resource]?.()) ?? [];
}

/** Each value that is another one, with its path. Values are the leaves of the records, and the empty lists. */
function compare(found: unknown, known: unknown, path: string): string[] {
  const [parts, others] = [partsOf(found), partsOf(known)];
  if (!parts || !others) {
    counted.values += 1;
    const isSame = isDeepStrictEqual(found, known);
    return isSame ? [] : [`${path}: ${JSON.stringify(found)} and not ${JSON.stringify(known)}`];
  }
  const names = new Set([...Object.keys(parts), ...Object.keys(others)]);
  return [...names].flatMap((name) => compare(parts[name], others[name], `${path}.${name}`));
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isWhole = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  return isWhole ? (value as Record<string, unknown>) : undefined;
}
