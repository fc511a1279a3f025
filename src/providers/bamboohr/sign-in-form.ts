import { z } from "zod";
import type { FormValues } from "../contract.ts";
import { formField } from "../form-field.ts";

const companyDomain = formField(
  {
    title: "Company domain",
    placeholder: "example",
    help: "The part before .bamboohr.com in the address that your browser shows.",
    autocomplete: "organization",
  },
  z.string().refine((value) => toCompanyDomain(value) !== null, {
    error: "Please type the part before .bamboohr.com, such as example.",
  }),
);

export const keyForm = z.object({
  companyDomain,
  key: formField({
    title: "API key",
    isSecret: true,
    help: "In BambooHR, click your profile picture and choose API Keys. A key is shown once.",
    autocomplete: "off",
  }),
});

export const approvalForm = z.object({ companyDomain });

/** One DNS label, also of a pasted address of a page of BambooHR. Null when it is none. */
export function toCompanyDomain(typed: string): string | null {
  const address = typed.trim().toLowerCase();
  const host = address.replace(/^[a-z]+:\/\//, "").split(/[/?#:]/, 1)[0] ?? "";
  const label = host.replace(/\.$/, "").replace(/\.bamboohr\.com$/, "");
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label) ? label : null;
}

export function domainOf(formValues: FormValues): string {
  return toCompanyDomain(formValues["companyDomain"] ?? "") ?? "";
}
