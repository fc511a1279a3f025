import { ConsoleSessions } from "../../src/console/index.ts";
import { ConnectVisitor, type Seen } from "./connect-visitor.ts";
import type { Harness } from "./harness.ts";

/** The token of the page's first form. */
export function formToken({ html }: Pick<Seen, "html">): string {
  return /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
}

/** Signs in to the console by a one-time link. */
export async function signInOperator(
  { services, baseUrl }: Harness,
  name = "jo",
): Promise<ConnectVisitor> {
  const { environment } = services.config;
  const { credential } = await new ConsoleSessions({ ...services, environment }).createLink(name);
  const one = new ConnectVisitor(baseUrl, { origin: "https://api.example.com" });
  const page = await one.ask("GET", `/console/sign-in?link=${credential}`);
  const fields = { form_token: formToken(page), link: credential };
  const { status } = await one.ask("POST", "/console/sign-in/link", fields);
  if (status !== 303) throw new Error(`the link of an operator was answered with ${status}`);
  return one;
}
