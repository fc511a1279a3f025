import { z } from "zod";
import { NotFound, type TokenId } from "../model/index.ts";

/** An id of a token, for descriptions. */
export const exampleToken = "01a1fd39-1dc3-72c9-9867-e2fd22989539";

/** In the path of what is about one token. */
export const tokenParameter = z.object({
  token_id: z
    .string()
    .describe("The id of the token, `token` in the list; not the credential")
    .meta({ examples: [exampleToken] }),
});

/** Throws NotFound for what is no id at all. */
export function requireTokenId(id: string): TokenId {
  if (!z.uuid().safeParse(id).success) throw new NotFound(id, "The token is not known.");
  return id;
}
