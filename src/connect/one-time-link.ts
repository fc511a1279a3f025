import type { TokenId } from "../model/index.ts";
import { addSeconds, type Clock } from "../platform/clock.ts";
import { mintCredential, sha256, type Environment } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import { createFlow, type CreateFlowDependencies, type FlowRequest } from "./create-flow.ts";
import { flowLifetimeSeconds, type Flow } from "./flow.ts";
import { claimLink, findLink } from "./flow-store.ts";

export interface CreateLinkDependencies extends CreateFlowDependencies {
  environment: Environment;
}

/** What a browser that opens a one-time link gets. */
export type ClaimedLink =
  { kind: "flow"; flow: Flow } | { kind: "used" | "expired"; locale: string | null };

/** With `tokenId` the link re-authenticates that token. Only this call returns the credential. */
export async function createOneTimeLink(
  dependencies: CreateLinkDependencies,
  request: FlowRequest,
  { lifetimeSeconds, tokenId }: { lifetimeSeconds: number; tokenId: TokenId | null },
): Promise<{ id: string; credential: string; expiresAt: Date }> {
  const credential = mintCredential("ln", dependencies.environment);
  const created = await createFlow(dependencies, request, {
    kind: "one-time-link",
    credential,
    lifetimeSeconds,
    tokenId,
  });
  return { ...created, credential };
}

/** The link belongs to the first browser that opens it. A link that is in no table any more has expired. */
export async function claimOneTimeLink(
  { pool, clock }: { pool: Pool; clock: Clock },
  credential: string,
  browser: string,
): Promise<ClaimedLink> {
  const linkDigest = sha256(credential);
  const now = clock.now();
  const flow = await claimLink(pool, {
    linkDigest,
    browserDigest: sha256(browser),
    now,
    expiresAt: addSeconds(now, flowLifetimeSeconds),
  });
  if (flow) return { kind: "flow", flow };
  const link = await findLink(pool, linkDigest);
  return { kind: link && link.expiresAt > now ? "used" : "expired", locale: link?.locale ?? null };
}
