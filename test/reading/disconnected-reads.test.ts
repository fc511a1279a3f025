import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApi } from "../../src/start/api.ts";
import { readConfig } from "../../src/config/index.ts";
import type { Scope } from "../../src/model/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import type { HttpApp } from "../../src/platform/http/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { buildServices, type Services } from "../../src/start/services.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { testEnvironment } from "../support/harness.ts";
import { HttpClient } from "../support/http-client.ts";
import { projectDir } from "../support/program-environment.ts";
import { startPeopleVendor, type PeopleVendor } from "../support/vendors/people-vendor.ts";

let database: TestDatabase;
let services: Services;
let app: HttpApp;
let http: HttpClient;
const lines: string[] = [];
const vendors: PeopleVendor[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const provider = join(projectDir, "test/support/vendors/people-provider.ts");
  const environment = testEnvironment(database.url, { PROVIDERS: provider });
  const log = createLog({
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  // With the child processes of the service: what an adapter asks for comes from them.
  services = await buildServices(readConfig(environment), { log });
  app = await buildApi(services);
  http = new HttpClient(await app.listen({ host: "127.0.0.1", port: 0 }), app);
});
afterAll(async () => {
  await app.close();
  await services.dispose();
  await Promise.all(vendors.map((vendor) => vendor.close()));
  await database.drop();
});

/** The access token of a new connection. */
async function connect(url: string): Promise<string> {
  const { clients, connect: signIns, tokens, pool } = services;
  const { client } = await clients.create({ name: "Test", redirectUris: ["https://a.example"] });
  const request = {
    provider: "people",
    mode: "xhr" as const,
    scopes: ["/2023-03-01/xhr/employees" as Scope],
  };
  const formValues = { url, username: url, password: "any" };
  const step = await signIns.start(request, formValues);
  if (step.kind !== "signed-in") throw new Error("the provider asked for a second factor");
  const { clientId } = client;
  const issued = await transaction(pool, (tx) =>
    tokens.issueDirectly(tx, { ...request, clientId, signIn: step.signIn }),
  );
  return issued.accessToken;
}

/** Runs what is due. */
async function drain(): Promise<void> {
  const { work, stop } = services.reads.work(4);
  await work.drained();
  await stop(10_000);
}

test.each<[string, (vendor: PeopleVendor) => void]>([
  ["that keeps its pages", () => undefined],
  ["whose session has to be refreshed", (vendor) => vendor.control({ expire: true })],
])("a disconnect during a read %s is no complaint in the log", async (_what, afterwards) => {
  let token = "";
  let people = 0;
  const vendor = await startPeopleVendor({
    people: 40,
    beforeAnswer: async (path) => {
      if (!path.startsWith("/people/") || (people += 1) !== 7) return;
      const reply = await http.post("/2023-03-01/management/disconnect", { bearer: token });
      expect(reply.status).toBe(200);
      afterwards(vendor);
    },
  });
  vendors.push(vendor);
  token = await connect(vendor.url);
  lines.length = 0;
  const reply = await http.get("/2023-03-01/xhr/employees", { bearer: token });
  expect(reply.status).toBe(202);
  await drain();
  expect(people).toBeGreaterThanOrEqual(7);
  expect(lines.filter((line) => /"level":[456]0/.test(line))).toEqual([]);
});
