declare const kind: unique symbol;

/**
 * A string that is marked as one kind of id. An id of another kind does not compile in its place. A plain
 * string does, so that nothing has to be cast where an id comes from outside.
 */
type Id<Kind extends string> = string & { readonly [kind]?: Kind };

export type ClientId = Id<"client">;
export type ConnectionId = Id<"connection">;
/** The public name of a token, never the credential. */
export type TokenId = Id<"token">;
