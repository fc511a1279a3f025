import { demoPath, readDemo, writeDemo, type Demo } from "./local-state.ts";
import { mintCredential } from "../platform/crypto/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import type { Services } from "./services.ts";
import type { StartSteps } from "./start-steps.ts";

const demoRedirectPath = "/connect/example";

interface PrepareOptions {
  sandboxAccessToken: string | undefined;
  baseUrl: string;
  steps: Pick<StartSteps, "prepare">;
}

/** Creates what must exist before the first request: the shared sandbox token, and a demo client in local mode. */
export async function prepareStart(
  services: Services,
  { sandboxAccessToken, baseUrl, steps }: PrepareOptions,
): Promise<Demo | undefined> {
  const { config, pool, log } = services;
  const share = (credential: string): Promise<void> =>
    steps.prepare("makes the shared connection of the sandbox", () =>
      shareSandbox(services, credential),
    );
  if (!config.isLocal) {
    if (sandboxAccessToken) await share(sandboxAccessToken);
    return undefined;
  }
  const demo = await steps.prepare("makes the demo client", () =>
    transaction(pool, (tx) => makeDemo(services, tx, { sandboxAccessToken, baseUrl })),
  );
  await share(demo.sandbox_token);
  log.info({ file: demoPath(config.stateDir) }, "demo credentials are in the state folder");
  return demo;
}

/**
 * Of several processes that start on one state folder, one makes the values and the others find them. So the file is
 * written under the lock of the transaction. When that is made again, or lost, the client of the file is not found, and
 * another one takes its place. So one does that of a client that was ended, which stays ended.
 */
async function makeDemo(
  { config, clients, log }: Services,
  tx: Transaction,
  { sandboxAccessToken, baseUrl }: Omit<PrepareOptions, "steps">,
): Promise<Demo> {
  await tx.query("select pg_advisory_xact_lock(hashtext('demo credentials'))");
  const known = await readDemo(config.stateDir);
  const client = known && (await clients.findAlsoEnded(known.client_id, tx));
  if (client?.endedAt)
    log.warn({ clientId: client.clientId }, "the demo client was ended; a new one takes its place");
  const demo = {
    ...(known && client?.endedAt === null ? known : await createDemoClient(clients, tx, baseUrl)),
    base_url: baseUrl,
    sandbox_token:
      sandboxAccessToken ?? known?.sandbox_token ?? mintCredential("at", config.environment),
  };
  await writeDemo(config.stateDir, demo);
  return demo;
}

async function createDemoClient(
  clients: Services["clients"],
  tx: Transaction,
  baseUrl: string,
): Promise<Pick<Demo, "client_id" | "client_secret" | "redirect_uri">> {
  const redirectUri = `${baseUrl}${demoRedirectPath}`;
  const { client, secret } = await clients.createIn(tx, {
    name: "Demo",
    redirectUris: [redirectUri],
  });
  return { client_id: client.clientId, client_secret: secret, redirect_uri: redirectUri };
}

async function shareSandbox({ tokens, connect }: Services, credential: string): Promise<void> {
  await tokens.ensureSharedSandbox(credential, async () => {
    const step = await connect.start(
      { provider: "sandbox", mode: "xhr", scopes: [] },
      { username: "user_good", password: "shared" },
    );
    if (step.kind !== "signed-in") throw new Error("the sandbox asked for a second factor");
    return step.signIn;
  });
}
