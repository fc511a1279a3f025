import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";

export interface GatedChildren {
  /** For the environment of the service. */
  nodeOptions: string;
  /** Resolves when a child process of the service at this address waits at the gate. */
  reachedAt(baseUrl: string): Promise<void>;
  /** From now on none waits. */
  open(): void;
  close(): Promise<void>;
}

/**
 * Child processes of the service hear nothing before the gate is open, so they do not get ready: what a slow machine
 * does to them. Those that start before the service listens pass.
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
  const path = join(folder, "gate-children.mjs");
  await writeFile(path, gateChildren((gate.address() as AddressInfo).port));
  const open = (): void => {
    isOpen = true;
    for (const response of waiting.splice(0)) response.end();
  };
  return {
    nodeOptions: `--import ${JSON.stringify(path)}`,
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

/** Loaded before the service. */
function gateChildren(port: number): string {
  return `
    import childProcess from "node:child_process";
    import { syncBuiltinESMExports } from "node:module";
    const { fork } = childProcess;
    childProcess.fork = (...options) => {
      const child = fork(...options);
      const send = child.send.bind(child);
      const opened = fetch("http://127.0.0.1:${port}");
      child.send = (...message) => {
        void opened.then(() => child.connected && send(...message));
        return true;
      };
      return child;
    };
    syncBuiltinESMExports();`;
}
