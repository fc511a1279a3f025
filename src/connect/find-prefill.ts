import { pickValues } from "./challenge.ts";
import type { Flow } from "./flow.ts";
import type { Prefill } from "./flow-secrets.ts";
import type { Needs } from "./services.ts";

type EarlierValues = Pick<Prefill, "formValues">;

/** In a re-authentication the form shows what was chosen before. */
export async function findPreviousPrefill(
  { connect }: Needs<"connect">,
  flow: Pick<Flow, "tokenId" | "clientId">,
): Promise<EarlierValues | undefined> {
  const { tokenId } = flow;
  const { previousSettings } = tokenId ? await connect.findReauthentication(tokenId, flow) : {};
  return previousSettings && { formValues: previousSettings };
}

/**
 * The same before a browser has claimed the link: only what everybody can choose, such as a region, because typed
 * values could name the account.
 */
export async function findUnclaimedPrefill(
  { connect, registry }: Needs<"connect" | "registry">,
  flow: Pick<Flow, "tokenId" | "clientId" | "provider" | "mode">,
): Promise<EarlierValues | undefined> {
  const previous = await findPreviousPrefill({ connect }, flow);
  const mode = registry.findMode(flow.provider ?? "", flow.mode);
  if (!previous || !mode) return undefined;
  const chosen = mode.fields.filter(({ choices }) => choices !== undefined);
  return { formValues: pickValues(chosen, previous.formValues) };
}
