import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { pour } from "../support/pour.ts";
import { projectDir } from "../support/program-environment.ts";
import { Receiver, type Received } from "../support/receiver.ts";
import { freePort } from "../support/redis-server.ts";
import { untilTrue } from "../support/until-true.ts";
import {
  createWebhookHarness,
  people,
  person,
  type Company,
  type WebhookHarness,
} from "../support/webhook-harness.ts";

const examples = join(projectDir, "examples/webhook-receivers");

type Command = [program: string, ...args: string[]];

interface Language {
  name: string;
  file: string;
  /** Prints a version when the language is installed. */
  versionCommand: Command;
  /** The command that runs the file. A compiled language compiles it first, into the folder. */
  prepare(path: string, folder: string): Command;
}

const node = join(projectDir, "node_modules/.bin/node");
const languages: Language[] = [
  {
    name: "TypeScript",
    file: "receiver.ts",
    versionCommand: [node, "--version"],
    prepare: (path) => [node, path],
  },
  {
    name: "Python",
    file: "receiver.py",
    versionCommand: ["python3", "--version"],
    prepare: (path) => ["python3", path],
  },
  {
    name: "Go",
    file: "receiver.go",
    versionCommand: ["go", "version"],
    prepare: (path, folder) => {
      const binary = join(folder, "receiver-go");
      execFileSync("go", ["build", "-o", binary, path], { stdio: "inherit" });
      return [binary];
    },
  },
];

let harness: WebhookHarness;
let recorder: Receiver;
let folder: string;
let child: ChildProcess | undefined;
beforeAll(async () => {
  // The receivers hold the timestamp against the real time.
  harness = await createWebhookHarness({ clock: systemClock });
  recorder = await Receiver.start();
  folder = await mkdtemp(join(tmpdir(), "rollcall-receiver-"));
});
afterEach(() => void child?.kill("SIGKILL"));
afterAll(async () => {
  await recorder.close();
  await harness.close();
  await rm(folder, { recursive: true });
});

