import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";

export interface GatedChildren {
  /** A provider package, for `PROVIDERS`. */
  path: string;
  /** Resolves when a child process of the service at this address waits at the gate. */
  reachedAt(baseUrl: string): Promise<void>;
  /** From now on none waits. */
  open(): void;
  close(): Promise<void>;
}

/**
 * A provider package that child processes of the service cannot load before the gate is open: what a slow machine does
 * to them. Those that start before the service listens pass.
 */
export async function makeGatedChildren(): Promise<GatedChildren> {
  let isOpen = false;
  let serviceUrl = "";
  const waiting: ServerResponse[] = [];
  const reached = Promise.withResolvers<void>();
  const isListening = (): Promise<boolean> =>
    request(`${serviceUrl}/healthz`).then(
      async ({ body }) => (await body.dump(), true),
      () => false,
    );
  const gate = createServer((_request, response) => {
    void isListening().then((isHeld) => {
      if (isOpen || !isHeld) return response.end();
      waiting.push(response);
      return reached.resolve();
    });
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  const folder = await mkdtemp(join(tmpdir(), "rollcall-gated-"));
  const path = join(folder, "gated.js");
  await writeFile(
    path,
    `if (process.send) await fetch("http://127.0.0.1:${(gate.address() as AddressInfo).port}");
     export default { apiVersion: 1, name: "gated", title: "Gated", modes: {} };`,
  );
  const open = (): void => {
    isOpen = true;
    for (const response of waiting.splice(0)) response.end();
  };
  return {
    path,
    reachedAt: async (baseUrl) => {
      serviceUrl = baseUrl;
      await reached.promise;
    },
    open,
    close: async () => {
      open();
      gate.closeAllConnections();
      gate.close();
      await rm(folder, { recursive: true });
    },
  };
}
