import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export const application = {
  clientId: "rollcall@approver",
  clientSecret: "s+cr%t/:of the operator",
};

/** What the authorization server and its API were asked for. */
interface Counts {
  /** Lists that its API gave. */
  lists: number;
  codes: number;
  refreshes: number;
  refused: number;
  revocations: number;
}

export type Approver = Awaited<ReturnType<typeof startApprover>>;

const resources = ["employees", "company", "groups", "work_locations"];

/**
 * A real authorization server with PKCE and refresh tokens that work once, and the API that its tokens open. Anybody can
 * sign in to it with any name.
 */
export async function startApprover(callback: string) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const counts: Counts = { lists: 0, codes: 0, refreshes: 0, refused: 0, revocations: 0 };
  const settings = {
    accessSeconds: 3_600,
    organisations: [{ id: "acme", name: "Acme & Söhne" }],
  };
  const grants = new Set<string>();
  const provider = new Provider(origin, {
    clients: [
      {
        client_id: application.clientId,
        client_secret: application.clientSecret,
        application_type: "native",
        redirect_uris: [callback],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "client_secret_basic",
      },
    ],
    scopes: ["openid", "profile", "email", "offline_access", ...resources],
    claims: { openid: ["sub"], profile: ["name"], email: ["email"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: () => settings.accessSeconds,
      AuthorizationCode: 60,
      RefreshToken: 86_400,
      Grant: 86_400,
      IdToken: 3_600,
      Interaction: 3_600,
      Session: 86_400,
    },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: `${sub} Approver`, email: `${sub}@approver.example` }),
    }),
    cookies: { keys: ["of the test"] },
  });
  provider.on("grant.success", ({ oidc }) => {
    const grantId = oidc.entities.Grant?.jti;
    if (grantId) grants.add(grantId);
    if (oidc.params?.["grant_type"] === "refresh_token") counts.refreshes += 1;
    else counts.codes += 1;
  });
  provider.on("grant.error", () => (counts.refused += 1));
  provider.use(async (context, next) => {
    if (context.path === "/token/revocation") counts.revocations += 1;
    if (context.path !== "/people" && context.path !== "/organisations") return await next();
    const [, token = ""] = /^Bearer (.+)$/.exec(context.get("authorization")) ?? [];
    if (!(await provider.AccessToken.find(token))) {
      context.status = 401;
      return;
    }
    if (context.path === "/people") counts.lists += 1;
    context.body =
      context.path === "/organisations"
        ? settings.organisations
        : [{ id: "1", first: "Ann", last: String(context.query["organisation"]) }];
  });
  const handle = provider.callback();
  server.on("request", (request, response) => void handle(request, response));
  return {
    origin,
    settings,
    counts,
    /** Takes back all that was granted. */
    revoke: async () => {
      for (const id of grants) {
        await provider.AccessToken.revokeByGrantId(id);
        await provider.RefreshToken.revokeByGrantId(id);
      }
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
