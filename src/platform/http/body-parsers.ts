import type { FastifyInstance, FastifyRequest } from "fastify";
import { decodeText, isJsonText, parseJson } from "./json-body.ts";
import { ProtocolRefusal } from "./protocol-refusal.ts";

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
    ["application/x-www-form-urlencoded", "text/plain"],
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

/** Only a body is encoded: some clients send the header with every request. */
function isEncoded({ headers }: FastifyRequest): boolean {
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

/** For endpoints without a body: a body that comes anyway is dropped unread. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    done(null);
  });
}
