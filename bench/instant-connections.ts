import { join } from "node:path";
import type { Services } from "../src/start/services.ts";
import { connectHere, type TestClient } from "../test/chaos/accounts.ts";
import { employeesPath } from "./companies.ts";

/** The environment of a service that knows the provider which takes no time. */
export const instantEnvironment = {
  PROVIDERS: join(import.meta.dirname, "peers/instant-provider.ts"),
} as const;

/** Connects so many companies of this size at the provider that takes no time. Returns their tokens. */
export async function connectInstant(
  services: Services,
  client: TestClient,
  { employees, companies }: { employees: number; companies: number },
): Promise<string[]> {
  const request = { provider: "instant", mode: "xhr", scopes: [employeesPath] } as const;
  const forms = Array.from({ length: companies }, () => ({ username: String(employees) }));
  return await connectHere(services, client, request, forms);
}
