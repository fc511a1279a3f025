import { z } from "zod";
import { shownLabelFields, type Connections, type Label } from "../connections/index.ts";
import {
  InvalidRequest,
  mode,
  namedEnum,
  resource,
  scope,
  type ClientId,
  type TokenId,
} from "../model/index.ts";
import type { Pool } from "../platform/db/index.ts";
import { findTokenById, formatTokens, pageOfTokens, type TokenSelection } from "./store.ts";

export const tokenStatus = namedEnum("TokenStatus", "Whether a token gives data.", {
  active: "it gives data",
  reauthentication_required:
    "the end user has to sign in again; the same token works on after that",
  disconnected: "it was ended, and never gives data again",
});

export const tokenEntry = z
  .object({
    token: z.string().describe("The token's id, never the credential"),
    scopes: z.array(scope).describe("What the token may read"),
    mode: mode.describe("The mode of its connection"),
    provider: z.string().describe("The name of the provider"),
    created_at: z.iso.datetime().describe("When the token was made, RFC 3339 in UTC"),
    valid: z.boolean().describe("False once the token was disconnected"),
    status: tokenStatus.describe("Whether the token gives data"),
    forbidden: z
      .array(resource)
      .describe("Resources that the end user's account may not read. Empty when it may read all."),
    limited: z
      .partialRecord(resource, z.array(z.string()))
      .describe(
        "By resource, the fields that the account may not read, of every record or of some. They are null there.",
      ),
    ...shownLabelFields,
  })
  .meta({
    id: "TokenEntry",
    description: "A token of the client, and how it stands.",
    examples: [
      {
        token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
        scopes: ["/2023-03-01/xhr/employees"],
        mode: "xhr",
        provider: "sandbox",
        created_at: "2026-03-02T10:00:00.000Z",
        valid: true,
        status: "active",
        forbidden: ["payslips"],
        limited: { employees: ["tax_id"] },
        reference: "customer-4711",
        metadata: { plan: "team" },
      },
    ],
  });

export type TokenEntry = z.output<typeof tokenEntry>;

export type TokenStatus = z.output<typeof tokenStatus>;

/** A part of the list: at most so many tokens, those after one of them, and those that are as it says. */
export interface TokenPage {
  limit?: number | undefined;
  after?: TokenId | undefined;
  status?: TokenStatus | undefined;
  provider?: string | undefined;
  reference?: string | undefined;
  /** Made then or later, and before. */
  since?: Date | undefined;
  until?: Date | undefined;
}

interface ListDependencies {
  pool: Pool;
  connections: Connections;
}

/**
 * The list of the client's tokens as JSON, oldest first: all of them, or a page. The database writes the text, in
 * parts, because a long list made or sent at once would stop every other request. What is sealed is added to it here.
 */
export async function listTokens(
  { pool, connections }: ListDependencies,
  clientId: ClientId,
  page: TokenPage,
): Promise<string[]> {
  const isWhole = Object.values(page).every((value) => value === undefined);
  const tokenIds = isWhole
    ? undefined
    : await pageOfTokens(pool, clientId, await selectTokens(connections, clientId, page));
  if (tokenIds === null) {
    await requireOwnToken(pool, clientId, page.after);
    return ["[]"];
  }
  const [restrictions, labels] = await Promise.all([
    connections.restrictions(clientId, tokenIds),
    connections.labels.ofClient(clientId, tokenIds),
  ]);
  const parts = await formatTokens(pool, clientId, { tokenIds, restrictions });
  if (parts.length === 0) return ["[]"];
  return parts.map((entries, index) => {
    const text = entries.map(({ tokenId, entry }) => entry + formatLabel(labels.get(tokenId)));
    return `${index === 0 ? "[" : ","}${text.join(",")}${index === parts.length - 1 ? "]" : ""}`;
  });
}

/** The end of an entry. */
function formatLabel(label: Label | undefined): string {
  if (!label) return ',"reference":null,"metadata":null}';
  const { reference, metadata } = label;
  return `,"reference":${JSON.stringify(reference)},"metadata":${JSON.stringify(metadata)}}`;
}

/** What other rooms know of tokens, as ids. */
async function selectTokens(
  connections: Connections,
  clientId: ClientId,
  { status, reference, ...page }: TokenPage,
): Promise<TokenSelection> {
  const [named, refused] = await Promise.all([
    reference === undefined ? undefined : connections.labels.tokensOf(clientId, reference),
    status === undefined || status === "disconnected"
      ? undefined
      : connections.refusedTokens(clientId),
  ]);
  const selection = { ...page, isDisconnected: status && status === "disconnected" };
  if (status !== "reauthentication_required")
    return { ...selection, among: named, except: refused };
  return { ...selection, among: named?.filter((id) => refused?.includes(id)) ?? refused };
}

async function requireOwnToken(
  pool: Pool,
  clientId: ClientId,
  after: TokenId | undefined,
): Promise<void> {
  if (after === undefined) return;
  const token = await findTokenById(pool, after);
  if (token?.clientId !== clientId)
    throw new InvalidRequest("after: is not the id of a token of this client");
}
