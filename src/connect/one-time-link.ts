import { v7 as uuidv7 } from "uuid";
import { addSeconds } from "../platform/clock.ts";
import { mintCredential, sha256 } from "../platform/crypto/index.ts";
import { createFlow, findFirstStep, type FlowRequest } from "./create-flow.ts";
import { flowLifetimeSeconds, hasConnected, type Flow } from "./flow.ts";
import { findFlowOfLink, type FlowSource } from "./find-flow.ts";
import { openFlowKey } from "./flow-secrets.ts";
import { claimLink, insertFlow } from "./flow-store.ts";
import { changeTerms, type FlowTerms } from "./flow-terms.ts";
import type { Needs } from "./services.ts";

export type CreateLinkNeeds = Needs<
  "pool" | "keyring" | "boundSince" | "registry" | "clock" | "environment"
>;

/** What a browser finds at a one-time link. */
export type FoundLink =
  | { kind: "unclaimed"; flow: Flow }
  | { kind: "own"; flow: Flow }
  | { kind: "used"; locale: string | null }
  /** With the flow as long as it is stored, where it was open for this browser. */
  | { kind: "expired"; locale: string | null; flow?: Flow };

/** With `tokenId` the link re-authenticates that token. Only this call returns the credential. */
export async function createOneTimeLink(
  dependencies: CreateLinkNeeds,
  { link, ...request }: FlowRequest,
  opening: Pick<FlowTerms, "tokenId"> & Partial<FlowTerms> & { lifetimeSeconds: number },
): Promise<{ id: string; credential: string; expiresAt: Date }> {
  const { pool, clock, environment, registry } = dependencies;
  const credential = mintCredential("ln", environment);
  const now = clock.now();
  const id = uuidv7({ msecs: now.getTime() });
  const flow = createFlow(dependencies, {
    ...request,
    ...link,
    ...findFirstStep(registry, link),
    ...opening,
    id,
    linkDigest: sha256(credential),
  });
  await insertFlow(pool, { ...flow, opener: null });
  return { id, credential, expiresAt: addSeconds(now, opening.lifetimeSeconds) };
}

/** Changes nothing: to look at a link does not use it. */
export async function findOneTimeLink(
  dependencies: FlowSource,
  credential: string,
  browser: string | undefined,
): Promise<FoundLink> {
  const flow = await findFlowOfLink(dependencies, sha256(credential));
  // A link that is in no table any more has expired.
  if (!flow) return { kind: "expired", locale: null };
  const { browserDigest, locale } = flow;
  const isOwn = browser !== undefined && browserDigest?.equals(sha256(browser));
  if (flow.isExpired && !(isOwn && hasConnected(flow)))
    return { kind: "expired", locale, ...((isOwn || !browserDigest) && { flow }) };
  if (!browserDigest) return { kind: "unclaimed", flow };
  return isOwn ? { kind: "own", flow } : { kind: "used", locale };
}

/** Claims the link for the first browser that sends a form of its page. Undefined when another one was first. */
export async function claimOneTimeLink(
  dependencies: FlowSource,
  credential: string,
  browser: string,
): Promise<Flow | undefined> {
  const { pool, keyring } = dependencies;
  const found = await findOneTimeLink(dependencies, credential, browser);
  if (found.kind === "own") return found.flow;
  if (found.kind !== "unclaimed") return undefined;
  const { flow } = found;
  const claimed = changeTerms(openFlowKey(keyring, flow), flow, { browserDigest: sha256(browser) });
  if (await claimLink(pool, flow, { ...claimed, lifetimeSeconds: flowLifetimeSeconds }))
    return { ...flow, ...claimed };
  const again = await findOneTimeLink(dependencies, credential, browser);
  return again.kind === "own" ? again.flow : undefined;
}
