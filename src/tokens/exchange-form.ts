import type { FastifyRequest } from "fastify";
import { ExchangeRefused, type ClientId } from "../model/index.ts";
import {
  decodeText,
  hasTooManyParameters,
  parseJson,
  tooManyParameters,
} from "../platform/http/index.ts";

export interface BasicClient {
  clientId: ClientId;
  clientSecret: string;
  /** Libraries disagree about the encoding, so the secret is this one or `clientSecret`. */
  secretAsSent: string;
}

/** A form body. */
export class FormBody {
  readonly #body: string | Buffer;

  constructor(body: string | Buffer) {
    this.#body = body;
  }

  /**
   * The parameters, with the client of a Basic header. Throws ExchangeRefused for a form that is not UTF-8, for too many
   * parameters, for a repeated one, and for a client that authenticates both in the header and in the body. `metadata` is the text of JSON here.
   */
  withClient(basic: BasicClient | undefined): Record<string, unknown> {
    // RFC 6749, section 3.2: a parameter without a value counts as left out.
    const parameters: Record<string, unknown> = Object.fromEntries(
      readParameters(decodeForm(this.#body)).filter(([, value]) => value !== ""),
    );
    const { metadata } = parameters;
    if (typeof metadata === "string") parameters["metadata"] = parseMetadata(metadata);
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

function decodeForm(body: string | Buffer): string {
  try {
    return decodeText(body);
  } catch {
    throw new ExchangeRefused("invalid_request", "body: encoding: the body is not UTF-8");
  }
}

function parseMetadata(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new ExchangeRefused("invalid_request", "metadata: is not the text of a JSON object");
  }
}

function readParameters(text: string): [name: string, value: string][] {
  if (hasTooManyParameters(text))
    throw new ExchangeRefused("invalid_request", `the form ${tooManyParameters}`);
  const names = new Set<string>();
  const parameters = [...new URLSearchParams(text)];
  for (const [name] of parameters) {
    if (names.has(name))
      throw new ExchangeRefused(
        "invalid_request",
        `${/^\w{1,40}$/.test(name) ? name : "a parameter"} comes more than once`,
      );
    names.add(name);
  }
  return parameters;
}

/**
 * The client of a Basic header. Undefined without a header. Its two parts are form-url-decoded (RFC 6749,
 * section 2.3.1), and many libraries send them as they are.
 */
export function readBasicClient(request: FastifyRequest): BasicClient | undefined {
  const headers = request.raw.headersDistinct["authorization"] ?? [];
  const [header] = headers;
  if (header === undefined) return undefined;
  const match = headers.length === 1 ? /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(header) : null;
  const [, id, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(match?.[1] ?? "", "base64").toString()) ?? [];
  if (id === undefined || secret === undefined)
    throw new ExchangeRefused("invalid_request", "authorization: one Basic credential is expected");
  return { clientId: decodePart(id), clientSecret: decodePart(secret), secretAsSent: secret };
}

/** A part that is not valid encoding is used as it was sent. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part;
  }
}
