import { once } from "node:events";
import { createServer } from "node:net";

export async function choosePort(preferredPort?: number): Promise<number> {
  const isPreferredFree =
    preferredPort !== undefined &&
    (await listenBriefly(preferredPort).catch(() => undefined)) !== undefined;
  return isPreferredFree ? preferredPort : listenBriefly(0);
}

async function listenBriefly(port: number): Promise<number> {
  const server = createServer().listen({ host: "127.0.0.1", port });
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
  return address.port;
}
