import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { parseEnv } from "node:util";
import { projectDir } from "../support/program-environment.ts";
import { readProject } from "./compose.ts";
import type { Engine } from "./engine.ts";
import { Stack } from "./stack.ts";

export interface Check {
  name: string;
  /** What was measured. Throws when the promise is not kept. */
  run: (trial: Trial) => Promise<string>;
}

export interface TestClient {
  client_id: string;
  client_secret: string;
}

interface Reply<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

interface AskOptions {
  client?: TestClient;
  token?: string;
  headers?: Record<string, string>;
  body?: object;
}

export const imageName = "rollcall";
/** Under this path are the API's requests. */
export const api = "/2023-03-01";
export const redirectUri = "https://app.example.com/callback";
export const receiverUrl = "https://hooks.rollcall.test/";
const composeFiles = [
  "docker-compose.yml",
  "examples/operations/docker-compose.tls.yml",
  "examples/operations/docker-compose.monitoring.yml",
  "test/containers/docker-compose.receiver.yml",
];
/** Everything that a password in an address or in `.env` may break on. */
const hardPassword = (): string => `p@ss:w/r%d?#&$HOME"é ${randomBytes(6).toString("hex")}`;
const patienceMs = 180_000;
const lookMs = 250;

/** One run: its folder with `.env`, its containers, and what the checks have made so far. */
export class Trial {
  readonly engine: Engine;
  readonly folder: string;
  readonly stack: Stack;
  readyMs: Record<string, number> = {};
  client: TestClient | undefined;
  accessToken = "";
  tokenId = "";
  readonly #others: Stack[] = [];

  private constructor(engine: Engine, folder: string, stack: Stack) {
    this.engine = engine;
    this.folder = folder;
    this.stack = stack;
  }

  /** Makes `.env` as docs/configuration.md says. */
  static async prepare(engine: Engine): Promise<Trial> {
    const generate = ["rollcall", "keys", "generate", "--environment", "prod"];
    const keys = await engine.must(["run", "--rm", ...engine.placeFlags, imageName, ...generate]);
    const settings: Record<string, string> = {
      ENVIRONMENT: "prod",
      PUBLIC_URL: "https://localhost",
      TRUST_PROXY: "none",
      DATABASE_PASSWORD: hardPassword(),
      REDIS_PASSWORD: hardPassword(),
      DATABASE_MIGRATION_PASSWORD: hardPassword(),
      OUTBOUND_ALLOW_PROVIDERS: "10.203.0.0/24:*",
      OUTBOUND_ALLOW_WEBHOOKS: "10.203.0.0/24:*",
      ...Object.fromEntries(
        ["OPEN_1M", "OPEN_5M", "GATED_IP_1M", "GATED_CLIENT_5M"].map((limit) => [
          `RATE_LIMIT_${limit}`,
          "1000000",
        ]),
      ),
    };
    const example = await readFile(join(projectDir, ".env.example"), "utf8");
    const text = `${example}\n${keys}\n`.replaceAll(/^(\w+)=.*$/gm, (line, name: string) =>
      settings[name] === undefined ? line : `${name}='${settings[name]}'`,
    );
    const folder = await mkdtemp(join(tmpdir(), "rollcall-containers-"));
    await writeFile(join(folder, ".env"), text, { mode: 0o600 });
    const stack = new Stack(engine, `rollcall-check-${process.pid}`, ...load(text, composeFiles));
    return new Trial(engine, folder, stack);
  }

  /** The same service with databases of its own, without what is around it. */
  addStack(name: string): Stack {
    const project = readProject([join(projectDir, "docker-compose.yml")], this.stack.variables);
    const prefix = `${this.stack.prefix}-${name}`;
    const stack = new Stack(this.engine, prefix, project, this.stack.variables);
    this.#others.push(stack);
    return stack;
  }

  /** Lets this process, and the workers that start from now on, trust the proxy and the receiver. */
  async trustAuthorities(): Promise<void> {
    const path = "/data/caddy/pki/authorities/local/root.crt";
    const read = async (service: string): Promise<string> => {
      const found = await this.until(`${service} has a certificate`, async () => {
        const { code, stdout } = await this.stack.exec(service, ["cat", path]);
        return code === 0 ? stdout : undefined;
      });
      return found;
    };
    setDefaultCACertificates([...getCACertificates("default"), await read("proxy")]);
    const file = join(this.folder, "authority.crt");
    await writeFile(file, await read("receiver"));
    await chmod(this.folder, 0o711);
    await chmod(file, 0o644);
    const { worker } = this.stack.project.services;
    worker?.volumes.push(`${file}:/run/authority.crt:ro`);
    if (worker) worker.environment["NODE_EXTRA_CA_CERTS"] = "/run/authority.crt";
  }

  async baseUrl(): Promise<string> {
    return `https://localhost:${await this.stack.portOf("proxy", 443)}`;
  }

  /** A request through the proxy. */
  async ask<Body = Record<string, unknown>>(
    method: string,
    path: string,
    { client, token, headers = {}, body }: AskOptions = {},
  ): Promise<Reply<Body>> {
    const basic = client && Buffer.from(`${client.client_id}:${client.client_secret}`);
    const reply = await fetch(`${await this.baseUrl()}${path}`, {
      method,
      headers: {
        ...headers,
        ...(basic && { authorization: `Basic ${basic.toString("base64")}` }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: JSON.parse(text) as Body };
  }

  /** The first value that is not undefined. */
  async until<Value>(
    what: string,
    look: () => Promise<Value | undefined>,
    limitMs = patienceMs,
  ): Promise<Value> {
    for (const end = performance.now() + limitMs; performance.now() < end;) {
      const found = await look();
      if (found !== undefined) return found;
      await delay(lookMs);
    }
    throw new Error(`this did not happen in ${limitMs / 1000} s: ${what}`);
  }

  async end(): Promise<void> {
    for (const stack of [...this.#others, this.stack]) await stack.down();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export function assert(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new Error(otherwise);
}

function load(
  text: string,
  files: readonly string[],
): [ReturnType<typeof readProject>, Record<string, string>] {
  const variables = { ...(parseEnv(text) as Record<string, string>), SITE: "localhost" };
  return [
    readProject(
      files.map((file) => join(projectDir, file)),
      variables,
    ),
    variables,
  ];
}
