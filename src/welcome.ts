import type { Demo } from "./local-state.ts";

/** Shown only to a person at a terminal: a log never holds credentials. */
export function showWelcome({
  base_url: baseUrl,
  client_id: clientId,
  client_secret: secret,
  redirect_uri: redirectUri,
  sandbox_token: token,
}: Demo): void {
  if (!process.stdout.isTTY) return;
  process.stdout.write(`
Rollcall runs at ${baseUrl} (API description: ${baseUrl}/docs)

  client_id      ${clientId}
  client_secret  ${secret}
  redirect_uri   ${redirectUri}
  sandbox token  ${token}

Try it, in another terminal:

  curl -i ${baseUrl}/2023-03-01/xhr/employees -H 'Authorization: Bearer ${token}'

The first answer is 202: repeat the call after the seconds in Retry-After.

`);
}
