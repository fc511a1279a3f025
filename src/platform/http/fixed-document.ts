import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { compress } from "../compression.ts";
import { sha256 } from "../crypto/index.ts";
import type { Encoding } from "./accept-encoding.ts";
import { matchesEtag } from "./request-headers.ts";
import type { HttpApp } from "./app.ts";

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

/** A file that pages load. */
export interface Asset {
  /** Holds a digest of the content, so that a browser may keep the file for ever. */
  path: string;
  document: FixedDocument;
  /** Those of its own. */
  headers?: Readonly<Record<string, string>>;
}

/** The headers of what a digest in its address names. */
export const immutableHeaders = {
  "cache-control": "public, max-age=31536000, immutable",
} as const;

/** `folder` is where the address of the file begins, such as `/docs/assets`. `before` is another file that it is built on. */
export function loadAsset(
  file: URL,
  { folder, type, before }: { folder: string; type: string; before?: URL },
): Asset {
  const files = before ? [before, file] : [file];
  const bytes = Buffer.concat(files.map((each) => readFileSync(each)));
  return makeAsset(bytes, { folder, type, name: basename(file.pathname) });
}

/** The same of bytes that are there. */
export function makeAsset(
  bytes: Buffer | string,
  { folder, type, name }: { folder: string; type: string; name: string },
): Asset {
  const digest = sha256(bytes).toString("base64url").slice(0, 12);
  return {
    path: `${folder}/${digest}/${name}`,
    document: new FixedDocument({ type, bytes }),
  };
}

interface AssetRouteOptions {
  folder: string;
  assets: readonly Asset[];
  /** Answers for a path that none of them has, or throws. */
  refuse: (request: FastifyRequest, reply: FastifyReply, path: string) => FastifyReply;
}

export function registerAssetRoute(
  app: HttpApp,
  { folder, assets, refuse }: AssetRouteOptions,
): void {
  app.route({
    method: "GET",
    url: `${folder}/:digest/:name`,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const path = request.url.split("?", 1)[0] ?? "";
      const asset = assets.find((candidate) => candidate.path === path);
      if (!asset) return refuse(request, reply, path);
      return await asset.document.send(
        request,
        reply.headers({ ...immutableHeaders, ...asset.headers }),
      );
    },
  });
}
