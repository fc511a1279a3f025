import type { Demo } from "./local-state.ts";

/** Shown only to a person at a terminal: a log never holds credentials. */
export async function showWelcome(
  demo: Demo,
  makeConsoleUrl: () => Promise<string | undefined>,
): Promise<void> {
  if (!process.stdout.isTTY) return;
  process.stdout.write(
    formatWelcome(demo, { isRunning: true, consoleUrl: await makeConsoleUrl() }),
  );
}

export function formatWelcome(
  demo: Demo,
  { isRunning, consoleUrl }: { isRunning: boolean; consoleUrl?: string | undefined },
): string {
  const { base_url: baseUrl, client_id: clientId, client_secret: secret } = demo;
  const { redirect_uri: redirectUri, sandbox_token: token } = demo;
  const consoleLine =
    consoleUrl === undefined
      ? "npx rollcall console prints a link to the console."
      : `The console, by a link that works once:\n\n  ${consoleUrl}`;
  const state = isRunning
    ? `Rollcall runs at ${baseUrl}/ - open it in a browser to begin.`
    : `Rollcall does not run now. npm start starts it at ${baseUrl}/.`;
  return `
${state}

${consoleLine}

  client_id      ${clientId}
  client_secret  ${secret}
  redirect_uri   ${redirectUri}
  sandbox token  ${token}

Or try it in another terminal (npx rollcall demo shows all of this again):

  curl -i ${baseUrl}/2023-03-01/xhr/identity \\
    -H 'Authorization: Bearer ${token}'

`;
}
