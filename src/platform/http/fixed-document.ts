import type { FastifyReply, FastifyRequest } from "fastify";
import { compress } from "../compression.ts";
import { sha256 } from "../crypto/index.ts";
import type { Encoding } from "./accept-encoding.ts";
import { matchesEtag } from "./conditional-requests.ts";

interface Content {
  type: string;
  bytes: Buffer | string;
}

/**
 * A document whose bytes do not change while the process runs. It is compressed once for each encoding and sent from
 * memory, with a strong ETag of its own for each. Without another `cache-control` a cache asks before it uses its copy.
 */
export class FixedDocument {
  readonly #type: string;
  readonly #bytes: Buffer;
  readonly #digest: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor({ type, bytes }: Content) {
    this.#type = type;
    this.#bytes = Buffer.from(bytes);
    this.#digest = sha256(this.#bytes).toString("base64url").slice(0, 22);
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = request.replyEncoding;
    const etag = `"${this.#digest}-${encoding}"`;
    reply.type(this.#type).header("etag", etag);
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-cache");
    if (matchesEtag(request, etag)) return reply.status(304).send();
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply.send(await this.#encode(encoding));
  }

  #encode(encoding: Encoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding) ?? compress(this.#bytes, encoding);
    this.#encoded.set(encoding, known);
    return known;
  }
}
