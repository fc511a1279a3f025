import { expect } from "vitest";

interface Seen {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

/**
 * The fields of each refusal: those of the specification's Errors table and those of the transport.
 */
export const fieldsByStatus: Record<number, readonly string[]> = {
  400: ["message", "validation_error"],
  401: ["code", "error", "message"],
  403: ["message"],
  404: ["id", "message"],
  405: ["message"],
  408: ["message"],
  413: ["message"],
  414: ["message"],
  415: ["message"],
  417: ["message"],
  429: ["message"],
  431: ["message"],
  503: ["message"],
};

export const requestIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What is wrong with a refusal: it has to be JSON of the specification's shape, with a request id,
 * `Vary` and `nosniff`. Empty when nothing is wrong.
 */
export function flawsOfRefusal({ status, headers, body }: Seen): string[] {
  const parsed = parse(body);
  const fields = fieldsByStatus[status];
  const isShaped =
    typeof parsed === "object" &&
    parsed !== null &&
    Object.keys(parsed).sort().join() === fields?.join() &&
    Object.values(parsed).every((value) => typeof value === "string");
  return [
    ...(fields ? [] : [`status ${status}`]),
    ...(isShaped ? [] : [`body ${JSON.stringify(parsed)}`]),
    ...(/^application\/json(;|$)/.test(String(headers["content-type"]))
      ? []
      : [`content-type ${String(headers["content-type"])}`]),
    ...(requestIdPattern.test(String(headers["x-request-id"]))
      ? []
      : [`x-request-id ${String(headers["x-request-id"])}`]),
    ...(headers["x-content-type-options"] === "nosniff" ? [] : ["no nosniff"]),
    ...(/(^|, *)accept-encoding($|,)/i.test(String(headers["vary"]))
      ? []
      : [`vary ${String(headers["vary"])}`]),
  ];
}

interface Refusal {
  status: number | undefined;
  flaws: string[];
}

/** The status and flaws of a reply, to be compared with `refusedWith`. */
export function refusal(reply: Seen | undefined): Refusal {
  return { status: reply?.status, flaws: reply ? flawsOfRefusal(reply) : ["no reply"] };
}

export function refusedWith(status: number): Refusal {
  return { status, flaws: [] };
}

/** Expects the reply to be that refusal and returns its body. */
export function expectRefusal(reply: Seen | undefined, status: number): Record<string, string> {
  expect(refusal(reply)).toEqual(refusedWith(status));
  return parse(reply?.body) as Record<string, string>;
}

function parse(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return body;
  try {
    return JSON.parse(body.toString());
  } catch {
    return body.toString();
  }
}
