import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { mode, scope } from "../model/index.ts";
import { secondsBetween } from "../platform/clock.ts";
import { sealedJson, sha256, type Keyring } from "../platform/crypto/index.ts";
import type { FlowRequest } from "./create-flow.ts";
import { flowLifetimeSeconds } from "./flow.ts";
import type { Needs } from "./services.ts";

/**
 * What a link asked for when a browser opened it. Nothing is stored of it: it travels sealed in the forms of the
 * link's page, and opens for that browser and that client alone.
 */
export interface OpenedLink {
  /** The id of the flow that the first form makes. */
  flowId: string;
  request: FlowRequest;
}

const sealedLink = sealedJson({
  name: "opened-link",
  owner: ["browser", "clientId"],
  schema: z.object({
    flowId: z.uuid(),
    openedAt: z.iso.datetime(),
    redirectUri: z.string(),
    rawState: z.string().optional(),
    link: z.object({
      mode,
      scopes: z.array(scope),
      provider: z.string().optional(),
      isSandbox: z.boolean(),
      codeChallenge: z.string().nullable(),
      locale: z.string().nullable(),
      tags: z.array(z.string()),
    }),
  }),
});

export function sealOpenedLink(
  { keyring, clock }: Needs<"keyring" | "clock">,
  { clientId, ...request }: FlowRequest,
  browser: string,
): string {
  const now = clock.now();
  const value = {
    ...request,
    flowId: uuidv7({ msecs: now.getTime() }),
    openedAt: now.toISOString(),
  };
  const { keyId, bytes } = sealedLink.seal(keyring, ownerOf(browser, clientId), value);
  return `${keyId}.${bytes.toString("base64url")}`;
}

/** Undefined when it was sealed for another browser or client, was changed, or is too old. */
export function openOpenedLink(
  { keyring, clock }: Needs<"keyring" | "clock">,
  field: string,
  { browser, clientId }: { browser: string; clientId: FlowRequest["clientId"] },
): OpenedLink | undefined {
  const opened = tryToOpen(keyring, field, ownerOf(browser, clientId));
  if (!opened) return undefined;
  const { flowId, openedAt, redirectUri, rawState, link } = opened;
  if (secondsBetween(new Date(openedAt), clock.now()) >= flowLifetimeSeconds) return undefined;
  return {
    flowId,
    request: { clientId, redirectUri, rawState, link: { ...link, provider: link.provider } },
  };
}

function tryToOpen(keyring: Keyring, field: string, owner: ReturnType<typeof ownerOf>) {
  const dot = field.lastIndexOf(".");
  const sealed = {
    keyId: field.slice(0, Math.max(0, dot)),
    bytes: Buffer.from(field.slice(dot + 1), "base64url"),
  };
  try {
    return sealedLink.open(keyring, owner, sealed);
  } catch {
    return undefined;
  }
}

function ownerOf(browser: string, clientId: string) {
  return { browser: sha256(browser).toString("base64url"), clientId };
}
