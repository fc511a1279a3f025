import { z } from "zod";
import { label } from "../connections/index.ts";
import { mode, scope } from "../model/index.ts";
import { sealedJson, type DataKey } from "../platform/crypto/index.ts";
import type { Flow, FlowTerms } from "./flow.ts";

const sealedTerms = sealedJson({
  name: "flow-terms",
  owner: ["flowId"],
  schema: z.object({
    purpose: z.enum(["connection", "accesses"]),
    clientId: z.string(),
    tokenId: z.string().nullable(),
    /** In base64. */
    linkDigest: z.string().nullable(),
    /** In base64. */
    browserDigest: z.string().nullable(),
    mode,
    scopes: z.array(scope),
    redirectUri: z.string(),
    codeChallenge: z.string().nullable(),
    tags: z.array(z.string()),
    isSandbox: z.boolean(),
    provider: z.string().nullable(),
    isProviderFixed: z.boolean(),
    mayChangeAccount: z.boolean(),
    isSealedToBrowser: z.boolean(),
    /** Missing in a flow of an earlier version. */
    label: label.nullable().default(null),
    /** The same. */
    settings: z.record(z.string(), z.string()).nullable().default(null),
    /** The same. */
    allowsHandover: z.boolean().default(false),
  }),
});

/** What a flow of a version that sealed no terms has of them, beside its row. */
export const unsealedTerms = {
  mayChangeAccount: false,
  isSealedToBrowser: false,
  label: null,
  settings: null,
  allowsHandover: false,
} as const;

export function sealTerms(key: DataKey, flowId: string, terms: FlowTerms): Buffer {
  const { linkDigest, browserDigest } = terms;
  return sealedTerms.seal(
    key,
    { flowId },
    {
      ...pickTerms(terms),
      linkDigest: linkDigest && linkDigest.toString("base64"),
      browserDigest: browserDigest && browserDigest.toString("base64"),
    },
  );
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

/** The same terms but for these, as they are stored. A flow of an earlier version stays without a seal. */
export function changeTerms(
  key: DataKey,
  flow: Flow,
  change: Partial<Pick<FlowTerms, "provider" | "browserDigest">>,
): { terms: FlowTerms; sealed: Buffer | null } {
  const terms = { ...pickTerms(flow), ...change };
  return { terms, sealed: flow.sealedTerms && sealTerms(key, flow.id, terms) };
}

function pickTerms(flow: FlowTerms): FlowTerms {
  const { purpose, clientId, tokenId, linkDigest, browserDigest, mode, scopes } = flow;
  const { redirectUri, codeChallenge, tags, isSandbox, provider, isProviderFixed } = flow;
  const { mayChangeAccount, isSealedToBrowser, label: given, settings, allowsHandover } = flow;
  return {
    purpose,
    clientId,
    tokenId,
    linkDigest,
    browserDigest,
    mode,
    scopes,
    redirectUri,
    codeChallenge,
    tags,
    isSandbox,
    provider,
    isProviderFixed,
    mayChangeAccount,
    isSealedToBrowser,
    label: given,
    settings,
    allowsHandover,
  };
}
