import type { Mode } from "../../src/model/index.ts";
import type { Conformance, Scenario } from "../../src/providers/conformance.ts";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import { bamboohr } from "../../src/providers/bamboohr/index.ts";
import { employmentHero } from "../../src/providers/employment-hero/index.ts";
import { factorial } from "../../src/providers/factorial/index.ts";
import { frappeHr } from "../../src/providers/frappe-hr/index.ts";
import { gusto } from "../../src/providers/gusto/index.ts";
import { hibob } from "../../src/providers/hibob/index.ts";
import { odoo } from "../../src/providers/odoo/index.ts";
import { personio } from "../../src/providers/personio/index.ts";
import { sageHr } from "../../src/providers/sage-hr/index.ts";
import { sandboxConformances } from "../../src/providers/sandbox/conformance.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { staffology } from "../../src/providers/staffology/index.ts";
import { bambooConformances } from "./vendors/bamboohr-conformance.ts";
import { employmentHeroConformances } from "./fake-employment-hero-conformance.ts";
import { factorialConformances } from "./vendors/factorial-conformance.ts";
import { frappeConformance } from "./vendors/frappe-conformance.ts";
import { hibobConformance } from "./vendors/hibob-conformance.ts";
import { sageHrConformance } from "./vendors/sage-hr-conformance.ts";
import { staffologyConformance } from "./fake-staffology-conformance.ts";
import { personioConformance } from "./fake-personio-conformance.ts";
import { odooConformances } from "./fake-odoo-conformance.ts";
import { xero } from "../../src/providers/xero/index.ts";
import { gustoConformances } from "./fake-gusto-conformance.ts";
import { xeroAbroadConformances, xeroConformances } from "./fake-xero-conformance.ts";

export interface CheckedProvider {
  definition: ProviderDefinition;
  /** One for each mode. */
  conformances: readonly Conformance[];
  /** Of a system that is another one in other countries: further ones of the same modes, by the country. */
  abroad?: Readonly<Record<string, Conformance>>;
  /** What the fakes may leave out, beside what the adapter does not declare. */
  leavesOut: readonly Scenario[];
  /** The same of one mode. */
  leavesOutOfMode?: Partial<Record<Mode, readonly Scenario[]>>;
}

/** Every built-in provider, with the fake of its system. */
export const checkedProviders: readonly CheckedProvider[] = [
  {
    definition: sandbox,
    conformances: sandboxConformances,
    leavesOut: ["rate-limited-date", "rate-limited", "cut-off"],
  },
  { definition: bamboohr, conformances: bambooConformances, leavesOut: [] },
  { definition: employmentHero, conformances: employmentHeroConformances, leavesOut: [] },
  { definition: sageHr, conformances: [sageHrConformance], leavesOut: [] },
  { definition: factorial, conformances: factorialConformances, leavesOut: [] },
  { definition: frappeHr, conformances: [frappeConformance], leavesOut: [] },
  { definition: hibob, conformances: [hibobConformance], leavesOut: [] },
  { definition: gusto, conformances: gustoConformances, leavesOut: [] },
  { definition: staffology, conformances: [staffologyConformance], leavesOut: [] },
  { definition: personio, conformances: [personioConformance], leavesOut: [] },
  {
    definition: odoo,
    conformances: odooConformances,
    leavesOut: [],
    leavesOutOfMode: { official: ["second-factor", "wrong-second-factor"] },
  },
  {
    definition: xero,
    conformances: xeroConformances,
    abroad: xeroAbroadConformances,
    leavesOut: ["wrong-second-factor"],
  },
];
