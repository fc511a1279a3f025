import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AuthenticationFailed, Forbidden } from "../errors.ts";
import type { Scope } from "../model/index.ts";
import { callerAddress, readAuthorization } from "../platform/http/index.ts";
import type { Admission, StoredData } from "./find-admission.ts";
import type { Tokens } from "./tokens.ts";

/** The scope that a request needs, and the stored data that would answer it, if any. */
interface AdmissionRequest {
  scope: Scope;
  stored?: StoredData;
}

/**
 * Admits a data request. Throws AuthenticationFailed for a missing or unknown token, Forbidden for a token
 * that is disconnected, lacks the scope or belongs to the other environment, and RateLimited.
 */
export async function admitDataRequest(
  {
    app,
    tokens,
    request,
    reply,
  }: { app: FastifyInstance; tokens: Tokens; request: FastifyRequest; reply: FastifyReply },
  { scope, stored }: AdmissionRequest,
): Promise<Admission> {
  const credential = readCredential(request);
  const form = tokens.checkForm(credential);
  if (form === "malformed") throw unknownToken();
  if (form === "other-environment") throw new Forbidden("The token is of another environment.");
  const admission = await tokens.findAdmission(credential, stored);
  if (!admission) throw unknownToken();
  await countForClient(app, request, reply, admission);
  if (admission.isDisconnected) throw new Forbidden("The token was disconnected.");
  if (!admission.scopes.includes(scope))
    throw new Forbidden("The token lacks the scope of this endpoint.", scope);
  return admission;
}

/**
 * The callers of the shared sandbox token are strangers to each other, so each address has its own window.
 */
export async function countForClient(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): Promise<void> {
  request.logIds["tokenId"] = admission.tokenId;
  request.logIds["clientId"] = admission.clientId;
  await app.limitClient(
    request,
    reply,
    admission.isSharedSandbox ? `sandbox ${callerAddress(request)}` : admission.clientId,
  );
}

function readCredential(request: FastifyRequest): string {
  const authorization = readAuthorization(request);
  switch (authorization.kind) {
    case "bearer":
      return authorization.credential;
    case "several":
      throw new AuthenticationFailed(
        "reauthentication_required",
        "bearer-repeated",
        "The request carries more than one credential.",
      );
    case "none":
    case "other":
      throw new AuthenticationFailed(
        "reauthentication_required",
        "bearer-missing",
        "An access token is required.",
      );
  }
}

function unknownToken(): AuthenticationFailed {
  return new AuthenticationFailed(
    "reauthentication_required",
    "bearer-invalid",
    "The access token is not valid.",
  );
}
