import type { RegionName } from "./client.ts";

/** The name of a line by the amount that it is made of. */
export type Named = Readonly<Record<string, string>>;

interface CountryLines {
  /** What the employee pays. */
  taxes: Named;
  employerTaxes?: Named;
  /** Beside the lines of deductions. */
  deductions?: Named;
  contributions: Named;
  /** Those that another amount may have in it already: which of both holds shows in the sum. */
  maybeInside?: readonly string[];
}

const liabilities = "Employer liabilities";

/** Which amount of a slip, or of the totals of the run beside it, is what. */
export const countries: Readonly<Record<RegionName, CountryLines>> = {
  au: {
    taxes: { paygWithholdingAmount: "PAYG", helpAmount: "HELP", sfssAmount: "SFSS" },
    contributions: { superContribution: "Superannuation", employerLiabilitiesTotal: liabilities },
    maybeInside: ["helpAmount", "sfssAmount"],
  },
  nz: {
    taxes: { payeWithholdingAmount: "PAYE" },
    employerTaxes: { esctContributionAmount: "ESCT" },
    deductions: {
      kiwiSaverEmployeeContributionAmount: "KiwiSaver",
      studentLoanAmount: "Student loan",
      studentLoanAdditionalMandatoryAmount: "Student loan, additional",
      studentLoanAdditionalVoluntaryAmount: "Student loan, voluntary",
    },
    contributions: {
      kiwiSaverEmployerContributionAmount: "KiwiSaver",
      employerLiabilitiesTotal: liabilities,
    },
    maybeInside: [
      "studentLoanAmount",
      "studentLoanAdditionalMandatoryAmount",
      "studentLoanAdditionalVoluntaryAmount",
    ],
  },
  uk: {
    taxes: {
      payeWithholdingAmount: "PAYE",
      employeeNationalInsuranceContribution: "National Insurance",
    },
    employerTaxes: { employerNationalInsuranceContributionIncludingClass1A: "National Insurance" },
    deductions: {
      studentLoanComponentAmount: "Student loan",
      postGradLoanComponentAmount: "Postgraduate loan",
      employeePensionContribution: "Pension",
    },
    contributions: {
      employerPensionContribution: "Pension",
      employerLiabilitiesTotal: liabilities,
    },
    // A salary sacrifice is a line of deductions already.
    maybeInside: ["employeePensionContribution"],
  },
  sg: {
    taxes: { withholdingTaxAmount: "Withholding tax", clearanceTaxAmount: "Tax clearance" },
    employerTaxes: { sdlContributionAmount: "SDL" },
    deductions: { cpfEmployeeContributionAmount: "CPF" },
    contributions: {
      cpfEmployerContributionAmount: "CPF",
      employerVoluntaryCpfAmount: "Voluntary CPF",
      employerVoluntaryMediSaveAmount: "Voluntary MediSave",
      employerLiabilitiesTotal: liabilities,
    },
  },
  // The monthly tax deduction is among the other amounts of a slip.
  my: {
    taxes: { cp38Amount: "CP38" },
    deductions: {
      epfEmployeeAmount: "EPF",
      socsoEmployeeAmount: "SOCSO",
      socsoSkbbkEmployeeAmount: "SOCSO SKBBK",
      eisEmployeeAmount: "EIS",
    },
    contributions: {
      epfEmployerAmount: "EPF",
      socsoEmployerAmount: "SOCSO",
      eisEmployerAmount: "EIS",
      hrdfAmount: "HRDF",
      pcbBorneByEmployerAmount: "PCB borne by the employer",
      employerLiabilitiesTotal: liabilities,
    },
    maybeInside: ["cp38Amount"],
  },
};
