import type { FastifyRequest } from "fastify";
import { ExchangeRefused } from "../errors.ts";

export interface BasicClient {
  clientId: string;
  clientSecret: string;
}

/** The parameters of a form body. */
export class FormBody {
  readonly #parameters: URLSearchParams;

  constructor(parameters: URLSearchParams) {
    this.#parameters = parameters;
  }

  /** With the client of a Basic header. A client authenticates in one way, and a parameter stands once. */
  withClient(basic: BasicClient | undefined): Record<string, string> {
    const names = [...this.#parameters.keys()];
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined)
      throw new ExchangeRefused("invalid_request", `${repeated} comes more than once`);
    // RFC 6749, 3.2: a parameter without a value is as good as left out.
    const parameters = Object.fromEntries(
      [...this.#parameters].filter(([, value]) => value !== ""),
    );
    if (!basic) return parameters;
    const { client_id: clientId } = parameters;
    if (
      parameters["client_secret"] !== undefined ||
      (clientId !== undefined && clientId !== basic.clientId)
    ) {
      throw new ExchangeRefused(
        "invalid_request",
        "the client authenticates both in the header and in the body",
      );
    }
    return { ...parameters, client_id: basic.clientId, client_secret: basic.clientSecret };
  }
}

export function parseForm(text: string): FormBody {
  return new FormBody(new URLSearchParams(text));
}

/** The client of a Basic header, its two parts form-url-decoded (RFC 6749, 2.3.1); undefined without a header. */
export function readBasicClient(request: FastifyRequest): BasicClient | undefined {
  const headers = request.raw.headersDistinct["authorization"] ?? [];
  const [header] = headers;
  if (header === undefined) return undefined;
  const match = headers.length === 1 ? /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(header) : null;
  const [, id, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(match?.[1] ?? "", "base64").toString()) ?? [];
  if (id === undefined || secret === undefined)
    throw new ExchangeRefused("invalid_request", "authorization: one Basic credential is expected");
  return { clientId: decodePart(id), clientSecret: decodePart(secret) };
}

/** A JSON body without a secret, with the client of a Basic header. A secret in the body is the one that counts. */
export function withBasicClient(request: FastifyRequest, body: unknown): unknown {
  if (typeof body !== "object" || body === null || "client_secret" in body) return body;
  const basic = readBasicClient(request);
  return basic ? { client_id: basic.clientId, ...body, client_secret: basic.clientSecret } : body;
}

/** A part that is not encoded is taken as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part;
  }
}
