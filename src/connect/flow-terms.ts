import { z } from "zod";
import { label } from "../connections/index.ts";
import { mode, scope } from "../model/index.ts";
import { sealedJson, type DataKey } from "../platform/crypto/index.ts";

const storedTerms = z.object({
  /** Whether it makes or renews a connection, or shows the end user who has access to the account. */
  purpose: z.enum(["connection", "accesses"]),
  /** Empty, like the redirect address, in a flow that makes no connection. */
  clientId: z.string(),
  /** In a re-authentication, the token that works again afterwards. */
  tokenId: z.string().nullable(),
  /** Of the one-time link, in base64. Null for a flow that a browser began. */
  linkDigest: z.string().nullable(),
  /** In base64. Null until the first browser has claimed the one-time link. */
  browserDigest: z.string().nullable(),
  mode,
  scopes: z.array(scope),
  redirectUri: z.string(),
  codeChallenge: z.string().nullable(),
  tags: z.array(z.string()),
  isSandbox: z.boolean(),
  provider: z.string().nullable(),
  isProviderFixed: z.boolean(),
  /** In a re-authentication, whether another account may take the place of the one before. */
  mayChangeAccount: z.boolean(),
  /** Whether the values of the flow open for its browser and its provider alone. */
  isSealedToBrowser: z.boolean(),
  /** What the client's server calls the connection. A link that a browser brings has none, nor an earlier version's. */
  label: label.nullable().default(null),
  /**
   * Those that the client's server has chosen, so that its end user is not asked for them. Missing in a flow of an
   * earlier version.
   */
  settings: z.record(z.string(), z.string()).nullable().default(null),
  /** Whether its end user may have a colleague sign in. In a flow of a client's connect session alone. */
  allowsHandover: z.boolean().default(false),
});

/**
 * What a flow was opened for, with its browser and its provider. It is sealed under the flow's key, so nobody who
 * writes to the database changes it.
 */
export type FlowTerms = Omit<z.output<typeof storedTerms>, "linkDigest" | "browserDigest"> & {
  linkDigest: Buffer | null;
  browserDigest: Buffer | null;
};

const sealedTerms = sealedJson({ name: "flow-terms", owner: ["flowId"], schema: storedTerms });

/** What a flow of a version that sealed no terms has of them, beside its row. */
export const unsealedTerms = {
  mayChangeAccount: false,
  isSealedToBrowser: false,
  label: null,
  settings: null,
  allowsHandover: false,
} as const;

export function sealTerms(key: DataKey, flowId: string, terms: FlowTerms): Buffer {
  // Whoever has terms has the rest of the flow, too: the schema leaves that out.
  const stored = storedTerms.parse({
    ...terms,
    linkDigest: terms.linkDigest && terms.linkDigest.toString("base64"),
    browserDigest: terms.browserDigest && terms.browserDigest.toString("base64"),
  });
  return sealedTerms.seal(key, { flowId }, stored);
}

/** Throws for terms that somebody else wrote. */
export function openTerms(key: DataKey, flowId: string, sealed: Buffer): FlowTerms {
  const { linkDigest, browserDigest, ...terms } = sealedTerms.open(key, { flowId }, sealed);
  return {
    ...terms,
    linkDigest: linkDigest === null ? null : Buffer.from(linkDigest, "base64"),
    browserDigest: browserDigest === null ? null : Buffer.from(browserDigest, "base64"),
  };
}

/** Other terms of the flow, with the seal of all. */
export interface ChangedTerms {
  provider?: string | null;
  browserDigest?: Buffer;
  /** Null for a flow of an earlier version, which stays without a seal. */
  sealedTerms: Buffer | null;
}

export function changeTerms(
  key: DataKey,
  flow: FlowTerms & { id: string; sealedTerms: Buffer | null },
  change: Omit<ChangedTerms, "sealedTerms">,
): ChangedTerms {
  const sealed = flow.sealedTerms && sealTerms(key, flow.id, { ...flow, ...change });
  return { ...change, sealedTerms: sealed };
}
