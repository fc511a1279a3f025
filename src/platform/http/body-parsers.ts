import type { FastifyInstance, FastifyRequest } from "fastify";
import { decodeText, isJsonText, parseJson } from "./json-body.ts";
import { ProtocolRefusal } from "./protocol-refusal.ts";

export const formType = "application/x-www-form-urlencoded";

/**
 * Bodies are JSON or empty, also under the types that curl and simple clients send by default. A repeated property is
 * refused: readers differ about which value counts. A body that is encoded is refused unread.
 */
export function registerJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: string | Buffer) => parseJson(decodeText(body)),
  );
  app.addContentTypeParser(
    [formType, "text/plain"],
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: string | Buffer) => {
      const text = decodeText(body);
      if (text.trim() !== "" && !isJsonText(text))
        throw new ProtocolRefusal(415, "The body has to be JSON, of the type application/json.");
      return parseJson(text);
    },
  );
  app.addHook("preParsing", (request, _reply, _payload, done) =>
    done(isEncoded(request) ? encodedBody() : null),
  );
}

/** For forms of pages: a field that comes more than once has the list of its values. */
export function takeForms(app: FastifyInstance): void {
  app.removeContentTypeParser(formType);
  app.addContentTypeParser(
    formType,
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: string | Buffer) => parseForm(body.toString()),
  );
}

function parseForm(text: string): Record<string, string | string[]> {
  if (hasTooManyParameters(text))
    throw new ProtocolRefusal(400, "The request is not valid.", `body: ${tooManyParameters}`);
  const parameters = new URLSearchParams(text);
  return Object.fromEntries(
    [...parameters].map(([name, value]) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? value : values];
    }),
  );
}

/** Only a body is encoded: some clients send the header with every request. Such a body is refused before the handler. */
export function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return hasBody && encoding !== "" && encoding !== "identity";
}

function encodedBody(): ProtocolRefusal {
  return new ProtocolRefusal(
    415,
    "The body is compressed; send it as it is, without Content-Encoding.",
  );
}

/** For endpoints without a body: a body that comes anyway is dropped unread, whatever its type is called. */
export function ignoreBodies(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    delete request.headers["content-type"];
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    done(null);
  });
}

/** More than any page or client of ours sends. What anybody may send is bounded before it is read. */
const mostParameters = 50;

export const tooManyParameters = `has more than ${mostParameters} parameters`;

/** Whether a query or a form has more parameters than that; empty ones count. */
export function hasTooManyParameters(text: string): boolean {
  let at = -1;
  for (let count = 0; count < mostParameters; count += 1) {
    at = text.indexOf("&", at + 1);
    if (at === -1) return false;
  }
  return true;
}
