import type { FastifyError } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { MalformedJson } from "./json-body.ts";

/** The HTTP layer refuses the request before a room sees it. */
export class ProtocolRefusal extends Error {
  readonly status: number;
  /** For a 400: what is wrong, by field, header or position. */
  readonly validationError: string | undefined;
  constructor(status: number, message: string, validationError?: string) {
    super(message);
    this.name = "ProtocolRefusal";
    this.status = status;
    this.validationError = validationError;
  }
}

const notValid = "The request is not valid.";

/** Undefined when the error does not come from Fastify or its plugins, or is not about the request. */
export function toProtocolRefusal(error: unknown): ProtocolRefusal | undefined {
  if (error instanceof ProtocolRefusal) return error;
  if (error instanceof MalformedJson)
    return new ProtocolRefusal(400, notValid, `body: ${error.position}`);
  if (hasZodFastifySchemaValidationErrors(error)) {
    const problems = error.validation.map(
      ({ instancePath, message }) =>
        `${fieldName(instancePath, error.validationContext)}: ${message}`,
    );
    return new ProtocolRefusal(400, notValid, problems.join("; "));
  }
  switch ((error as Partial<FastifyError> | null)?.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ProtocolRefusal(413, "The body is too large.");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
    case "FST_ERR_CTP_INVALID_CONTENT_TYPE":
      return new ProtocolRefusal(
        415,
        "The content type is not supported; JSON is, as application/json.",
      );
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new ProtocolRefusal(400, notValid, "content-length: does not match the body");
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new ProtocolRefusal(400, notValid, "path: is not a valid URL path");
    default:
      return undefined;
  }
}

/** For requests that Node's parser refuses. They never reach Fastify and are answered on the socket. */
export function toParserRefusal(error: { code?: string }): ProtocolRefusal {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return new ProtocolRefusal(431, "The request's headers are too large.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ProtocolRefusal(408, "The request took too long to arrive.");
    case "HPE_INVALID_METHOD":
      return new ProtocolRefusal(400, notValid, "method: is not an HTTP method");
    case "HPE_INVALID_URL":
      return new ProtocolRefusal(400, notValid, "path: is not a valid URL path");
    default:
      return new ProtocolRefusal(400, notValid, "request: is not valid HTTP");
  }
}

function fieldName(instancePath: string, context: string | undefined): string {
  const path = instancePath
    .split("/")
    .filter((part) => part !== "")
    .join(".");
  return path || (context ?? "request");
}

export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Turns whatever was thrown into the reply that the specification asks for. */
export type ToErrorReply = (error: unknown) => ErrorReply;
