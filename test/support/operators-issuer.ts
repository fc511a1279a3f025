import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

type Json = Record<string, unknown>;

/** What the issuer says and does next. */
interface Answers {
  subject: string;
  /** Of the person, as the issuer tells them to who asks with the access token. */
  claims: Json;
  declines: boolean;
  /** It closes each socket without an answer. */
  isAway: boolean;
  /** Changes the id token, which is signed again unless the header says that it is not. */
  changeToken: ((token: { header: Json; payload: Json }) => void) | undefined;
  /** What was changed is signed by somebody else, under the name of the issuer's key. */
  isForged: boolean;
  changeMetadata: Json;
  /** It knows neither the id nor the secret. */
  rejectsClient: boolean;
}

export type OperatorsIssuer = Awaited<ReturnType<typeof startOperatorsIssuer>>;

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { privateKey: foreignKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const scopes = "openid email groups";

const usual = (): Answers => ({
  subject: "4711",
  claims: { email: "kim@example.com", email_verified: true },
  declines: false,
  isAway: false,
  changeToken: undefined,
  isForged: false,
  changeMetadata: {},
  rejectsClient: false,
});

/** A real issuer with PKCE, which takes each browser that comes for the person that is signed in to it. */
export async function startOperatorsIssuer(callback: string) {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { id: "rollcall@console", secret: "s+cr%t/:of the console" };
  const answers = usual();
  const provider = new Provider(origin, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        application_type: "native",
        redirect_uris: [callback],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: {
      keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig" }] as never,
    },
    scopes: scopes.split(" "),
    claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    cookies: { keys: ["of the test"] },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope(scopes);
      await grant.save();
      return grant;
    },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, ...answers.claims }),
    }),
  });
  provider.use(async (context, next) => {
    await next();
    const { body } = context as { body?: unknown };
    if (context.path.startsWith("/.well-known/") && typeof body === "object")
      context.body = { ...body, ...answers.changeMetadata };
    if (context.path === "/token" && answers.changeToken && hasToken(body))
      context.body = { ...body, id_token: changed(body.id_token, answers) };
  });
  const handle = provider.callback();
  server.on("request", (request, response) => {
    if (answers.isAway) return void request.socket.destroy();
    if (answers.rejectsClient && request.url === "/token")
      return void response.writeHead(401, { "www-authenticate": "Basic" }).end();
    if (!request.url?.startsWith("/sign-in/")) return void handle(request, response);
    const result = answers.declines
      ? { error: "access_denied", error_description: "Not kim@example.com." }
      : { login: { accountId: answers.subject }, consent: {} };
    return void provider.interactionFinished(request, response, result);
  });
  return {
    origin,
    client,
    answers,
    /** As at the beginning. */
    reset: () => void Object.assign(answers, usual()),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function hasToken(body: unknown): body is { id_token: string } {
  return typeof body === "object" && body !== null && "id_token" in body;
}

function changed(token: string, { changeToken, isForged }: Answers): string {
  const [header, payload] = token
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as Json) as [Json, Json];
  changeToken?.({ header, payload });
  const data = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  if (header["alg"] === "none") return `${data}.`;
  const key = { key: isForged ? foreignKey : privateKey, dsaEncoding: "ieee-p1363" } as const;
  return `${data}.${sign("sha256", Buffer.from(data), key).toString("base64url")}`;
}
