import type { DeclaredMode, FormValues, Settings } from "../providers/index.ts";
import { nameSignedInAccount, type AcceptedForm } from "./account-of-sign-in.ts";
import type { CarriedOver } from "./challenge.ts";

/** What the connection will keep of the form. */
export function carryOver(mode: DeclaredMode, accepted: AcceptedForm): CarriedOver {
  const account = nameSignedInAccount(mode, accepted);
  return { settings: pickSettings(mode, accepted.formValues), ...(account && { account }) };
}

export function pickSettings({ fields }: DeclaredMode, formValues: FormValues): Settings {
  return Object.fromEntries(
    fields
      .filter(({ isSetting }) => isSetting)
      .flatMap(({ name }) => {
        const value = formValues[name];
        return value === undefined ? [] : [[name, value]];
      }),
  );
}
