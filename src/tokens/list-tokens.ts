import { z } from "zod";
import type { Connections } from "../connections/index.ts";
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
import { findTokenById, formatTokens, pageOfTokens } from "./store.ts";

const tokenStatus = namedEnum("TokenStatus", "Whether a token gives data.", {
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
      },
    ],
  });

export type TokenEntry = z.output<typeof tokenEntry>;

/** A part of the list: at most so many tokens, and those after one of them. */
export interface TokenPage {
  limit?: number | undefined;
  after?: TokenId | undefined;
}

/**
 * The list of the client's tokens as JSON, oldest first: all of them, or a page. The database writes the text, in
 * parts, because a long list made or sent at once would stop every other request.
 */
export async function listTokens(
  { pool, connections }: { pool: Pool; connections: Connections },
  clientId: ClientId,
  page: TokenPage,
): Promise<string[]> {
  const isPage = page.limit !== undefined || page.after !== undefined;
  const tokenIds = isPage ? await pageOfTokens(pool, clientId, page) : undefined;
  if (tokenIds === null) {
    await requireOwnToken(pool, clientId, page.after);
    return ["[]"];
  }
  const restrictions = await connections.restrictions(clientId, tokenIds);
  const parts = await formatTokens(pool, clientId, { tokenIds, restrictions });
  if (parts.length === 0) return ["[]"];
  return parts.map(
    (part, index) => `${index === 0 ? "[" : ","}${part}${index === parts.length - 1 ? "]" : ""}`,
  );
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