/** The receiver as its reader would run it, with what it has printed. */
async function startReceiver(
  { name, command: [program, ...args] }: { name: string; command: Command },
  secret: string,
): Promise<{ url: string; printed: () => string[] }> {
  const port = await freePort();
  let output = "";
  child = spawn(program, args, {
    env: {
      PATH: process.env["PATH"] ?? "",
      CLIENT_SECRET: secret,
      PORT: String(port),
      PYTHONUNBUFFERED: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://127.0.0.1:${port}/`;
  await untilTrue(
    `the receiver in ${name} listens: ${output}`,
    async () =>
      (await fetch(url, { method: "POST", body: "{}" }).catch(() => undefined)) !== undefined,
  );
  return { url, printed: () => output.split("\n").filter((line) => /^[0-9a-f]{8}-/.test(line)) };
}

async function deliver(company: Company, url: string): Promise<void> {
  await harness.listen(company.client.clientId, url);
  await harness.settle();
  company.people = [person(1, { last_name: "Ødegård" }), ...people(7, 3)];
  await harness.services.webhooks.pollNow(company.tokenId);
  await harness.settle();
}

/** A real delivery as it came over the wire, to be sent again by hand. */
async function record(): Promise<Received & { secret: string }> {
  recorder.reset();
  const company = await harness.watchCompany(people(8), recorder.url);
  await deliver(company, recorder.url);
  return { ...recorder.last, secret: company.secret };
}

async function send(url: string, headers: Received["headers"], bytes: Buffer): Promise<number> {
  const {
    host: _host,
    connection: _connection,
    "content-length": _length,
    ...sent
  } = headers as Record<string, string>;
  const response = await request(url, { method: "POST", headers: sent, body: bytes });
  await response.body.dump();
  return response.statusCode;
}

type Forgery = (recorded: Received & { secret: string }) => {
  headers?: Record<string, string>;
  /** The names of the headers that are left out. */
  without?: readonly string[];
  bytes?: Buffer;
};

/** The Standard Webhooks signature of the recorded bytes, made at another time. */
function signAt(
  seconds: number,
  { headers, bytes, secret }: Received & { secret: string },
): Record<string, string> {
  const timestamp = String(Math.floor(seconds));
  const signature = createHmac("sha256", secret)
    .update(`${String(headers["webhook-id"])}.${timestamp}.`)
    .update(bytes)
    .digest("base64");
  return { "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

/** What proves the time of a webhook. A recorded body without it can be sent again for ever. */
const standardHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"];

const forgeries: [name: string, forge: Forgery][] = [
  [
    "a recorded body whose three headers of Standard Webhooks are cut away",
    () => ({ without: standardHeaders }),
  ],
  ...standardHeaders.map((name): [string, Forgery] => [
    `a recorded body whose ${name} is cut away`,
    () => ({ without: [name] }),
  ]),
  [
    "a body with one byte changed",
    ({ bytes }) => ({ bytes: Buffer.from(bytes.toString().replace("Last", "Lost")) }),
  ],
  [
    "a body with a space at its end",
    ({ bytes }) => ({ bytes: Buffer.concat([bytes, Buffer.from(" ")]) }),
  ],
  [
    "a signature by another secret",
    (recorded) => ({ headers: signAt(Date.now() / 1000, { ...recorded, secret: "wrong" }) }),
  ],
  ["another id", () => ({ headers: { "webhook-id": "01a1fd50-0000-7000-8000-000000000000" } })],
  ["no id", () => ({ headers: { "webhook-id": "" } })],
  ["no timestamp", () => ({ headers: { "webhook-timestamp": "" } })],
  ["a timestamp that is no number", () => ({ headers: { "webhook-timestamp": "now" } })],
  [
    "the signature of the specification alone, which does not cover the time",
    () => ({ headers: { "webhook-signature": "" } }),
  ],
  ["no signature", () => ({ headers: { "webhook-signature": "", "x-service-api-signature": "" } })],
  [
    "a signature in no ASCII",
    () => ({ headers: { "webhook-signature": `v1,${"\u00e9".repeat(44)}` } }),
  ],
  [
    "a delivery of an hour ago with a right signature",
    (recorded) => ({ headers: signAt(Date.now() / 1000 - 3_600, recorded) }),
  ],
  [
    "a delivery of the next hour with a right signature",
    (recorded) => ({ headers: signAt(Date.now() / 1000 + 3_600, recorded) }),
  ],
];

describe.each(languages)("the example of a receiver in $name", (language) => {
  const { name } = language;
  const [program, ...args] = language.versionCommand;
  const isThere = spawnSync(program, args).status === 0;
  if (!isThere)
    process.stdout.write(
      `The example of a receiver in ${name} is left out: there is no ${program} on this machine.\n`,
    );
  let command: Command;
  beforeAll(() => {
    if (isThere) command = language.prepare(join(examples, language.file), folder);
  });

  test.runIf(isThere)("takes a real delivery and prints the counts", async () => {
    const company = await harness.watchCompany(people(8), recorder.url);
    const { url, printed } = await startReceiver({ name, command }, company.secret);
    await deliver(company, url);
    const [delivery, ...others] = await harness.deliveriesOf(company.client.clientId);
    expect([delivery?.status, delivery?.lastStatus, others.length]).toEqual(["delivered", 204, 0]);
    await untilTrue("it printed what it took", () => printed().length > 0);
    expect(printed()).toEqual([`${String(delivery?.id)} 1 1 1`]);
  });

  test.runIf(isThere)(
    "takes it with any of several entries, as while secrets are rotated",
    async () => {
      const recorded = await record();
      const { url } = await startReceiver({ name, command }, recorded.secret);
      const signature = `v1,${createHmac("sha256", mintCredential("cs", "dev")).update("x").digest("base64")} ${String(recorded.headers["webhook-signature"])}`;
      expect(
        await send(url, { ...recorded.headers, "webhook-signature": signature }, recorded.bytes),
      ).toBe(204);
    },
  );

  test.runIf(isThere)("works on one that comes twice only once, and answers 204", async () => {
    const recorded = await record();
    const { url, printed } = await startReceiver({ name, command }, recorded.secret);
    const again = { ...recorded.headers, ...signAt(Date.now() / 1000, recorded) };
    expect([
      await send(url, recorded.headers, recorded.bytes),
      await send(url, again, recorded.bytes),
    ]).toEqual([204, 204]);
    await untilTrue("it printed what it took", () => printed().length > 0);
    expect(printed()).toHaveLength(1);
  });

  test.runIf(isThere)("looks at no other signature than that of Standard Webhooks", async () => {
    const recorded = await record();
    const { url } = await startReceiver({ name, command }, recorded.secret);
    const byAnother = createHmac("sha256", mintCredential("cs", "dev"))
      .update(recorded.bytes)
      .digest("hex");
    const headers = { ...recorded.headers, "x-service-api-signature": byAnother };
    expect(await send(url, headers, recorded.bytes)).toBe(204);
  });

  test.runIf(isThere)("outlives whoever leaves in the middle of a body", async () => {
    const recorded = await record();
    const { url } = await startReceiver({ name, command }, recorded.secret);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n{}");
    await delay(100);
    socket.resetAndDestroy();
    await delay(100);
    expect(await send(url, recorded.headers, recorded.bytes)).toBe(204);
  });

  test.runIf(isThere)("answers 204 to an event, and goes on", async () => {
    const recorded = await record();
    const { url, printed } = await startReceiver({ name, command }, recorded.secret);
    const bytes = Buffer.from(JSON.stringify({ type: "connection.healed", data: {} }));
    const headers = { ...recorded.headers, "webhook-id": "01a1fd50-0000-7000-8000-000000000001" };
    const event = { ...recorded, headers, bytes };
    const signed = { ...headers, ...signAt(Date.now() / 1000, event) };
    expect(await send(url, signed, bytes)).toBe(204);
    expect(await send(url, recorded.headers, recorded.bytes)).toBe(204);
    await untilTrue("it printed what it took", () => printed().length > 0);
    expect(printed()).toHaveLength(1);
  });

  test.runIf(isThere).each(["Content-Length: 1000000000", "Transfer-Encoding: chunked"])(
    "reads no body without an end: %s",
    async (framing) => {
      const recorded = await record();
      const { url } = await startReceiver({ name, command }, recorded.secret);
      expect(await pour(url, { framing })).toBeLessThan(100);
      expect(await send(url, recorded.headers, recorded.bytes)).toBe(204);
    },
  );

  test.runIf(isThere)("refuses what was tampered with", async () => {
    const recorded = await record();
    const { url, printed } = await startReceiver({ name, command }, recorded.secret);
    expect(await send(url, recorded.headers, recorded.bytes)).toBe(204);
    const statuses: [string, number][] = [];
    for (const [name, forge] of forgeries) {
      const { headers = {}, without = [], bytes = recorded.bytes } = forge(recorded);
      const sent = Object.entries({ ...recorded.headers, ...headers }).filter(
        ([header]) => !without.includes(header),
      );
      statuses.push([name, await send(url, Object.fromEntries(sent), bytes)]);
    }
    expect(statuses).toEqual(forgeries.map(([name]) => [name, 401]));
    expect(printed()).toHaveLength(1);
  });

  test.runIf(isThere).each([
    ["without a secret", {}],
    ["with an empty one", { CLIENT_SECRET: "" }],
  ])("does not start %s", async (_, secret) => {
    const env = { PATH: process.env["PATH"] ?? "", PORT: String(await freePort()), ...secret };
    const [binary, ...args] = command;
    expect(spawnSync(binary, args, { env, timeout: 30_000 }).status).toBe(1);
  });
});
