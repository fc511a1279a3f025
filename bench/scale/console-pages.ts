import type { Stage } from "../../test/chaos/stage.ts";
import { ConsoleSessions } from "../../src/console/index.ts";
import type { Request } from "./measure-requests.ts";

const paths = [
  "",
  "/problems",
  "/problems/ended",
  "/connections",
  "/connections?client=client-7",
  "/connections?provider=odoo",
  "/connections?client=client-7&provider=odoo",
  "/connections?state=refused",
  "/connections?state=forbidden",
  "/connections?client=client-7&q=nobody",
  "/connections?state=limited",
  "/reads",
  "/reads?state=failed",
  "/webhooks",
  "/webhooks?state=failed",
  "/webhooks?client=client-7",
  "/clients",
  "/clients/new",
  "/providers",
  "/audit",
  "/audit?client=client-7",
  "/system",
];

/** Every list of the console as an operator sees it, and the page of one connection. */
export async function consolePages(stage: Stage, tokenId: string): Promise<Map<string, Request>> {
  const cookie = await stage.withServices(async (services) => {
    const { environment } = services.config;
    const sessions = new ConsoleSessions({ ...services, environment });
    const { credential } = await sessions.createLink("scale");
    return await sessions.useLink(credential);
  });
  const all = [...paths, `/connections/${tokenId}`];
  return new Map(
    all.map((path) => {
      const page = `/console${path}`;
      const headers = { cookie: `rollcall-console=${cookie}` };
      return [page.replace(tokenId, "{token_id}"), { path: page, headers }];
    }),
  );
}
