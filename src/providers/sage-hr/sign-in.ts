import { z } from "zod";
import type { ProviderResponse } from "../../platform/outbound/index.ts";
import type { CheckContext, CheckResult, ProviderContext, Session } from "../contract.ts";
import type { Identity } from "../../model/index.ts";
import { FieldError } from "../errors.ts";
import { formField } from "../form-field.ts";
import { signInByKey } from "../kit/key-sign-in.ts";
import type { Meaning } from "../kit/rest.ts";
import { findRights } from "../kit/rights.ts";
import { subdomainField } from "../kit/subdomain.ts";
import { api, isPage, originOf, policiesPath, type SageSession } from "./client.ts";

export const typedSubdomain = subdomainField("subdomain", {
  title: "Subdomain",
  domain: "sage.hr",
  originOf,
});

export const signIn = signInByKey<SageSession>({
  api,
  form: z.object({
    subdomain: typedSubdomain.field,
    key: formField({
      title: "API key",
      isSecret: true,
      help: "In Sage HR, an administrator finds it under Settings, Integrations, API.",
      autocomplete: "off",
    }),
  }),
  begin: (typed) => ({
    subdomain: typedSubdomain.labelOf(typed),
    key: (typed["key"] ?? "").trim(),
  }),
  prove: async (client, begun) => {
    await client.get(policiesPath, { errors: explainSubdomain });
    return begun;
  },
  company: {
    of: (session) => session.subdomain,
    field: "subdomain",
    other:
      "This is another company than the one that is connected. Please use the same subdomain as before.",
  },
});

/** Where nobody has the subdomain, Sage HR redirects or sends a page. */
function explainSubdomain(answer: ProviderResponse): Meaning | undefined {
  const { status } = answer;
  const isRedirect = status >= 300 && status < 400;
  const isElsewhere = status === 404 || (status === 200 && isPage(answer));
  return isRedirect || isElsewhere
    ? new FieldError("subdomain", "There is no Sage HR account with this subdomain.")
    : undefined;
}

/** A key of an administrator reads everything, so one that may not is told at the sign-in. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const client = api.with(context, session);
  const ask = (path: string) => () => client.get(path, { query: { page: 1 } });
  return await findRights(context, [
    { resources: ["employees", "time-off-balances"], ask: ask("/employees") },
    { resources: ["groups"], ask: ask("/teams") },
    { resources: ["time-off-entries"], ask: ask("/leave-management/requests") },
  ]);
}

/** Sage HR does not tell whose key it is. */
export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  await api.with(context, session).get(policiesPath);
  return { name: api.parse(session).subdomain, email: "", phone_number: null };
}
