import { z } from "zod";
import type { Resource } from "../model/index.ts";
import type { FormValues, ProviderMode } from "./contract.ts";

const namedAccount = z.object({ origin: z.string(), tenant: z.string(), login: z.string() });

/** Whose account it is, in the adapter's own spelling. */
export type NamedAccount = z.output<typeof namedAccount>;

/** What a form says of the values that were typed into it. */
export type FormCheck =
  | { problems: readonly { field: string; message: string }[] }
  | {
      formValues: FormValues;
      /** If the adapter names it. Its mistake ends no sign-in. */
      account?: NamedAccount;
    };

const formCheck: z.ZodType<FormCheck> = z.union([
  z.object({ problems: z.array(z.object({ field: z.string(), message: z.string() })) }),
  z.object({
    formValues: z.record(z.string(), z.string()),
    account: namedAccount.exactOptional(),
  }),
]);

const approvalPage = z.object({
  address: z.string(),
  scopes: z.array(z.string()),
  parameters: z.record(z.string(), z.string()),
});

/** The provider's own page, where the person approves. */
export type ApprovalPage = z.output<typeof approvalPage>;

/** Throws what a check of the form throws, and when it gives anything but texts. */
export function checkForm(
  { form, account }: Pick<ProviderMode, "form" | "account">,
  typed: FormValues,
): FormCheck {
  const parsed = form.safeParse(typed);
  if (!parsed.success)
    return formCheck.parse({
      problems: parsed.error.issues.map(({ path: [name = ""], message }) => ({
        // It is stored and logged, so it is a field of the form or none.
        field: Object.hasOwn(form.shape, name) ? name : "",
        message,
      })),
    });
  const formValues = parsed.data as FormValues;
  const named = account && accountOf(account, formValues);
  return formCheck.parse({ formValues, ...(named && { account: named }) });
}

/** Throws what the adapter throws of the form's values, and when it gives anything but texts. */
export function findApprovalPage(
  { oauth2 }: Pick<ProviderMode, "oauth2">,
  formValues: FormValues,
  resources: readonly Resource[],
): ApprovalPage {
  if (!oauth2) throw new Error("the mode has no page to approve on");
  return approvalPage.parse({
    address: oauth2.authorizationUrl(formValues),
    scopes: oauth2.scopes(resources),
    parameters: oauth2.parameters ?? {},
  });
}

function accountOf(
  account: NonNullable<ProviderMode["account"]>,
  formValues: FormValues,
): NamedAccount | undefined {
  try {
    const { origin = "", tenant = "", login } = account(formValues);
    return namedAccount.parse({ origin, tenant, login });
  } catch {
    return undefined;
  }
}
