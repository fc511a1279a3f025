import type { Page } from "playwright-core";
import type { Mode } from "../../../src/model/index.ts";
import type { ProviderDefinition } from "../../../src/providers/contract.ts";
import { bamboohr } from "../../../src/providers/bamboohr/index.ts";
import { loadPackage } from "../../../src/providers/load-package.ts";
import { openPackage } from "../../../src/providers/locate-package.ts";
import { xero } from "../../../src/providers/xero/index.ts";
import { aimPage, aimProvider } from "../../support/aim-provider.ts";
import { offered } from "../../support/approver/approver-stage.ts";
import { application, startApprover } from "../../support/approver/start-approver.ts";
import { tenants } from "../../support/fake-xero-conformance.ts";
import { bambooApplication, FakeBamboo } from "../../support/vendors/fake-bamboohr.ts";
import { application as xeroApplication, FakeXero } from "../../support/vendors/fake-xero.ts";
import { createCompany, createPerson } from "../../support/vendors/xero-company.ts";
import { press } from "./stage.ts";

export interface ReadRecord {
  id: string;
  [field: string]: unknown;
}

type Get = (path: string) => Promise<ReadRecord[]>;

/** A system whose people approve on its own page, as a person and a client's application see it. */
export interface Vendor {
  definition: ProviderDefinition;
  application: { clientId: string; clientSecret: string };
  mode: Mode;
  paths: readonly string[];
  /** Of its page. */
  origin: string;
  /** On the form of Rollcall, if anything is. */
  type: (page: Page) => Promise<void>;
  approve: (page: Page) => Promise<void>;
  /** What Rollcall asks after a first approval, if anything. */
  choose: (page: Page) => Promise<void>;
  refuse: (page: Page) => Promise<void>;
  /** What a client's application reads, by its kind. */
  read: (get: Get) => Promise<Record<string, ReadRecord[]>>;
  countRefreshes: () => number;
  revoke: () => Promise<void>;
  stop: () => Promise<void>;
}

export type StartVendor = (options: { now: () => Date; serviceUrl: string }) => Promise<Vendor>;

const nothing = async (): Promise<void> => undefined;
/** Another site than the service, as a vendor is. */
const ofAnotherSite = (url: string): string => url.replace("127.0.0.1", "localhost");
const allow = (page: Page): Promise<void> => page.getByRole("button", { name: /^Allow/ }).click();
const cancel = (page: Page): Promise<void> => page.getByRole("button", { name: "Cancel" }).click();

/** Two organisations are approved at once, so Rollcall asks which one is meant. */
const startXero: StartVendor = async ({ now }) => {
  const { maple, oak } = tenants;
  const company = createCompany([createPerson(1), createPerson(2)]);
  const fake = new FakeXero({ company, tenants: [], organisations: [maple, oak], now });
  const url = await fake.start();
  const origin = ofAnotherSite(url);
  return {
    definition: aimPage(aimProvider(xero, url), origin),
    application: xeroApplication,
    mode: "xhr",
    paths: ["employees", "payruns", "payruns/:payrun_id"],
    origin,
    type: nothing,
    approve: async (page) => {
      for (const { tenantName } of [maple, oak]) await page.getByLabel(tenantName).check();
      await allow(page);
    },
    choose: async (page) => {
      await page.getByRole("radio", { name: maple.tenantName }).check();
      await press(page, "Continue");
    },
    refuse: cancel,
    read: async (get) => {
      const [employees, payruns] = await Promise.all([
        get("employees"),
        get("payruns?start_date=2026-02-01&end_date=2026-02-28"),
      ]);
      return { employees, payruns, payslips: await get(`payruns/${payruns[0]?.id}`) };
    },
    countRefreshes: () => fake.counts.refreshes,
    revoke: async () => void (fake.tenants = []),
    stop: () => fake.stop(),
  };
};

const startBamboo: StartVendor = async ({ now }) => {
  const fake = await FakeBamboo.start({ people: 3, now });
  const origin = ofAnotherSite(fake.origin);
  return {
    definition: aimPage(aimProvider(bamboohr, fake.origin), origin),
    application: bambooApplication,
    mode: "official",
    paths: ["employees", "groups"],
    origin,
    type: (page) => page.getByLabel("Company domain").fill("lindgren"),
    approve: allow,
    choose: nothing,
    refuse: cancel,
    read: async (get) => {
      const [employees, groups] = await Promise.all([get("employees"), get("groups")]);
      return { employees, groups };
    },
    countRefreshes: () =>
      fake.requests.filter(
        ({ body }) => (body as { grant_type?: string })?.grant_type === "refresh_token",
      ).length,
    revoke: async () => fake.endSession(),
    stop: () => fake.stop(),
  };
};

/** A made-up system with a real authorization server. */
const startMadeUp: StartVendor = async ({ serviceUrl }) => {
  const approver = await startApprover(`${serviceUrl}/connect/callback`);
  const { definitions } = await loadPackage(openPackage(offered.PROVIDERS));
  return {
    definition: definitions.find(({ name }) => name === "approver")!,
    application,
    mode: "xhr",
    paths: ["employees"],
    origin: approver.origin,
    type: (page) => page.getByLabel("Approver address").fill(approver.origin),
    approve: async (page) => {
      await page.getByPlaceholder("Enter any login").fill("ann");
      await page.getByPlaceholder("and password").fill("x");
      await page.getByRole("button", { name: "Sign-in" }).click();
      await page.getByRole("button", { name: "Continue" }).click();
    },
    choose: nothing,
    refuse: (page) => page.getByRole("link", { name: "[ Cancel ]" }).click(),
    read: async (get) => ({ employees: await get("employees") }),
    countRefreshes: () => approver.counts.refreshes,
    revoke: () => approver.revoke(),
    stop: () => approver.stop(),
  };
};

export const startVendors: readonly [string, StartVendor][] = [
  ["Xero", startXero],
  ["BambooHR", startBamboo],
  ["a real authorization server", startMadeUp],
];
