import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AuthenticationFailed, Forbidden, type Scope } from "../model/index.ts";
import { callerAddress, readAuthorization } from "../platform/http/index.ts";
import { sandboxWindow } from "./admission-copies.ts";
import { explainUnknown } from "./explain-refusal.ts";
import type { Admission, StoredData } from "./find-admission.ts";
import type { Tokens } from "./tokens.ts";

/** The scope that a request needs, and the stored data that would answer it, if any. */
interface AdmissionRequest {
  scope: Scope;
  stored?: StoredData;
}

/** What finds the admission of an access token. */
export type AdmissionFinder = Pick<Tokens, "checkForm" | "admit" | "findAdmission">;

interface Guarded {
  app: FastifyInstance;
  tokens: AdmissionFinder;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Admits a data request, whose address is counted here. Throws AuthenticationFailed for a missing or unknown token,
 * Forbidden for a token that is disconnected, lacks the scope or belongs to the other environment, and RateLimited.
 */
export async function admitDataRequest(
  guarded: Guarded,
  { scope, stored }: AdmissionRequest,
): Promise<Admission> {
  const credential = readCredential(guarded.request, guarded.tokens);
  const admission = await findCounted(guarded, credential, stored);
  if (!admission) throw unknownToken(explainUnknown("", "valid"));
  if (admission.isDisconnected) throw new Forbidden("The token was disconnected.");
  if (!admission.scopes.includes(scope))
    throw new Forbidden(`This endpoint needs the scope ${scope}, which the token lacks.`, scope);
  return admission;
}

/**
 * Counts the request for its address, and for the client of its token. Undefined for an unknown token. Throws the
 * refusal of a request that has no usable credential.
 */
export async function findCounted(
  { app, tokens, request, reply }: Guarded,
  credential: string | Error,
  stored?: StoredData,
): Promise<Admission | undefined> {
  if (credential instanceof Error) {
    await app.limitAddress(request, reply);
    throw credential;
  }
  const counted = await tokens.admit(credential, stored, () => app.describeWindows(request));
  if (!counted) {
    await app.limitAddress(request, reply);
    const admission = await tokens.findAdmission(credential, stored);
    if (admission) await countForClient(app, request, reply, admission);
    return admission;
  }
  const { address, client, admission } = counted;
  app.applyCount(request, reply, { keyedBy: "address", count: address });
  if (!admission) return undefined;
  if (!client) await countForClient(app, request, reply, admission);
  else {
    noteIds(request, admission);
    const max = admission.requestsPer5Minutes ?? null;
    app.applyCount(request, reply, { keyedBy: "client", count: client, max });
  }
  return admission;
}

function noteIds(request: FastifyRequest, { tokenId, clientId }: Admission): void {
  request.logIds["tokenId"] = tokenId;
  request.logIds["clientId"] = clientId;
}

async function countForClient(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): Promise<void> {
  noteIds(request, admission);
  const { isSharedSandbox, clientId, requestsPer5Minutes } = admission;
  await app.limitClient(request, reply, {
    key: isSharedSandbox ? sandboxWindow(callerAddress(request)) : clientId,
    max: requestsPer5Minutes ?? null,
  });
}

/** The access token, or why there is none that may be looked up. */
function readCredential(request: FastifyRequest, tokens: AdmissionFinder): string | Error {
  const authorization = readAuthorization(request);
  if (authorization.kind !== "bearer") return noCredential(authorization.kind);
  const { credential } = authorization;
  const form = tokens.checkForm(credential);
  if (form === "other-environment") return otherEnvironment();
  return form === "malformed" ? unknownToken(explainUnknown(credential, form)) : credential;
}

export function otherEnvironment(): Forbidden {
  return new Forbidden("The token is of another environment.");
}

function noCredential(kind: "several" | "none" | "other"): AuthenticationFailed {
  return kind === "several"
    ? new AuthenticationFailed(
        "reauthentication_required",
        "bearer-repeated",
        "The request has more than one Authorization header; one access token is required.",
      )
    : new AuthenticationFailed(
        "reauthentication_required",
        "bearer-missing",
        kind === "other"
          ? "The Authorization header has another scheme than Bearer; an access token is required."
          : "The request has no access token. It is sent in the header Authorization: Bearer <access token>.",
      );
}

function unknownToken(message: string): AuthenticationFailed {
  return new AuthenticationFailed("reauthentication_required", "bearer-invalid", message);
}
