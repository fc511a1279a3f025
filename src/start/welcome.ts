import type { Demo } from "./local-state.ts";

/** Shown only to a person at a terminal: a log never holds credentials. */
export function showWelcome(demo: Demo): void {
  if (process.stdout.isTTY) process.stdout.write(formatWelcome(demo));
}

export function formatWelcome({
  base_url: baseUrl,
  client_id: clientId,
  client_secret: secret,
  redirect_uri: redirectUri,
  sandbox_token: token,
}: Demo): string {
  return `
Rollcall runs at ${baseUrl}/ - open it in a browser to begin.

  client_id      ${clientId}
  client_secret  ${secret}
  redirect_uri   ${redirectUri}
  sandbox token  ${token}

Or try it in another terminal (npx rollcall demo shows all of this again):

  curl -i ${baseUrl}/2023-03-01/xhr/identity \\
    -H 'Authorization: Bearer ${token}'

`;
}
