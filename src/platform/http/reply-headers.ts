/** A header of replies, as OpenAPI describes it. */
interface HeaderDescription {
  description: string;
  /** Whether each reply has it in whose description it stands. */
  required: boolean;
  schema: Readonly<Record<string, unknown>>;
  example: string | number;
}

const text = { type: "string" } as const;
const seconds = { type: "integer", minimum: 0 } as const;

/** The headers of replies, except for those of HTTP itself, such as `Content-Type` and `Vary`. */
export const replyHeaders = {
  "x-request-id": {
    description: "Id of the request. Quote it when you ask about a reply.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "01a20327-8b65-742f-88b7-b9d212d93fec",
  },
  RateLimit: {
    description:
      "What is left in each window that counted the request: `r` requests, and `t` seconds until the window " +
      "starts anew (draft-ietf-httpapi-ratelimit-headers).",
    required: false,
    schema: text,
    example: '"gated-1m";r=39;t=60, "gated-5m";r=39;t=300',
  },
  "RateLimit-Policy": {
    description: "The windows of the endpoint: `q` requests in `w` seconds.",
    required: false,
    schema: text,
    example: '"gated-1m";q=40;w=60, "gated-5m";q=40;w=300',
  },
  "Retry-After": {
    description: "Seconds to wait before the call is repeated.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 2,
  },
  "Cache-Control": {
    description:
      "Who may keep the reply: nobody with `no-store`; with `no-cache`, whoever asks again with `If-None-Match`.",
    required: false,
    schema: text,
    example: "private, no-store",
  },
  ETag: {
    description: "Changes when the content does. Send it back in `If-None-Match`.",
    required: false,
    schema: text,
    example: 'W/"DV98hdZt-0hP3j9G"',
  },
  Age: {
    description: "Seconds since the data was fetched from the provider.",
    required: true,
    schema: seconds,
    example: 42,
  },
  "Last-Modified": {
    description: "When the data was fetched from the provider, as an HTTP date.",
    required: true,
    schema: text,
    example: "Mon, 02 Mar 2026 10:00:00 GMT",
  },
  "Preference-Applied": {
    description: "The `Prefer` that was followed: how long the reply waited at most.",
    required: false,
    schema: text,
    example: "wait=10",
  },
  "webhook-id": {
    description: "The id that the signature covers.",
    required: true,
    schema: text,
    example: "receipt_01a1fd39-1dc3-72c9-9867-e2fd22989539",
  },
  "webhook-timestamp": {
    description: "When the reply was signed, in seconds since 1970.",
    required: true,
    schema: text,
    example: "1772445600",
  },
  "webhook-signature": {
    description:
      "Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, once " +
      "for each current secret, separated by spaces.",
    required: true,
    schema: text,
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
  "WWW-Authenticate": {
    description:
      "What is wrong with the credential of the request (RFC 6750). It is missing when the provider refused " +
      "the end user's account.",
    required: false,
    schema: text,
    example: 'Bearer error="invalid_token"',
  },
} as const satisfies Readonly<Record<string, HeaderDescription>>;

export type ReplyHeader = keyof typeof replyHeaders;

const ofEveryReply: readonly ReplyHeader[] = ["x-request-id", "RateLimit", "RateLimit-Policy"];

const ofStatus: Readonly<Record<string, readonly ReplyHeader[]>> = {
  202: ["Retry-After"],
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** The headers of a reply, as references to the shared descriptions. `own` are those of its route. */
export function describeReplyHeaders(
  status: string,
  own: readonly ReplyHeader[] = [],
): Record<string, { $ref: string }> {
  const names: readonly ReplyHeader[] = [
    ...ofEveryReply,
    ...(ofStatus[status] ?? []),
    ...(Number(status) >= 400 ? (["Cache-Control"] as const) : []),
    ...own,
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
