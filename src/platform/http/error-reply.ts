export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Turns whatever was thrown into the reply that the specification asks for. */
export type ToErrorReply = (error: unknown) => ErrorReply;
