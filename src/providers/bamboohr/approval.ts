import { z } from "zod";
import type { FormValues, SignInContext, SignInResult } from "../contract.ts";
import { FieldError } from "../errors.ts";
import { oauth2 } from "../kit/oauth2.ts";
import { api, originOf, type BambooSession } from "./client.ts";
import { companyDomain, domainOf, otherCompany, readOwnerId } from "./sign-in.ts";

export const approvalForm = z.object({ companyDomain });

const ofTimeOff = ["time_off"];

export const approval = oauth2({
  authorizationUrl: (formValues) =>
    `${originOf(domainOf(formValues))}/authorize.php?request=authorize`,
  tokenUrl: ({ domain }) => `${originOf(String(domain))}/token.php?request=token`,
  authentication: "body",
  lifetimeSeconds: 3_600,
  scopes: {
    // `offline_access` gives a refresh token, `public.user` the list of changes, `employee` the person who signed in.
    always: ["openid", "offline_access", "public.user", "employee", "company:info", "field"],
    of: {
      employees: [
        "employee:name",
        "employee:job",
        "employee:contact",
        "employee:demographic",
        "employee:compensation",
        "employee:identification",
        "employee:custom_fields",
        "employee:emergency_contacts",
        "employee:dependent",
        "sensitive_employee:protected_info",
        "sensitive_employee:address",
        "report",
      ],
      "time-off-entries": ofTimeOff,
      "time-off-balances": ofTimeOff,
      timesheets: ["time_tracking"],
    },
  },
});

export async function logInByApproval(
  context: SignInContext,
  formValues: FormValues,
): Promise<SignInResult> {
  const { previousSession } = context;
  const domain = domainOf(formValues);
  if (previousSession && api.parse(previousSession).domain !== domain)
    throw new FieldError("companyDomain", otherCompany);
  const { session, claims } = await approval.exchange(context, { domain, account: [] });
  const account = await nameAccount(context, session, claims?.["sub"]);
  return { session: { ...session, account } };
}

/** By the user, else by the employee. What belongs to nobody counts as an account of its own. */
async function nameAccount(
  context: SignInContext,
  session: BambooSession & { accessToken: string },
  user: unknown,
): Promise<string[]> {
  const { domain, accessToken } = session;
  if (typeof user === "string" && user !== "") return [domain, "user", user];
  const employee = await readOwnerId(api.with(context, session));
  return employee === null ? [domain, "token", accessToken] : [domain, "employee", employee];
}
