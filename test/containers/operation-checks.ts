import { setTimeout as delay } from "node:timers/promises";
import { words } from "./engine.ts";
import { readEmployees } from "./service-checks.ts";
import { api, assert, type Check, type Trial } from "./trial.ts";

interface Delivery {
  id: string;
  status: string;
  attempts: number;
}

const apis = [1, 2];
const workers = [1, 2, 3];
const callers = 4;
const alertLimitMs = 300_000;

/** What an operator does by docs/operating.md and docs/backups.md. */
export const operationChecks: readonly Check[] = [
  {
    name: "a webhook whose receiver was away is replayed",
    run: async (trial) => {
      const { stack, tokenId } = trial;
      await stack.rollcall("poll", "now", "--token", tokenId);
      await stack.engine.must(["stop", stack.nameOf("receiver")]);
      await stack.rollcall("sandbox", "advance", "--token", tokenId);
      await stack.rollcall("poll", "now", "--token", tokenId);
      const failed = await untilDelivery(trial, ({ attempts }) => attempts > 0);
      assert(failed.status !== "delivered", "the receiver was not away");
      await stack.engine.must(["start", stack.nameOf("receiver")]);
      await stack.rollcall("delivery", "replay", failed.id);
      const sent = await untilDelivery(trial, ({ status }) => status === "delivered");
      return `delivered by attempt ${sent.attempts}`;
    },
  },
  {
    name: "every container is replaced, one after another, and no request fails",
    run: async (trial) => {
      const done = new AbortController();
      const failures: string[] = [];
      const durationsMs: number[] = [];
      const call = async (): Promise<void> => {
        while (!done.signal.aborted) {
          const startedAt = performance.now();
          const failure = await trial
            .ask("GET", `${api}/xhr/employees`, { token: trial.accessToken })
            .then(({ status, body }) => (status === 200 ? "" : JSON.stringify(body)), String);
          if (failure !== "") failures.push(failure);
          durationsMs.push(performance.now() - startedAt);
          await delay(50);
        }
      };
      const calling = Array.from({ length: callers }, call);
      const shown: string[] = [];
      try {
        for (const number of apis) shown.push(describe(await trial.stack.recreate("api", number)));
        for (const number of workers) await trial.stack.recreate("worker", number);
      } finally {
        done.abort();
        await Promise.all(calling);
      }
      assert(
        failures.length === 0,
        `${failures.length} failed: ${failures.slice(0, 5).join(", ")}`,
      );
      const slowest = Math.round(Math.max(...durationsMs));
      return `${durationsMs.length} requests, the slowest ${slowest} ms; apis: ${shown.join("; ")}`;
    },
  },
  {
    name: "the master key is changed while the service runs",
    run: changeMasterKey,
  },
  {
    name: "a backup is restored into a new Postgres, and the same access token reads data",
    run: restoreBackup,
  },
  {
    name: "the alerting rules and the configuration of Prometheus are valid",
    run: async ({ stack }) => {
      const file = "/etc/prometheus/prometheus.yml";
      const check = [...words("promtool check config"), file];
      const { code, stdout, stderr } = await stack.exec("prometheus", check);
      assert(code === 0, stdout + stderr);
      return /\d+ rules found/.exec(stdout)?.[0] ?? "valid";
    },
  },
  {
    name: "Prometheus scrapes every api and worker, and an alert fires when all workers are away",
    run: fireAlert,
  },
  {
    name: "every container stops in its grace period",
    run: async ({ stack }) => {
      const shown: string[] = [];
      for (const name of ["proxy", "api", "redis", "postgres"])
        shown.push(`${name} ${((await stack.stop(name)) / 1000).toFixed(1)} s`);
      return shown.join(", ");
    },
  },
];

function describe({ stopMs, readyMs }: { stopMs: number; readyMs: number }): string {
  return `stop ${(stopMs / 1000).toFixed(1)} s, ready ${(readyMs / 1000).toFixed(1)} s`;
}

