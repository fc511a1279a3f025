import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopesOfMode } from "../../src/model/index.ts";
import { createClient, createConnectionArgs, rollcall } from "../support/command-line.ts";
import { findSecrets } from "../support/careless-writing.ts";
import { ConnectVisitor } from "../support/connect-visitor.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { dumpTables } from "../support/dump-tables.ts";
import { exchangeBody, redirectUri, testEnvironment } from "../support/harness.ts";
import { leaked } from "../support/leaking-provider.ts";
import { projectDir } from "../support/program-environment.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

const secrets = Object.values(leaked);
let database: TestDatabase;
let service: ServiceProcess;
let client: { id: string; secret: string };
let env: Record<string, string>;
let commandErrors = "";
let pages = "";
let tables = "";
let employees: unknown;
let groups: string;

async function connect(username: string): Promise<string | undefined> {
  const args = createConnectionArgs(client.id, { provider: "leaking" });
  const fields = `username=${username}\npassword=${leaked.password}`;
  const made = await rollcall([...args, "--fields-file", "-", "--json"], env, { input: fields });
  commandErrors += made.stderr;
  return made.code === 0 ? made.json<{ code: string }>().code : undefined;
}

async function exchange(code: string): Promise<string> {
  const owner = { clientId: client.id } as never;
  const json = exchangeBody({ client: owner, secret: client.secret, code });
  const { body } = await service.http.post("/2023-03-01/management/token", { json });
  return (body as { access_token: string }).access_token;
}

/** The sign-in page, with what is typed into it and asked after it. */
async function visit(username: string, password: string, ...answers: string[]): Promise<void> {
  const visitor = new ConnectVisitor(service.baseUrl);
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: scopesOfMode("xhr").join(" "),
    mode: "xhr",
    provider: "leaking",
    state: "s",
  });
  const first = await visitor.open(`/connect?${query.toString()}`);
  let page = await visitor.submit(first, { username, password });
  pages += page.html;
  for (const answer of answers) {
    page = await visitor.answer(page, answer);
    pages += page.html;
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  env = {
    ...testEnvironment(database.url),
    PROVIDERS: `${projectDir}/test/support/leaking-provider.ts`,
    PROVIDER_LEAKING_CLIENT_ID: "rollcall",
    PROVIDER_LEAKING_CLIENT_SECRET: "the secret of the application",
    LOG_LEVEL: "debug",
  };
  client = await createClient(env, { name: "Leaking", redirectUri });
  service = await (await startService(env)).untilStarted();
  for (const username of ["field", "name", "bug", "crash"]) await connect(username);
  const bearer = await exchange((await connect("good")) ?? "");
  const read = async (path: string) =>
    await readWhenReady(service.http, `/2023-03-01/xhr/${path}`, { bearer });
  employees = (await read("employees")).body;
  groups = JSON.stringify(await read("groups"));
  await visit("field", leaked.password);
  await visit("name", leaked.password);
  await visit("good", `refused ${leaked.password}`);
  await visit("asks", leaked.password, "0", leaked.answer);
  await service.stop();
  tables = await dumpTables(database.url);
}, 180_000);
afterAll(async () => {
  await service.stop();
  await database.drop();
});

describe("an adapter that writes each secret into everything that it says, in any spelling", () => {
  test("leaves none of them in the log of the service", () => {
    expect(service.output).toContain("note: the secret is [secret].");
    expect(service.output).toContain("late: the secret is [secret].");
    expect(service.output).toContain("an adapter left an error unhandled");
    expect(findSecrets(service.output, secrets)).toEqual([]);
  });

  test("nor in what the command line says", () => {
    expect(commandErrors).toContain("It is not the secret is [secret].");
    expect(findSecrets(commandErrors, secrets)).toEqual([]);
  });

  test("nor on the pages: in explanations, questions and options", () => {
    expect(pages).toContain("It is not the secret is [secret].");
    expect(pages).toContain('<label for="answer');
    expect(findSecrets(pages, secrets)).toEqual([]);
  });

  test("nor in replies with errors", () => {
    expect(groups).toContain('"status":500');
    expect(findSecrets(groups, secrets)).toEqual([]);
  });

  test("nor in the texts of the database", () => {
    expect(tables).toContain("public.connect_flows:\n");
    expect(findSecrets(tables, secrets)).toEqual([]);
  });

  test("keeps its records as they are", () => {
    expect(employees).toMatchObject([{ remote_id: "1", last_name: leaked.token }]);
  });
});
