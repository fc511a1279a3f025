import { z } from "zod";
import type { FormValues } from "../contract.ts";
import { formField } from "../form-field.ts";
import { toOrigin } from "../kit/web-origin.ts";
import { isCategoryList } from "./payroll-categories.ts";

const place = {
  url: formField(
    {
      title: "Address of your Odoo",
      isAddress: true,
      placeholder: "https://example.odoo.com",
      help: "What your browser shows when you use Odoo.",
      autocomplete: "url",
    },
    z.string().refine((value) => toOrigin(value) !== null, {
      error: "Please type a web address, such as https://example.odoo.com.",
    }),
  ),
  database: formField({
    title: "Database",
    help: "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.",
    autocomplete: "off",
  }).optional(),
};
const timesheets = formField({
  title: "Timesheets",
  isSetting: true,
  resources: ["timesheets"],
  help: "Which records of Odoo say how long people worked.",
  choices: [
    { value: "attendances", title: "Attendances" },
    { value: "projects", title: "Timesheets of projects" },
  ],
}).optional();

export const signInForm = z.object({
  ...place,
  username: formField({ title: "Email", autocomplete: "username" }),
  password: formField({ title: "Password", isSecret: true, autocomplete: "current-password" }),
  timesheets,
  payroll_categories: formField(
    {
      title: "Categories of salary rules",
      isSetting: true,
      resources: ["payslips"],
      placeholder: "INCTAX=tax, TRAVEL=reimbursement",
      help: "Only if your payroll has categories of its own: the code of each and what it is.",
      autocomplete: "off",
    },
    z.string().refine(isCategoryList, {
      error: "Please type codes such as INCTAX=tax, with a comma between two.",
    }),
  ).optional(),
});

export const keyForm = z.object({
  ...place,
  key: formField({
    title: "API key",
    isSecret: true,
    help: "You make it in Odoo under My Preferences, Security. It has your rights.",
    autocomplete: "off",
  }),
  timesheets,
});

/** The case of letters tells databases apart. People type their e-mail address in any. */
export function toAccount(formValues: FormValues) {
  const origin = toOrigin(formValues["url"] ?? "");
  return {
    ...(origin !== null && { origin }),
    tenant: (formValues["database"] ?? "").trim(),
    login: (formValues["username"] ?? "").trim().toLowerCase(),
  };
}
