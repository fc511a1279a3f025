import { expect } from "vitest";
import { ConsoleSessions } from "../../src/console/index.ts";
import { ConnectVisitor, type Seen } from "./connect-visitor.ts";
import type { Harness } from "./harness.ts";

/** Whoever is sent on to a page of the console says so. */
export const ownOrigin = { origin: "https://api.example.com" };

/** The token of the page's first form. */
export function formToken({ html }: Pick<Seen, "html">): string {
  return /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
}

/** A visitor whom a link has signed in. */
export async function visitAsOperator(harness: Harness, name = "jo"): Promise<ConnectVisitor> {
  const { services } = harness;
  const { environment } = services.config;
  const { credential } = await new ConsoleSessions({ ...services, environment }).createLink(name);
  const one = new ConnectVisitor(harness.baseUrl, ownOrigin);
  const page = await one.ask("GET", `/console/sign-in?link=${credential}`);
  const fields = { form_token: formToken(page), link: credential };
  expect((await one.ask("POST", "/console/sign-in/link", fields)).status).toBe(303);
  return one;
}

export interface Owner {
  client: { clientId: string };
  secret: string;
}

/** A visitor who has signed in as a developer. */
export async function visitAsDeveloper(
  harness: Harness,
  { client, secret }: Owner,
): Promise<ConnectVisitor> {
  const one = new ConnectVisitor(harness.baseUrl, ownOrigin);
  expect((await attemptSignIn(one, client.clientId, secret)).status).toBe(303);
  return one;
}

export async function attemptSignIn(
  one: ConnectVisitor,
  clientId: string,
  secret: string,
): Promise<Seen> {
  const page = await one.ask("GET", "/console/sign-in");
  return await one.ask("POST", "/console/sign-in", {
    form_token: formToken(page),
    client_id: clientId,
    client_secret: secret,
  });
}
