import { randomUUID } from "node:crypto";
import type { Stage } from "../../test/chaos/stage.ts";
import type { Load, Server } from "../load.ts";
import { startServer } from "../start-server.ts";
import { storePidsOf } from "../stage-pids.ts";
import { OidcAdapter, oidcTables } from "./oidc-adapter.ts";
import { createOidcService } from "./oidc-service.ts";

const clientId = "bench";
const secret = "a-secret-of-the-bench-with-enough-characters";
const redirectUri = "https://app.example.com/callback";
const accountId = "account";
const scope = "employees";
/** As many sockets to Postgres as the service has by default. */
const poolMax = 10;
const atOnce = 8;
const asClient = {
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`,
  "content-type": "application/x-www-form-urlencoded",
};

/** oidc-provider on the same Postgres, with one client and codes of as many grants. */
export class OidcPeer {
  readonly server: Server;
  readonly #codes: string[];

  constructor(server: Server, codes: string[]) {
    this.server = server;
    this.#codes = codes;
  }

  get exchange(): Load {
    return {
      path: "/token",
      headers: asClient,
      nextBody: () =>
        String(
          new URLSearchParams({
            grant_type: "authorization_code",
            code: this.#codes.pop() ?? "",
            redirect_uri: redirectUri,
          }),
        ),
    };
  }

  async introspection(): Promise<Load> {
    const { path, headers = {}, nextBody } = this.exchange;
    const { statusCode, body } = await this.server.pool.request({
      method: "POST",
      path,
      headers,
      body: nextBody?.() ?? "",
    });
    const { access_token: token } = (await body.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`oidc-provider gave no token: ${statusCode}`);
    const form = String(new URLSearchParams({ token, token_type_hint: "access_token" }));
    return { path: "/token/introspection", headers: asClient, nextBody: () => form };
  }
}

export async function startOidcPeer(
  stage: Stage,
  options: {
    codes: number;
    defer: (what: string, end: () => Promise<unknown>) => void;
  },
): Promise<OidcPeer> {
  const { databaseUrl } = stage;
  const settings = { databaseUrl, issuer: "http://oidc.example", poolMax };
  await stage.query(oidcTables);
  const codes = await plant(settings, options.codes);
  await stage.query("analyze oidc_payloads");
  const stores = await storePidsOf(stage);
  const { defer } = options;
  const server = await startServer("peers/oidc-server.ts", settings, {
    defer,
    stores: () => stores,
  });
  return new OidcPeer(server, codes);
}

/** A client, and codes as its own sign-in pages would leave them in the store. */
async function plant(
  settings: Parameters<typeof createOidcService>[0],
  count: number,
): Promise<string[]> {
  const { provider, pool } = createOidcService(settings);
  try {
    await new OidcAdapter(pool, "Client").upsert(clientId, {
      client_id: clientId,
      client_secret: secret,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      scope,
      token_endpoint_auth_method: "client_secret_basic",
    });
    const client = await provider.Client.find(clientId);
    if (!client) throw new Error("oidc-provider does not know its client");
    const codes: string[] = [];
    const plantNext = async (): Promise<void> => {
      while (codes.length < count) {
        const place = codes.push("") - 1;
        const grant = new provider.Grant({ accountId, clientId });
        grant.addOIDCScope(scope);
        const code = new provider.AuthorizationCode({
          accountId,
          client,
          grantId: await grant.save(),
          redirectUri,
          scope,
          sessionUid: randomUUID(),
        } as never);
        codes[place] = await code.save();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, plantNext));
    return codes;
  } finally {
    await pool.end();
  }
}