async function untilDelivery(
  trial: Trial,
  isMeant: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  const { stack, client } = trial;
  const list = ["delivery", "list", "--client", client?.client_id ?? ""];
  return await trial.until("a delivery is as expected", async () =>
    (await stack.json<Delivery[]>(...list)).find(isMeant),
  );
}

async function changeMasterKey(trial: Trial): Promise<string> {
  const { stack } = trial;
  const before = stack.variables["MASTER_KEYS"] ?? "";
  const { key, entry } = await stack.json<{ key: string; entry: string }>("keys", "add");
  const restartAll = async (masterKeys: string): Promise<void> => {
    stack.variables = { ...stack.variables, MASTER_KEYS: masterKeys };
    for (const number of apis) await stack.recreate("api", number);
    await Promise.all(workers.map((number) => stack.recreate("worker", number)));
  };
  await restartAll(`${before},${entry}`);
  await restartAll(`${entry},${before}`);
  const { rewrapped } = await stack.json<{ rewrapped: number }>("keys", "rewrap");
  await stack.rollcall("keys", "retire", before.split(":")[0] ?? "");
  await restartAll(entry);
  assert((await readEmployees(trial)) > 0, "no data under the new key");
  return `${rewrapped} rows under ${key}`;
}

async function restoreBackup(trial: Trial): Promise<string> {
  const { stack, engine } = trial;
  const database = ["--username", "rollcall", "--dbname", "rollcall"];
  const dump = "/tmp/rollcall.dump";
  const made = await stack.exec("postgres", ["pg_dump", ...database, "-Fc", "-f", dump]);
  assert(made.code === 0, made.stderr);
  const file = `${trial.folder}/rollcall.dump`;
  await engine.must(["cp", `${stack.nameOf("postgres")}:${dump}`, file]);
  const restored = trial.addStack("restored");
  await restored.prepare();
  await restored.start("postgres");
  await engine.must(["cp", file, `${restored.nameOf("postgres")}:${dump}`]);
  const read = await restored.exec("postgres", [
    "pg_restore",
    ...database,
    "--exit-on-error",
    dump,
  ]);
  assert(read.code === 0, read.stderr);
  await restored.start("redis");
  const readyMs = await restored.start("api");
  const port = await restored.portOf("api", 3000);
  const reply = await fetch(`http://127.0.0.1:${port}${api}/xhr/employees`, {
    headers: { authorization: `Bearer ${trial.accessToken}` },
  });
  assert(reply.status === 200, `the restored service answers ${reply.status}`);
  const people = (await reply.json()) as unknown[];
  for (const name of ["api", "redis", "postgres"]) await restored.stop(name);
  return `${people.length} employees, ready ${(readyMs / 1000).toFixed(1)} s`;
}

async function fireAlert(trial: Trial): Promise<string> {
  const { stack } = trial;
  const base = `http://127.0.0.1:${await stack.portOf("prometheus", 9090)}/api/v1`;
  const ask = async <Data>(path: string): Promise<Data> =>
    ((await (await fetch(base + path)).json()) as { data: Data }).data;
  const processes = apis.length + workers.length;
  await trial.until(`${processes} processes are scraped`, async () => {
    const { activeTargets } = await ask<{ activeTargets: { health: string }[] }>("/targets");
    return activeTargets.filter(({ health }) => health === "up").length === processes || undefined;
  });
  for (const number of workers) await stack.stop("worker", number);
  const startedAt = performance.now();
  const name = await trial.until(
    "an alert fires",
    async () => {
      const { alerts } = await ask<{ alerts: { state: string; labels: { alertname: string } }[] }>(
        "/alerts",
      );
      return alerts.find(
        ({ state, labels }) => state === "firing" && labels.alertname === "RollcallNoWorker",
      )?.labels.alertname;
    },
    alertLimitMs,
  );
  return `${processes} are up; ${name} after ${Math.round((performance.now() - startedAt) / 1000)} s`;
}
