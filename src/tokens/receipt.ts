import { z } from "zod";
import type { Audit } from "../audit/index.ts";
import { NotFound, endedBy, type ClientId, type TokenId } from "../model/index.ts";
import type { Pool } from "../platform/db/index.ts";
import { findEndedEntry } from "./store.ts";

export const receipt = z
  .object({
    token: z.string().describe("The id of the token"),
    client_id: z.string().describe("The client to which it belonged"),
    connection: z.string().describe("The id of the connection"),
    disconnected_at: z.iso
      .datetime()
      .describe("When the token ended and all this was deleted, RFC 3339 in UTC"),
    by: endedBy.describe("Who ended it"),
    deleted: z
      .object({
        credentials: z
          .literal(true)
          .describe("What the end user signed in with, the session, and their key"),
        lists: z.number().int().describe("Stored lists of records"),
        pay_run_ids: z.number().int().describe("Ids of pay runs that were given out"),
        webhooks: z.number().int().describe("Bodies of webhooks that were kept"),
      })
      .meta({ id: "Deleted", description: "What was deleted with the connection." })
      .describe("What was deleted"),
  })
  .meta({
    id: "Receipt",
    description: "What was deleted when a token ended.",
    examples: [
      {
        token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
        client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
        connection: "01a1fd39-1dc3-7f0a-8b6d-3f1d2a6c9e10",
        disconnected_at: "2026-03-02T10:00:00.000Z",
        by: "client",
        deleted: { credentials: true, lists: 3, pay_run_ids: 12, webhooks: 1 },
      },
    ],
  });
type Receipt = z.output<typeof receipt>;

/** As `Tokens.disconnect` records it. */
const endedDetail = z.object({
  by: z.enum(["end-user", "operator"]).optional(),
  lists: z.number(),
  payRunIds: z.number(),
  webhooks: z.number(),
});

/** Made of the entry of the audit record, which its MAC proves: it stays as long as the record. */
export async function findReceipt(
  { pool, audit }: { pool: Pool; audit: Audit },
  tokenId: TokenId,
  clientId: ClientId,
): Promise<Receipt> {
  const id = z.uuid().safeParse(tokenId).success && (await findEndedEntry(pool, tokenId));
  const entry = id && (await audit.findEntry(pool, { id, action: "token.disconnected", tokenId }));
  const detail = entry && endedDetail.safeParse(entry.detail).data;
  if (!entry || !detail || entry.clientId !== clientId || entry.connectionId === null)
    throw new NotFound(
      tokenId,
      "The client has no token of this id that was disconnected with a receipt.",
    );
  const { by = "client", lists, payRunIds, webhooks } = detail;
  return {
    token: tokenId,
    client_id: clientId,
    connection: entry.connectionId,
    disconnected_at: entry.at.toISOString(),
    by: by === "end-user" ? "end_user" : by,
    deleted: { credentials: true, lists, pay_run_ids: payRunIds, webhooks },
  };
}
