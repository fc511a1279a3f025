import { setTimeout as delay } from "node:timers/promises";
import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { words } from "./engine.ts";
import { ConnectVisitor, carried, linkPath, textOf } from "../support/connect-visitor.ts";
import {
  api,
  assert,
  imageName,
  receiverUrl,
  redirectUri,
  type Check,
  type TestClient,
  type Trial,
} from "./trial.ts";

const employees = `${api}/xhr/employees`;
/** The account of the image. */
const nodeId = 1000;
const apis = [1, 2];
const workers = [1, 2, 3];

/** What a client of the service meets, through the proxy with TLS. */
export const serviceChecks: readonly Check[] = [
  {
    name: "`exec api rollcall` registers a client",
    run: async (trial) => {
      const { stack } = trial;
      const create = ["client", "create", "--name", "Acme", "--redirect-uri", redirectUri];
      trial.client = await stack.json<TestClient>(...create);
      const settings = ["--allow-sandbox", "--webhook-uri", receiverUrl];
      await stack.rollcall("client", "update", trial.client.client_id, ...settings);
      const { status } = await trial.ask("GET", `${api}/management/client`, {
        client: trial.client,
      });
      assert(status === 200, `the client's credentials are answered with ${status}`);
      return "its credentials are good";
    },
  },
  {
    name: "a sign-in by a link, a code, an access token, data",
    run: async (trial) => {
      const { body } = await exchange(trial, await signIn(trial));
      trial.accessToken = body.access_token;
      trial.tokenId = body.token;
      return `${await readEmployees(trial)} employees`;
    },
  },
  {
    name: "`--scale api=2 --scale worker=3`: the proxy finds both apis, and each worker has its places",
    run: async (trial) => {
      const { stack } = trial;
      await stack.recreate("worker");
      for (const number of apis.slice(1)) await stack.start("api", number);
      for (const number of workers.slice(1)) await stack.start("worker", number);
      await trial.until("each api answers requests of the proxy", async () => {
        await trial.ask("GET", "/healthz");
        const counts = await Promise.all(apis.map((number) => countRequests(trial, number)));
        return counts.every((count) => count > 0) || undefined;
      });
      assert((await readEmployees(trial)) > 0, "no data");
      return "both answer";
    },
  },
  {
    name: "secrets as files",
    run: async (trial) => {
      const { stack, engine, folder } = trial;
      const secrets = join(folder, "secrets");
      await mkdir(secrets, { mode: 0o711 });
      const names = ["DATABASE_PASSWORD", "REDIS_PASSWORD", "MASTER_KEYS"];
      for (const name of names) {
        const file = join(secrets, name);
        await writeFile(file, `${stack.variables[name]}\n`, { mode: 0o400 });
        if (process.getuid?.() === 0) await chown(file, nodeId, nodeId);
        else await chmod(file, 0o444);
      }
      const environment: Record<string, string> = {
        ...stack.project.services["api"]?.environment,
        ENVIRONMENT: "prod",
        ...Object.fromEntries(names.map((name) => [`${name}_FILE`, `/run/secrets/${name}`])),
      };
      const listed = await engine.must(
        [
          ...words("run --rm --read-only --network"),
          stack.prefix,
          ...engine.placeFlags,
          "--volume",
          `${secrets}:/run/secrets:ro`,
          ...Object.keys(environment).flatMap((name) => ["--env", name]),
          imageName,
          ...words("rollcall client list --json"),
        ],
        { variables: environment },
      );
      assert(listed.includes(trial.client?.client_id ?? "?"), "the client is not listed");
      return `${names.join(", ")} of mode 0400`;
    },
  },
];

async function signIn(trial: Trial): Promise<string> {
  const visitor = new ConnectVisitor(await trial.baseUrl());
  const page = await visitor.open(
    linkPath({ clientId: trial.client?.client_id ?? "" }, { redirect_uri: redirectUri }),
  );
  const last = await visitor.submit(page, { username: "user_good", password: "any" });
  assert(last.left !== undefined, `the sign-in did not succeed: ${last.status} ${textOf(last)}`);
  return new Map(carried(last)).get("code") ?? "";
}

async function exchange(
  trial: Trial,
  code: string,
): Promise<{ body: { access_token: string; token: string } }> {
  const reply = await trial.ask<{ access_token: string; token: string }>(
    "POST",
    `${api}/management/token`,
    {
      body: { ...trial.client, grant_type: "authorization_code", code, redirect_uri: redirectUri },
    },
  );
  assert(reply.status === 201, `the code is answered with ${reply.status}`);
  return reply;
}

/** How many employees the token reads. */
export async function readEmployees(trial: Trial, headers = {}): Promise<number> {
  const { body, status } = await trial.until("data is there", async () => {
    const reply = await trial.ask<unknown[]>("GET", employees, {
      token: trial.accessToken,
      headers: { prefer: "wait=20", ...headers },
    });
    if (reply.status !== 202) return reply;
    await delay(Number(reply.headers.get("retry-after")) * 1000);
    return undefined;
  });
  assert(status === 200, `employees are answered with ${status}: ${JSON.stringify(body)}`);
  return body.length;
}

/** How many requests an api has answered, by its own metrics. */
async function countRequests({ stack }: Trial, number: number): Promise<number> {
  const ask =
    "fetch('http://127.0.0.1:9100/metrics').then((reply) => reply.text()).then((text) => console.log(text))";
  const { stdout } = await stack.exec("api", ["node", "-e", ask], { number });
  return [
    ...stdout.matchAll(/^rollcall_http_request_seconds_count\{.*healthz.*\} (\d+)$/gm),
  ].reduce((sum, [, count]) => sum + Number(count), 0);
}
