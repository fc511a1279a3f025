// npm run bench -- flame ROW: where the API spends its time in that row, as docs/profiles/ROW.svg. Of claims, which are
// work of Postgres alone, its plans are written instead, as docs/profiles/claims.txt.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { planClaims } from "./claims.ts";
import { employeesPath, headersOf, withCompaniesOf } from "./companies.ts";
import { profileCold } from "./cold.ts";
import { profileDeliveries } from "./deliveries.ts";
import { drawFlameGraph } from "./flame-graph.ts";
import { costPerRequest, serverAt, type Load, type Server } from "./load.ts";
import { management, onStage } from "./management.ts";
import { atOnce } from "./options.ts";
import { profilePolls } from "./polls.ts";
import { profileProcess } from "./profile-process.ts";
import type { Store } from "./with-context.ts";

const warmUpRequests = 1_500;
const employees = 100;

interface Profiled {
  title: string;
  ours: Server;
  pid: number;
  load: Load;
  requests: number;
}

const rows = {
  warm: () => profileEmployees("warm", { store: "redis", env: {}, requests: 5_000 }),
  miss: () =>
    profileEmployees("miss", {
      store: "embedded",
      env: { CACHE_MAX_BYTES: "4096" },
      requests: 3_000,
    }),
  introspect: profileIntrospect,
  exchange: profileExchange,
  tokens: profileTokens,
  documents: profileDocuments,
  deliveries: async () =>
    drawFlameGraph("signed webhook deliveries, the sender", await profileDeliveries()),
  cold: async () =>
    drawFlameGraph(
      "embedded: cold GETs of 100 employees, API and worker in one",
      await profileCold(),
    ),
  polls: async () =>
    drawFlameGraph(
      "embedded: polls in many requests each, an adapter process",
      await profilePolls(),
    ),
};

/** Profiles the API in one row, or an adapter process, and draws the profile. */
export async function drawFlame(row: string | undefined): Promise<void> {
  if (row === "claims") return await keep("claims.txt", await planClaims());
  const profileRow = Object.entries(rows).find(([name]) => name === row)?.[1];
  if (!profileRow) throw new Error(`flame takes one of ${Object.keys(rows).join(", ")}, claims`);
  await keep(`${row}.svg`, await profileRow());
}

async function keep(name: string, profiled: string): Promise<void> {
  const folder = join(import.meta.dirname, "../docs/profiles");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), profiled);
  process.stdout.write(`docs/profiles/${name}\n`);
}

async function profile({ title, ours, pid, load, requests }: Profiled): Promise<string> {
  await costPerRequest(ours, load, warmUpRequests);
  const profiled = await profileProcess(pid, async () => {
    await costPerRequest(ours, load, requests);
  });
  return drawFlameGraph(title, profiled);
}

async function profileEmployees(
  what: string,
  { requests, ...where }: { store: Store; env: Record<string, string>; requests: number },
): Promise<string> {
  return await withCompaniesOf([employees], where, async ({ stage, tokens, pids, defer }) => {
    const ours = serverAt(stage.baseUrl, pids);
    defer("the sockets", () => ours.pool.destroy());
    return await profile({
      title: `${where.store}: ${what} GET of ${employees} employees, the event loop of the API`,
      ours,
      pid: stage.pids[0] ?? 0,
      load: { path: employeesPath, headers: headersOf(tokens[employees], "br") },
      requests,
    });
  });
}

async function profileIntrospect(): Promise<string> {
  return await onStage("embedded", async (stage) => {
    return await profile({
      ...stage.api,
      title: "embedded: introspect, the event loop of the API",
      load: await stage.introspection(),
      requests: 5_000,
    });
  });
}

async function profileTokens(): Promise<string> {
  const count = 1_000;
  return await onStage("embedded", async (stage) => {
    await stage.fillTokens(count);
    return await profile({
      ...stage.api,
      title: `embedded: the list of ${count} tokens, the event loop of the API`,
      load: { path: `${management}/tokens`, headers: stage.basic },
      requests: 1_000,
    });
  });
}

async function profileDocuments(): Promise<string> {
  return await onStage("embedded", async (stage) => {
    return await profile({
      ...stage.api,
      title: "embedded: /openapi.json, the event loop of the API",
      load: { path: "/openapi.json", headers: { "accept-encoding": "br" } },
      requests: 5_000,
    });
  });
}

async function profileExchange(): Promise<string> {
  const requests = 1_500;
  return await onStage("embedded", async (stage) => {
    const codes = await stage.issueCodes(warmUpRequests + requests + 2 * atOnce);
    return await profile({
      ...stage.api,
      title: "embedded: exchange of a code, the event loop of the API",
      load: {
        path: `${management}/token`,
        nextBody: () => stage.exchangeBody(codes.pop() ?? ""),
        status: 201,
      },
      requests,
    });
  });
}
