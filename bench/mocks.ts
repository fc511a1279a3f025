import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { request } from "undici";
import { employeesPath, headersOf, withCompaniesOf, type Companies } from "./companies.ts";
import { costPerRequest, serverAt, type Server } from "./load.ts";
import { startProgram } from "./peers/start-program.ts";
import type { Claim } from "./report.ts";
import { measureAll } from "./warm.ts";

const employees = 100;
const peers = {
  prism: {
    name: "a warm GET of 100 employees against Prism's mock of the contract with one",
    target: 9,
    guard: 7,
    requests: 300,
  },
  jsonServer: {
    name: "a warm GET of 100 employees against json-server with the same 100",
    target: 25,
    guard: 15,
    requests: 100,
  },
} as const;
/** So many requests until V8 has compiled what one needs; a mock takes milliseconds for each. */
const warmUps = { ours: 20_000, mock: 1_000 };

/** What developers would mock us with, against ours on the embedded default. All are asked with the same headers. */
export async function benchMocks(): Promise<Claim[]> {
  return await withCompaniesOf([employees], { store: "embedded", env: {} }, async (companies) => {
    const { stage, tokens, pids, defer } = companies;
    const ours = serverAt(stage.baseUrl, pids);
    defer("the sockets", () => ours.pool.destroy());
    const headers = headersOf(tokens[employees], "br, gzip");
    const warm = { path: employeesPath, headers };
    const list = { path: "/employees", headers };
    const prism = await startPrism(companies, headers);
    const jsonServer = await startJsonServer(companies, headers);
    await costPerRequest(ours, warm, warmUps.ours);
    await costPerRequest(prism, warm, warmUps.mock);
    await costPerRequest(jsonServer, list, warmUps.mock);
    return [
      ...(await measureAll([{ ...peers.prism, ours: warm, reference: warm }], {
        ours,
        reference: prism,
      })),
      ...(await measureAll([{ ...peers.jsonServer, ours: warm, reference: list }], {
        ours,
        reference: jsonServer,
      })),
    ];
  });
}

type Company = Companies<typeof employees>;

async function startPrism(
  { stage, defer }: Company,
  headers: Record<string, string>,
): Promise<Server> {
  const file = join(stage.folder, "openapi.json");
  const { body } = await request(`${stage.baseUrl}/openapi.json`);
  await writeFile(file, await body.text());
  const options = "--host 127.0.0.1 --verboseLevel error --multiprocess false".split(" ");
  const argumentsFor = (port: number): string[] => [
    "mock",
    "--port",
    String(port),
    ...options,
    file,
  ];
  return await startProgram("prism", argumentsFor, { path: employeesPath, headers, defer });
}

async function startJsonServer(
  { stage, tokens, defer }: Company,
  headers: Record<string, string>,
): Promise<Server> {
  const file = join(stage.folder, "db.json");
  const { body } = await request(stage.baseUrl + employeesPath, {
    headers: headersOf(tokens[employees], "identity"),
  });
  await writeFile(file, JSON.stringify({ employees: await body.json() }));
  const argumentsFor = (port: number): string[] => [
    "--port",
    String(port),
    "--host",
    "127.0.0.1",
    "--quiet",
    file,
  ];
  return await startProgram("json-server", argumentsFor, { path: "/employees", headers, defer });
}
