import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import { FixedDocument } from "./fixed-document.ts";

/** More than the files of the documentation: one file can be asked for by several spellings of its path. */
const maxKept = 50;

/** Headers that the first reply has of the route, and that do not fit the kept document. */
const replaced = ["content-length", "last-modified", "accept-ranges", "cache-control"];

/**
 * What a route of this scope has answered once is sent from memory afterwards. Its replies may depend on the path
 * alone. A request with a query is answered by the route.
 */
export function keepDocuments(scope: FastifyInstance): void {
  const kept = new LRUCache<string, FixedDocument>({ max: maxKept });
  scope.addHook("preHandler", async (request, reply) => {
    delete request.headers.range;
    const document = kept.get(request.url);
    if (document) await document.send(request, reply);
    return document && reply;
  });
  scope.addHook("onSend", async (request, reply, payload) => {
    const { method, url } = request;
    if (method !== "GET" || reply.statusCode !== 200 || url.includes("?") || kept.has(url))
      return payload;
    const document = new FixedDocument({
      type: String(reply.getHeader("content-type")),
      bytes: await readAll(payload),
    });
    kept.set(url, document);
    for (const name of replaced) reply.removeHeader(name);
    return await document.prepare(request, reply);
  });
}

async function readAll(payload: unknown): Promise<Buffer | string> {
  return payload instanceof Readable
    ? Buffer.concat((await payload.toArray()) as Buffer[])
    : (payload as Buffer | string);
}
