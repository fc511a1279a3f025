import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import { FixedDocument } from "./fixed-document.ts";

/** More than the files of the documentation: one file can be asked for by several spellings of its path. */
const maxKept = 50;

/** Headers that the first reply has of the route, and that do not fit the kept document. */
const replaced = ["content-length", "last-modified", "accept-ranges", "cache-control"];

/**
 * What a route of this scope has answered once is sent from memory afterwards, also to HEAD. Its replies may depend on
 * the path alone: the route is not shown the query.
 */
export function keepDocuments(scope: FastifyInstance): void {
  const kept = new LRUCache<string, FixedDocument>({ max: maxKept });
  scope.addHook("preHandler", async (request, reply) => {
    delete request.headers.range;
    const [path = "/"] = request.url.split("?", 1);
    request.raw.url = path;
    const document = kept.get(path);
    if (document) await document.send(request, reply);
    return document && reply;
  });
  scope.addHook("onSend", async (request, reply, payload) => {
    const { method, url } = request;
    // To HEAD the file server sends no bytes.
    const isWhole = method === "GET" || !(payload instanceof Readable);
    if (!isWhole || reply.statusCode !== 200 || kept.has(url)) return payload;
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
