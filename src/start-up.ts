import { demoPath, readDemo, writeDemo, type Demo } from "./local-state.ts";
import { mintCredential } from "./platform/crypto/index.ts";
import type { Services } from "./services.ts";

const demoRedirectPath = "/connect/example";

/** What has to exist before the first request: the shared sandbox token, and in local mode the demo client. */
export async function prepareStart(services: Services, { sandboxAccessToken, baseUrl }: { sandboxAccessToken: string | undefined; baseUrl: string }): Promise<Demo | undefined> {
  const { config } = services;
  if (config.isLocal) return await prepareDemo(services, sandboxAccessToken, baseUrl);
  if (sandboxAccessToken) await shareSandbox(services, sandboxAccessToken);
  return undefined;
}

async function prepareDemo(services: Services, sandboxAccessToken: string | undefined, baseUrl: string): Promise<Demo> {
  const { config, clients, log } = services;
  const known = await readDemo(config.stateDir);
  const sandboxToken = sandboxAccessToken ?? known?.sandbox_token ?? mintCredential("at", config.environment);
  await shareSandbox(services, sandboxToken);
  const demo = known && (await clients.find(known.client_id)) ? known : await createDemoClient(services, baseUrl);
  const current = { ...demo, base_url: baseUrl, sandbox_token: sandboxToken };
  await writeDemo(config.stateDir, current);
  log.info({ file: demoPath(config.stateDir) }, "demo credentials are in the state folder");
  return current;
}

async function createDemoClient({ clients }: Services, baseUrl: string): Promise<Omit<Demo, "sandbox_token">> {
  const redirectUri = `${baseUrl}${demoRedirectPath}`;
  const { client, secret } = await clients.create({ name: "Demo", redirectUris: [redirectUri] });
  return { base_url: baseUrl, client_id: client.clientId, client_secret: secret, redirect_uri: redirectUri };
}

async function shareSandbox({ tokens, connect }: Services, credential: string): Promise<void> {
  await tokens.ensureSharedSandbox(credential, async () => {
    const step = await connect.start({ provider: "sandbox", mode: "xhr", scopes: [] }, { username: "user_good", password: "shared" });
    if (step.kind !== "signed-in") throw new Error("the sandbox asked for a second factor");
    return step.signIn;
  });
}
