import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Rejects when the port cannot be had. */
export async function listen(
  server: Server,
  address: { host: string; port: number },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(address, resolve);
  await promise;
  server.off("error", reject);
}

/** Of a server that listens. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Ends what is open, answered or not. */
export async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
