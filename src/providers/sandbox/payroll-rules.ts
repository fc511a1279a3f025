import type { Currency } from "./countries.ts";

interface Rate {
  name: string;
  /** Hundredths of a percent of the gross pay. */
  basisPoints: number;
}

interface PayrollRules {
  taxes: readonly (Rate & { isEmployerTax: boolean })[];
  deductions: readonly Rate[];
  contributions: readonly Rate[];
}

/** Simplified rates, similar to the real ones. */
export const payrollRules: Readonly<Record<Currency, PayrollRules>> = {
  eur: {
    taxes: [
      { name: "Lohnsteuer", basisPoints: 1_850, isEmployerTax: false },
      { name: "Solidaritätszuschlag", basisPoints: 45, isEmployerTax: false },
      { name: "Umlage U1", basisPoints: 160, isEmployerTax: true },
    ],
    deductions: [
      { name: "Rentenversicherung", basisPoints: 930 },
      { name: "Krankenversicherung", basisPoints: 815 },
    ],
    contributions: [
      { name: "Rentenversicherung, Arbeitgeber", basisPoints: 930 },
      { name: "Krankenversicherung, Arbeitgeber", basisPoints: 815 },
    ],
  },
  gbp: {
    taxes: [
      { name: "PAYE", basisPoints: 1_520, isEmployerTax: false },
      { name: "National Insurance", basisPoints: 640, isEmployerTax: false },
      { name: "Employer's National Insurance", basisPoints: 1_170, isEmployerTax: true },
    ],
    deductions: [{ name: "Workplace pension", basisPoints: 500 }],
    contributions: [{ name: "Employer's pension", basisPoints: 300 }],
  },
  cad: {
    taxes: [
      { name: "Federal income tax", basisPoints: 1_330, isEmployerTax: false },
      { name: "Provincial income tax", basisPoints: 690, isEmployerTax: false },
      { name: "Employer health tax", basisPoints: 195, isEmployerTax: true },
    ],
    deductions: [
      { name: "Canada Pension Plan", basisPoints: 595 },
      { name: "Employment Insurance", basisPoints: 166 },
    ],
    contributions: [{ name: "Canada Pension Plan, employer", basisPoints: 595 }],
  },
  usd: {
    taxes: [
      { name: "Federal income tax", basisPoints: 1_240, isEmployerTax: false },
      { name: "Social Security", basisPoints: 620, isEmployerTax: false },
      { name: "Medicare", basisPoints: 145, isEmployerTax: false },
      { name: "Social Security, employer", basisPoints: 620, isEmployerTax: true },
    ],
    deductions: [{ name: "401(k)", basisPoints: 500 }],
    contributions: [{ name: "401(k) match", basisPoints: 350 }],
  },
  sek: {
    taxes: [
      { name: "Kommunalskatt", basisPoints: 2_960, isEmployerTax: false },
      { name: "Arbetsgivaravgift", basisPoints: 3_142, isEmployerTax: true },
    ],
    deductions: [{ name: "Fackavgift", basisPoints: 90 }],
    contributions: [{ name: "Tjänstepension", basisPoints: 450 }],
  },
};
