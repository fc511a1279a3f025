import { beginSignIn } from "./begin-sign-in.ts";
import { declineFlow, type DeclineFlowNeeds } from "./decline-flow.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey } from "./flow-secrets.ts";
import { advanceFlow } from "./flow-store.ts";
import { isNonceOf } from "./pending-authorization.ts";
import type { Needs } from "./services.ts";

type AcceptAuthorizationNeeds = DeclineFlowNeeds & Needs<"queue">;

/** What the browser brings back from the provider's own page. */
export interface AuthorizationReply {
  nonce: string;
  code: string | undefined;
  /** The `error` of OAuth. */
  error: string | undefined;
}

type Accepted =
  /** The page of the flow goes on, or the client's page. */
  | { kind: "accepted"; redirect: string | undefined }
  /** The reply belongs to no question of this flow. */
  | { kind: "forged" };

const maxCodeLength = 4_096;
/** Errors of the provider itself (RFC 6749, section 4.1.2.1). */
const failuresOfProvider = new Set(["server_error", "temporarily_unavailable"]);

/** Continues the sign-in after the end user approved. Sends an end user who refused back to the client. */
export async function acceptAuthorization(
  dependencies: AcceptAuthorizationNeeds,
  flow: Flow,
  { nonce, code, error }: AuthorizationReply,
): Promise<Accepted> {
  const { pool, keyring, log } = dependencies;
  const key = openFlowKey(keyring, flow);
  const challenge = flowSecrets.challenge.open(key, flow);
  // The same reply may come twice, when somebody goes back in the browser.
  if (flow.phase !== "challenged") return { kind: "accepted", redirect: undefined };
  if (challenge?.kind !== "authorize" || !isNonceOf(challenge, nonce)) return { kind: "forged" };
  if (error === "access_denied")
    return { kind: "accepted", redirect: await declineFlow(dependencies, flow) };
  if (code !== undefined && code !== "" && code.length <= maxCodeLength) {
    const submission = flowSecrets.submission.seal(key, flow, { answer: code });
    await beginSignIn(dependencies, flow, { submission });
    return { kind: "accepted", redirect: undefined };
  }
  const isAway = failuresOfProvider.has(error ?? "");
  log.warn(
    { flowId: flow.id, provider: flow.provider, reason: nameError(error) },
    "a provider's page gave no code; the sign-in is shown again",
  );
  const refusal = { kind: isAway ? "unavailable" : "broken" } as const;
  await advanceFlow(pool, flow, { phase: "form", refusal, challenge: null });
  return { kind: "accepted", redirect: undefined };
}

/** For the log: "none" for a text that is not in the form of an error code, because it may hold data. */
function nameError(error: string | undefined): string {
  return error !== undefined && /^[a-z_]{1,40}$/.test(error) ? error : "none";
}
