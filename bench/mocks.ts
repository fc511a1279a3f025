import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { request } from "undici";
import { employeesPath, headersOf, withCompaniesOf, type Companies } from "./companies.ts";
import { serverAt, type Server } from "./load.ts";
import { startProgram } from "./peers/start-program.ts";
import type { Claim } from "./report.ts";
import { measureAll } from "./measure.ts";

const employees = 100;
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
    return [
      ...(await measureAll(
        [
          {
            name: "a warm GET of 100 employees against Prism's mock of the contract with one",
            requests: 300,
            ours: warm,
            reference: warm,
          },
        ],
        { ours, reference: prism },
      )),
      ...(await measureAll(
        [
          {
            name: "a warm GET of 100 employees against json-server with the same 100",
            target: 25,
            requests: 100,
            ours: warm,
            reference: list,
          },
        ],
        { ours, reference: jsonServer },
      )),
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
