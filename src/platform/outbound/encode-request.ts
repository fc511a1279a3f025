import { InvalidTarget, type RequestLabel } from "./outbound-error.ts";
import { acceptedEncodings } from "./read-body.ts";

type QueryValue = string | number | boolean | undefined;

export interface ProviderRequest {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined;
  url: string | URL;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Added to the query of the URL. An array repeats its name. */
  query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined;
  /** At most one of `json`, `form` and `body`. */
  json?: unknown;
  form?: Readonly<Record<string, string>> | undefined;
  body?: string | Uint8Array | undefined;
  /** For the whole request, with its retries and waits. */
  timeoutMs?: number | undefined;
  /** Whether it may be sent again after a failure. The default is true for GET and HEAD alone. */
  isIdempotent?: boolean | undefined;
  /** Redirects are never followed. A caller may say so where it matters. */
  redirect?: "manual" | undefined;
}

export interface EncodedRequest {
  label: RequestLabel;
  method: NonNullable<ProviderRequest["method"]>;
  url: URL;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  isIdempotent: boolean;
}

const headersOfTheClient = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "cookie",
  "expect",
  "host",
  "transfer-encoding",
  "upgrade",
]);

export function encodeRequest(
  request: ProviderRequest,
  origins: ReadonlySet<string>,
): EncodedRequest {
  const method = request.method ?? "GET";
  const url = parseTarget(request.url);
  if (!origins.has(url.origin))
    throw new InvalidTarget(url.host, "it is not a host of this sign-in");
  addQuery(url, request.query ?? {});
  const { body, contentType } = encodeBody(request);
  return {
    label: { method, host: url.host },
    method,
    url,
    headers: encodeHeaders(request.headers ?? {}, contentType),
    body,
    isIdempotent: request.isIdempotent ?? (method === "GET" || method === "HEAD"),
  };
}

/** Does not throw the URL parser's own error, which quotes the input. */
export function parseTarget(input: string | URL): URL {
  const url = URL.parse(String(input));
  if (url === null) throw new InvalidTarget("the address", "it is not a URL");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new InvalidTarget(url.host, "it is not http");
  if (url.username !== "" || url.password !== "")
    throw new InvalidTarget(url.host, "it names a user");
  return url;
}

function addQuery(url: URL, query: NonNullable<ProviderRequest["query"]>): void {
  for (const [name, given] of Object.entries(query)) {
    for (const value of Array.isArray(given) ? given : [given]) {
      if (value !== undefined) url.searchParams.append(name, String(value));
    }
  }
}

function encodeHeaders(
  given: Readonly<Record<string, string>>,
  contentType: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {
    "user-agent": "rollcall",
    "accept-encoding": acceptedEncodings,
  };
  if (contentType !== undefined) headers["content-type"] = contentType;
  for (const [name, value] of Object.entries(given)) {
    const lowerName = name.toLowerCase();
    if (headersOfTheClient.has(lowerName))
      throw new TypeError(
        `The client sets the header ${lowerName} itself; remove it from the request.`,
      );
    headers[lowerName] = value;
  }
  return headers;
}

function encodeBody(request: ProviderRequest): {
  body: string | Uint8Array | null;
  contentType?: string;
} {
  const given = [request.json, request.form, request.body].filter((body) => body !== undefined);
  if (given.length > 1) throw new TypeError("A request has at most one of json, form and body.");
  if (request.json !== undefined)
    return { body: JSON.stringify(request.json), contentType: "application/json" };
  if (request.form !== undefined) {
    return {
      body: new URLSearchParams(request.form).toString(),
      contentType: "application/x-www-form-urlencoded",
    };
  }
  return { body: request.body ?? null };
}
