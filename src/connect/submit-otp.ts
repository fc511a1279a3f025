import type { Keyring } from "../platform/crypto/index.ts";
import { beginSignIn, type BeginSignInDependencies } from "./begin-sign-in.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey } from "./flow-secrets.ts";

export interface SubmitOtpDependencies extends BeginSignInDependencies {
  keyring: Keyring;
}

const maxOtpLength = 2_048;

/** Goes on with the sign-in. Ignores an empty code, and one that no provider could have sent. */
export async function submitOtp(
  dependencies: SubmitOtpDependencies,
  flow: Flow,
  typed: string,
): Promise<void> {
  const otp = typed.trim();
  if (otp === "" || otp.length > maxOtpLength) return;
  const key = openFlowKey(dependencies.keyring, flow);
  await beginSignIn(dependencies, flow, {
    submission: flowSecrets.submission.seal(key, flow.id, { otp }),
  });
}
