import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { request } from "undici";

/** A request as it came, without what a client adds to each. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Tee {
  url: string;
  /** What came since the last call. */
  take(): SeenRequest[];
  close(): Promise<void>;
}

const ofConnection = new Set(["host", "connection", "content-length", "transfer-encoding"]);

/** Hands every request on to a vendor, and keeps it. */
export async function startTee(vendorUrl: string): Promise<Tee> {
  let seen: SeenRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const answer = async (): Promise<void> => {
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).flatMap(([name, value]) =>
          ofConnection.has(name) ? [] : [[name, String(value)]],
        ),
      );
      const { method = "GET", url: path = "/" } = incoming;
      const body = String(await buffer(incoming));
      seen.push({ method, path, headers, body });
      const handedOn = { method, headers, ...(body !== "" && { body }) } as const;
      const reply = await request(vendorUrl + path, handedOn as Parameters<typeof request>[1]);
      const { "transfer-encoding": _, connection: __, ...others } = reply.headers;
      outgoing.writeHead(reply.statusCode, others);
      outgoing.end(Buffer.from(await reply.body.arrayBuffer()));
    };
    answer().catch(() => outgoing.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
