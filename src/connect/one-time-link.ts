import { v7 as uuidv7 } from "uuid";
import type { TokenId } from "../model/index.ts";
import { addSeconds, type Clock } from "../platform/clock.ts";
import { mintCredential, sha256, type Environment } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import { createFlow, type CreateFlowDependencies, type FlowRequest } from "./create-flow.ts";
import { flowLifetimeSeconds, type Flow } from "./flow.ts";
import { claimLink, findFlowOfLink, insertFlow } from "./flow-store.ts";

export interface CreateLinkDependencies extends CreateFlowDependencies {
  clock: Clock;
  environment: Environment;
}

/** What a one-time link is for a browser that comes with it. */
export type FoundLink =
  | { kind: "unclaimed"; flow: Flow }
  | { kind: "own"; flow: Flow }
  | { kind: "used"; locale: string | null }
  | { kind: "expired"; locale: string | null };

/** With `tokenId` the link re-authenticates that token. Only this call returns the credential. */
export async function createOneTimeLink(
  dependencies: CreateLinkDependencies,
  request: FlowRequest,
  { lifetimeSeconds, tokenId }: { lifetimeSeconds: number; tokenId: TokenId | null },
): Promise<{ id: string; credential: string; expiresAt: Date }> {
  const { pool, clock, environment } = dependencies;
  const credential = mintCredential("ln", environment);
  const now = clock.now();
  const id = uuidv7({ msecs: now.getTime() });
  const origin = { kind: "one-time-link", credential, lifetimeSeconds, tokenId } as const;
  const flow = createFlow(dependencies, request, { id, origin });
  await insertFlow(pool, { ...flow, openerKey: null });
  return { id, credential, expiresAt: addSeconds(now, lifetimeSeconds) };
}

/** Changes nothing, so that whoever only looks at a link leaves it as it is. */
export async function findOneTimeLink(
  { pool }: { pool: Pool },
  credential: string,
  browser: string | undefined,
): Promise<FoundLink> {
  const flow = await findFlowOfLink(pool, sha256(credential));
  // A link that is in no table any more has expired.
  if (!flow || flow.isExpired) return { kind: "expired", locale: flow?.locale ?? null };
  if (!flow.browserDigest) return { kind: "unclaimed", flow };
  return browser !== undefined && flow.browserDigest.equals(sha256(browser))
    ? { kind: "own", flow }
    : { kind: "used", locale: flow.locale };
}

/** The link belongs to the first browser that sends a form of its page. Undefined when another one was first. */
export async function claimOneTimeLink(
  { pool }: { pool: Pool },
  credential: string,
  browser: string,
): Promise<Flow | undefined> {
  return await claimLink(pool, {
    linkDigest: sha256(credential),
    browserDigest: sha256(browser),
    lifetimeSeconds: flowLifetimeSeconds,
  });
}
