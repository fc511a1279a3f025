import type { ClientId, Mode, Scope } from "../model/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Connection } from "./connection.ts";
import type { Label } from "./label.ts";
import { digestAccount, sealedAccount } from "./provider-account.ts";
import { rightsOfSignIn } from "./rights.ts";
import { sealSignIn, type SignIn } from "./sealed-sign-in.ts";
import type { SignInPart } from "./store.ts";

/** What a connection is made of. */
export interface ConnectionRequest {
  clientId: ClientId;
  provider: string;
  mode: Mode;
  scopes: readonly Scope[];
  signIn: SignIn;
  label?: Label | null;
  /** For how long it may stay unclaimed. With null it needs no code. */
  lifetimeSeconds: number | null;
}

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
