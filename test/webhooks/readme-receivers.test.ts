import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
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

const readme = readFileSync(join(projectDir, "README.md"), "utf8");

/** The block of the README that is tagged as a receiver in this language. */
function receiverIn(language: string): string {
  const found = [
    ...readme.matchAll(new RegExp(`^\`\`\`${language} receiver\n([\\s\\S]*?)^\`\`\`$`, "gm")),
  ];
  if (found.length !== 1)
    throw new Error(`the README has ${found.length} blocks tagged "${language} receiver"`);
  return found[0]?.[1] ?? "";
}

const languages = [
  { language: "ts", file: "receiver.mts", program: join(projectDir, "node_modules/.bin/node") },
  { language: "python", file: "receiver.py", program: "python3" },
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
  { language, file, program }: (typeof languages)[number],
  secret: string,
): Promise<{ url: string; printed: () => string[] }> {
  await writeFile(join(folder, file), receiverIn(language));
  const port = await freePort();
  let output = "";
  child = spawn(program, [join(folder, file)], {
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
    `the receiver in ${language} listens: ${output}`,
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
  bytes?: Buffer;
};

const forgeries: [name: string, forge: Forgery][] = [
  [
    "a body with one byte changed",
    ({ bytes }) => ({ bytes: Buffer.from(bytes.toString().replace("Last", "Lost")) }),
  ],
  [
    "a body with a space at its end",
    ({ bytes }) => ({ bytes: Buffer.concat([bytes, Buffer.from(" ")]) }),
  ],
  [
    "the specification's signature by another secret",
    ({ bytes }) => ({
      headers: {
        "webhook-signature": "",
        "x-service-api-signature": createHmac("sha256", "wrong").update(bytes).digest("hex"),
      },
    }),
  ],
  ["another id", () => ({ headers: { "webhook-id": "01a1fd50-0000-7000-8000-000000000000" } })],
  [
    "only the signature of the specification, and a body with one byte changed",
    ({ bytes }) => ({
      headers: { "webhook-signature": "" },
      bytes: Buffer.from(bytes.toString().replace("Last", "Lost")),
    }),
  ],
  ["no signature", () => ({ headers: { "webhook-signature": "", "x-service-api-signature": "" } })],
  [
    "signatures that are no ASCII",
    () => ({
      headers: {
        "webhook-signature": `v1,${"\u00e9".repeat(44)}`,
        "x-service-api-signature": "\u00e9".repeat(64),
      },
    }),
  ],
  [
    "the specification's signature in no ASCII",
    () => ({
      headers: { "webhook-signature": "", "x-service-api-signature": "\u00e9".repeat(64) },
    }),
  ],
  [
    "a delivery of an hour ago, though both signatures are right",
    ({ headers, bytes, secret }) => {
      const timestamp = String(Math.floor(Date.now() / 1000) - 3_600);
      const signature = createHmac("sha256", secret)
        .update(`${String(headers["webhook-id"])}.${timestamp}.`)
        .update(bytes)
        .digest("base64");
      return {
        headers: { "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` },
      };
    },
  ],
];

describe.each(languages)("the receiver of the README in $language", (language) => {
  const isThere = spawnSync(language.program, ["--version"]).status === 0;
  if (!isThere)
    process.stdout.write(
      `The README's receiver in ${language.language} is left out: there is no ${language.program} on this machine.\n`,
    );

  test.runIf(isThere)(
    "takes a real delivery, checks both signatures and prints the counts",
    async () => {
      const company = await harness.watchCompany(people(8), recorder.url);
      const { url, printed } = await startReceiver(language, company.secret);
      await deliver(company, url);
      const [delivery, ...others] = await harness.deliveriesOf(company.client.clientId);
      expect([delivery?.status, delivery?.lastStatus, others.length]).toEqual([
        "delivered",
        204,
        0,
      ]);
      await untilTrue("it printed what it took", () => printed().length > 0);
      expect(printed()).toEqual([`${String(delivery?.id)} 1 1 1`]);
    },
  );

  test.runIf(isThere)(
    "takes it with any of several entries, as while secrets are rotated",
    async () => {
      const recorded = await record();
      const { url } = await startReceiver(language, recorded.secret);
      const signature = `v1,${createHmac("sha256", mintCredential("cs", "dev")).update("x").digest("base64")} ${String(recorded.headers["webhook-signature"])}`;
      expect(
        await send(url, { ...recorded.headers, "webhook-signature": signature }, recorded.bytes),
      ).toBe(204);
    },
  );

  test.runIf(isThere)(
    "takes one that is signed by a newer secret in the specification's header, and one without the header of Standard Webhooks",
    async () => {
      const recorded = await record();
      const { url } = await startReceiver(language, recorded.secret);
      const byAnother = createHmac("sha256", mintCredential("cs", "dev"))
        .update(recorded.bytes)
        .digest("hex");
      expect(
        await send(
          url,
          { ...recorded.headers, "x-service-api-signature": byAnother },
          recorded.bytes,
        ),
      ).toBe(204);
      expect(
        await send(url, { ...recorded.headers, "webhook-signature": "" }, recorded.bytes),
      ).toBe(204);
    },
  );

  test.runIf(isThere)("outlives whoever leaves in the middle of a body", async () => {
    const recorded = await record();
    const { url } = await startReceiver(language, recorded.secret);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n{}");
    await delay(100);
    socket.resetAndDestroy();
    await delay(100);
    expect(await send(url, recorded.headers, recorded.bytes)).toBe(204);
  });

  test.runIf(isThere)("refuses what was tampered with", async () => {
    const recorded = await record();
    const { url, printed } = await startReceiver(language, recorded.secret);
    expect(await send(url, recorded.headers, recorded.bytes)).toBe(204);
    const statuses: [string, number][] = [];
    for (const [name, forge] of forgeries) {
      const { headers = {}, bytes = recorded.bytes } = forge(recorded);
      statuses.push([name, await send(url, { ...recorded.headers, ...headers }, bytes)]);
    }
    expect(statuses).toEqual(forgeries.map(([name]) => [name, 401]));
    expect(printed()).toHaveLength(1);
  });
});

test("the README prints the schedule of retries as it is", () => {
  expect(readme.replaceAll(/\s+/g, " ")).toContain(
    "5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h",
  );
});
