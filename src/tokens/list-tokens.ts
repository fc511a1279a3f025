import { z } from "zod";
import type { Connections } from "../connections/index.ts";
import { InvalidRequest } from "../errors.ts";
import { mode, resources, scope, type ClientId, type TokenId } from "../model/index.ts";
import type { Pool } from "../platform/db/index.ts";
import { findTokenById, formatTokens, pageOfTokens } from "./store.ts";

export const tokenEntry = z
  .object({
    token: z.string().describe("The token's id, never the credential"),
    scopes: z.array(scope),
    mode,
    provider: z.string(),
    created_at: z.iso.datetime(),
    valid: z.boolean().describe("False once disconnected"),
    status: z.enum(["active", "reauthentication_required", "disconnected"]),
    forbidden: z
      .array(z.enum(resources))
      .describe("Resources that the end user's account may not read"),
    limited: z
      .partialRecord(z.enum(resources), z.array(z.string()))
      .describe("Fields that are null in every record, because the account may not read them"),
  })
  .meta({
    id: "TokenEntry",
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
