// A Fastify without anything of ours: what the same bytes cost at least. Its parent sends the bodies by name, and
// gets its port.
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";

export interface BareBody {
  name: string;
  encoding: string | undefined;
  bytes: Uint8Array;
}

process.once("message", (bodies: BareBody[]) => void serve(bodies));
process.once("disconnect", () => process.exit());

async function serve(bodies: readonly BareBody[]): Promise<void> {
  const app = fastify();
  app.get("/healthz", () => ({ status: "ok" }));
  app.get("/unchanged", (_request, reply) => reply.status(304).header("etag", 'W/"a"').send());
  for (const { name, encoding, bytes } of bodies) {
    const body = Buffer.from(bytes);
    app.route({
      method: ["GET", "POST"],
      url: `/${name}`,
      handler: (_request, reply) => {
        if (encoding) reply.header("content-encoding", encoding);
        return reply.header("content-type", "application/json; charset=utf-8").send(body);
      },
    });
  }
  await app.listen({ host: "127.0.0.1", port: 0 });
  process.send?.((app.server.address() as AddressInfo).port);
}
