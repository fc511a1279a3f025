import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { buildWorker } from "../../src/start/worker.ts";
import { createHarness, redirectUri, signIn } from "./harness.ts";
import { freePort } from "./redis-server.ts";

export type DocumentedService = Awaited<ReturnType<typeof startDocumentedService>>;

/** The service with a worker at its own address, and credentials for those who run what its documentation says. */
export async function startDocumentedService() {
  const port = await freePort();
  const harness = await createHarness({
    clock: systemClock,
    port,
    env: { PUBLIC_URL: `http://127.0.0.1:${port}` },
  });
  const worker = buildWorker(harness.services);
  const folder = await mkdtemp(join(tmpdir(), "rollcall-guides-"));
  const createOwner = () =>
    harness.services.clients.create({ name: "Acme", redirectUris: [redirectUri] });
  type Owner = Awaited<ReturnType<typeof createOwner>>;

  return {
    ...harness,
    folder,
    createOwner,
    connectAs: (owner: Owner, mode: "xhr" | "official" = "xhr") =>
      harness.connect({ client: owner, mode }),
    credentialsOf: ({ client, secret }: Owner): Record<string, string> => ({
      CLIENT_ID: client.clientId,
      CLIENT_SECRET: secret,
      REDIRECT_URI: redirectUri,
    }),
    codeFor: async (owner: Owner, codeChallenge: string | null = null): Promise<string> =>
      (await signIn(harness.services, { client: owner, codeChallenge })).code,
    close: async () => {
      await worker.stop();
      await harness.close();
      await rm(folder, { recursive: true });
    },
  };
}
