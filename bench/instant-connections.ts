import { join } from "node:path";
import { transaction } from "../src/platform/db/index.ts";
import type { Services } from "../src/start/services.ts";
import type { TestClient } from "../test/chaos/accounts.ts";
import { redirectUri } from "../test/support/harness.ts";
import { employeesPath } from "./companies.ts";

/** The environment of a service that knows the provider which takes no time. */
export const instantEnvironment = {
  PROVIDERS: join(import.meta.dirname, "peers/instant-provider.ts"),
} as const;

/** Connects so many companies of this size at the provider that takes no time. Returns their tokens. */
export async function connectInstant(
  { clients, connect, tokens, pool }: Services,
  { clientId, secret }: TestClient,
  { employees, companies }: { employees: number; companies: number },
): Promise<string[]> {
  const client = await clients.find(clientId);
  if (!client) throw new Error("the client is gone");
  const signInRequest = { provider: "instant", mode: "xhr", scopes: [employeesPath] } as const;
  const issued: string[] = [];
  while (issued.length < companies) {
    const step = await connect.start(signInRequest, { username: String(employees) });
    if (step.kind !== "signed-in") throw new Error("the provider did not sign in");
    const { code } = await transaction(pool, (tx) =>
      connect.complete(tx, client, signInRequest, {
        redirectUri,
        codeChallenge: null,
        signIn: step.signIn,
      }),
    );
    const { accessToken } = await tokens.redeem({
      clientId,
      clientSecrets: [secret],
      code,
      redirectUri,
      codeVerifier: undefined,
    });
    issued.push(accessToken);
  }
  return issued;
}
