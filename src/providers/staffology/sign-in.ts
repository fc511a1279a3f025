import { z } from "zod";
import { AuthError, ProviderBug } from "../errors.ts";
import { formField } from "../form-field.ts";
import { signInByKey } from "../kit/key-sign-in.ts";
import type { RestClient } from "../kit/rest.ts";
import { api, byPage, parseStubs } from "./staffology-client.ts";
import { flag, type Stub } from "./wire-values.ts";

export const signIn = signInByKey({
  api,
  form: z.object({
    key: formField({
      title: "API key",
      help: "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.",
      isSecret: true,
      autocomplete: "off",
    }),
  }),
  begin: ({ key = "" }) => ({ key: key.trim(), userId: "", employerId: "" }),
  prove: async (client, begun) => ({ ...begun, userId: await findUserId(client) }),
  company: {
    of: ({ employerId }) => employerId,
    field: "key",
    other:
      "This key does not reach the employer that was connected before. Use the key of a user who may see it.",
    choice: {
      prompt: "Which employer do you want to connect?",
      list: listEmployers,
      take: (session, employerId) => ({ ...session, employerId }),
      none: "This key reaches no employer in Staffology. Use the key of a user who may see the employer.",
    },
  },
});

const account = z.object({ id: z.string().min(1), disabled: flag, loginDisabled: flag });
/** Archived employers, and those that are seen for support, are in other lists. */
const employerLists = ["Owned", "FromOthers"] as const;
const employersOnPage = 100;

async function findUserId(client: RestClient): Promise<string> {
  const { data } = account.safeParse(await client.get("/account"));
  if (!data) throw new ProviderBug("Staffology's account has no id");
  if (data.disabled || data.loginDisabled) throw new AuthError("additional_account_setup_required");
  return data.id;
}

async function listEmployers(client: RestClient): Promise<Map<string, { title: string }>> {
  const found = new Map<string, { title: string }>();
  for (const employerListType of employerLists) {
    const employers = await client.all({
      path: "/employers",
      query: { employerListType },
      paging: byPage(employersOnPage),
      items: parseStubs,
    });
    for (const { id, name } of employers as Stub[]) found.set(id, { title: name ?? id });
  }
  return found;
}
