import type { Flow } from "./flow.ts";
import { openFlowKey } from "./flow-secrets.ts";
import { findStoredFlow, type StoredFlow } from "./flow-store.ts";
import { openTerms, unsealedTerms } from "./flow-terms.ts";
import type { Needs } from "./services.ts";

/** What a flow is found and opened with. */
export type FlowSource = Needs<"pool" | "keyring" | "boundSince" | "log">;

export async function findFlow(source: FlowSource, id: string): Promise<Flow | undefined> {
  const stored = await findStoredFlow(source.pool, { id });
  return stored && openFlow(source, stored);
}

export async function findFlowOfLink(
  source: FlowSource,
  linkDigest: Buffer,
): Promise<Flow | undefined> {
  const stored = await findStoredFlow(source.pool, { linkDigest });
  const flow = stored && openFlow(source, stored);
  return flow?.linkDigest?.equals(linkDigest) ? flow : undefined;
}

/**
 * The flow with its sealed terms. Undefined when somebody else wrote the row. A flow of an earlier version has no
 * sealed terms, and is accepted as long as that version may write.
 */
export function openFlow(
  { keyring, boundSince, log }: Needs<"keyring" | "boundSince" | "log">,
  stored: StoredFlow,
): Flow | undefined {
  const { id, sealedTerms } = stored;
  if (!sealedTerms && !boundSince.requires("connect_flows")) return { ...stored, ...unsealedTerms };
  try {
    if (!sealedTerms) throw new Error("the flow has no sealed terms");
    return { ...stored, ...openTerms(openFlowKey(keyring, stored), id, sealedTerms) };
  } catch (error) {
    log.error(
      { err: error, flowId: id },
      "a sign-in cannot be read: somebody else changed it in the database, or its key is not there; it does not go on",
    );
    return undefined;
  }
}
