import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { findRunningPostgres } from "../../src/platform/embedded/index.ts";
import { readDemo, type Demo } from "../../src/start/local-state.ts";
import { makeStateDir, programEnvironment, projectDir } from "./program-environment.ts";
import { answers, Receiver } from "./receiver.ts";
import { startService, type ServiceProcess } from "./service-process.ts";

/** Who signs in to the sandbox, by what the client calls the connection. */
const users = {
  "northern-tram": "user_good",
  "old-mill-foods": "user_sparse",
  "blue-door-books": "user_fewer_rights",
  "lighthouse-clinic": "user_fewer_fields",
  "harbour-bakery": "user_good",
};
const resources = [
  "employees",
  "groups",
  "work-locations",
  "payruns?start_date=2026-01-01&end_date=2026-03-31",
];
const pauseMs = 500;

interface Made {
  access_token: string;
  token: string;
}

interface Shown {
  service: ServiceProcess;
  demo: Demo;
  receiver: Receiver;
  /** A command of the operator, which answers with JSON. */
  rollcall: <Answer>(...args: string[]) => Promise<Answer>;
}

export type ShownService = Awaited<ReturnType<typeof startShownService>>;

/**
 * The service in local mode with made-up connections of the sandbox: some are well, the sign-in of one has ended, the
 * account of one lacks a right, and the receiver of their client has begun to fail.
 */
export async function startShownService() {
  const { stateDir, remove } = await makeStateDir();
  const [service, receiver] = await Promise.all([
    startService({ STATE_DIR: stateDir }),
    Receiver.start(),
  ]);
  const stop = async (): Promise<void> => {
    await service.stop();
    await receiver.close();
    await remove();
  };
  const rollcall = async <Answer>(...args: string[]): Promise<Answer> => {
    const env = programEnvironment({ STATE_DIR: stateDir });
    const command = join(projectDir, "bin/rollcall");
    const { stdout } = await promisify(execFile)(command, [...args, "--json"], { env });
    return JSON.parse(stdout) as Answer;
  };
  try {
    const demo = await readDemo(stateDir);
    if (!demo) throw new Error("the service has made no demo client");
    const tokenIds = await fill({ service, demo, receiver, rollcall });
    await makeUpCounts(stateDir);
    return {
      baseUrl: service.baseUrl,
      tokenIds,
      /** Signs in an operator, once. */
      makeLink: async () => (await rollcall<{ console_url: string }>("console")).console_url,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the token id of each connection. */
async function fill(shown: Shown): Promise<Record<keyof typeof users, string>> {
  const { rollcall, receiver } = shown;
  await manage(shown, "client", { name: "Rota Planner", webhook_uri: receiver.url });
  const made: Record<string, Made> = {};
  for (const [reference, user] of Object.entries(users)) {
    const fields = ["--field", `username=${user}`, "--field", "password=made-up"];
    const options = ["--provider", "sandbox", "--reference", reference, "--exchange"];
    made[reference] = await rollcall<Made>("connection", "create", ...options, ...fields);
    await read(shown, made[reference]);
  }
  const tokenOf = (reference: keyof typeof users): string => made[reference]?.token ?? "";
  await sendWebhook(shown, tokenOf("northern-tram"));
  receiver.answer = answers.status(503);
  await sendWebhook(shown, tokenOf("lighthouse-clinic"));
  const ended = `sandbox/connections/${tokenOf("harbour-bakery")}/fail`;
  await manage(shown, ended, { code: "reauthentication_required" });
  await read(shown, made["harbour-bakery"]);
  return Object.fromEntries(
    Object.entries(made).map(([reference, { token }]) => [reference, token]),
  ) as Record<keyof typeof users, string>;
}

async function manage({ service, demo }: Shown, path: string, json: object): Promise<number> {
  const basic: [string, string] = [demo.client_id, demo.client_secret];
  const url = `/2023-03-01/management/${path}`;
  const { status, body } = await service.http.post(url, { basic, json });
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return status;
}

async function read({ service }: Shown, made: Made | undefined): Promise<void> {
  const headers = { prefer: "wait=20" };
  for (const resource of resources)
    await service.http.get(`/2023-03-01/xhr/${resource}`, {
      bearer: made?.access_token,
      headers,
    });
}

/** It answers 202 until the poll is there that the next one is compared with. */
async function sendWebhook(shown: Shown, token: string): Promise<void> {
  const before = shown.receiver.received.length;
  while ((await manage(shown, `sandbox/connections/${token}/webhook`, {})) === 202)
    await delay(pauseMs);
  while (shown.receiver.received.length === before) await delay(pauseMs);
}

/** What plots show: two days and two months of a service that is busy by day, and more so from week to week. */
async function makeUpCounts(stateDir: string): Promise<void> {
  const client = new Client({ connectionString: findRunningPostgres(stateDir) });
  await client.connect();
  await client.query(
    `insert into console_counts (client_id, seconds, at, what, provider, outcome, times)
     select '', s.seconds, at, what, 'sandbox', outcome,
       ceil(times * (1 - sin(2 * pi() * extract(epoch from at) / s.wave)) * (1 - 0.4 * ago / s.spans))
     from (values (3600, 47, 86400), (86400, 59, 604800)) s (seconds, spans, wave)
       cross join generate_series(1, s.spans) ago
       cross join lateral (select date_trunc(case when s.seconds = 3600 then 'hour' else 'day' end,
         now() at time zone 'UTC') at time zone 'UTC' - make_interval(secs => ago * s.seconds)) moment (at)
       cross join (values ('reads', 'stored', 240), ('reads', 'refused', 6), ('reads', 'unavailable', 3),
         ('polls', 'unchanged', 90), ('polls', 'changed', 20), ('polls', 'forbidden', 2),
         ('deliveries', 'delivered', 22), ('deliveries', 'postponed', 3)) w (what, outcome, times)
     on conflict do nothing`,
  );
  await client.end();
}
