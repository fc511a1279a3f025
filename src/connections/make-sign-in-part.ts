import type { Keyring } from "../platform/crypto/index.ts";
import type { Connection } from "./connection.ts";
import { digestAccount, sealedAccount } from "./provider-account.ts";
import { rightsOfSignIn } from "./rights.ts";
import { sealSignIn, type SignIn } from "./sealed-sign-in.ts";
import type { SignInPart } from "./store.ts";

/** What the row of a connection gets from a sign-in. */
export function makeSignInPart(
  keyring: Keyring,
  { id, provider, dataKey }: Pick<Connection, "id" | "provider" | "dataKey">,
  signIn: SignIn,
  now: Date,
): SignInPart {
  const { origin, account, typedAccount } = signIn;
  const key = keyring.macKey("account");
  return {
    ...sealSignIn(dataKey, id, signIn),
    originKey: origin === null ? "" : keyring.pseudonym(`origin ${origin}`),
    accountDigest: account ? digestAccount(key, { provider, origin, account }) : null,
    sealedAccount: account
      ? sealedAccount.seal(
          dataKey,
          { connectionId: id },
          { origin, account, ...(typedAccount && { typedAccount }) },
        )
      : null,
    rights: rightsOfSignIn(signIn, now),
  };
}
