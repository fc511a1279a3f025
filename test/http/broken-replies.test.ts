import { randomBytes } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createHttpApp, type HttpApp } from "../../src/platform/http/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { noTracing } from "../../src/platform/tracing/index.ts";

const lines: Record<string, unknown>[] = [];
const counted: { route: string; status: number }[] = [];
let whenCounted: () => void;
let app: HttpApp;
let url: string;

/** The caller has a part of the reply. */
let whenBegun: () => void;
let isBegun: Promise<void>;

/** Random, so that they stay megabytes when they are compressed and do not fit into the buffers of a socket. */
async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield randomBytes(1_000_000);
}
async function* failing(): AsyncGenerator<Buffer> {
  yield randomBytes(1_000_000);
  await isBegun;
  throw new RangeError("the second part cannot be read");
}

beforeAll(async () => {
  const log = createLog({
    level: "info",
    destination: { write: (line: string) => void lines.push(JSON.parse(line) as never) },
  });
  app = await createHttpApp({
    log,
    trustProxy: [],
    isSecure: false,
    toErrorReply: () => ({ status: 500, headers: {}, body: {} }),
    onReply: ({ route, status }) => {
      counted.push({ route, status });
      whenCounted();
    },
    tracing: noTracing,
    trustsTraceparent: false,
  });
  app.get("/endless", (_request, reply) => reply.send(Readable.from(endless())));
  app.get("/failing", (_request, reply) => reply.send(Readable.from(failing())));
  app.get("/silent", ({ raw }) => {
    raw.socket.destroy();
    return new Promise(() => undefined);
  });
  app.get("/whole", () => ({ whole: true }));
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());
beforeEach(() => {
  lines.length = 0;
  counted.length = 0;
  isBegun = new Promise((resolve) => (whenBegun = resolve));
});

/** Asks, does this with the reply, and waits until the request is counted. */
async function endOf(
  path: string,
  encoding: string,
  act: (reply: IncomingMessage) => void,
): Promise<void> {
  const isCounted = new Promise<void>((resolve) => (whenCounted = resolve));
  get(`${url}${path}`, { headers: { "accept-encoding": encoding } }, act).on(
    "error",
    () => undefined,
  );
  await isCounted;
}

const encodings = ["identity", "gzip"];

test.each(encodings)(
  "a caller that leaves within its reply is logged and counted, %s",
  async (encoding) => {
    await endOf("/endless", encoding, (reply) => reply.once("data", () => reply.destroy()));
    expect(counted).toStrictEqual([{ route: "/endless", status: 499 }]);
    expect(lines).toMatchObject([
      { level: 30, route: "/endless", status: 499, ms: expect.any(Number) },
    ]);
  },
);

test.each(encodings)(
  "so is a reply that the service breaks off, with its cause, %s",
  async (encoding) => {
    await endOf("/failing", encoding, (reply) =>
      reply.on("error", () => undefined).on("data", whenBegun),
    );
    expect(counted).toStrictEqual([{ route: "/failing", status: 500 }]);
    expect(lines.at(-1)).toMatchObject({ level: 30, route: "/failing", status: 500 });
    const msg = "the reply broke off after a part of it was sent";
    const err = expect.objectContaining({ type: "RangeError" });
    expect(lines).toContainEqual(expect.objectContaining({ level: 50, msg, err }));
  },
);

test("so is a caller that leaves before its reply", async () => {
  await endOf("/silent", "identity", () => undefined);
  expect(counted).toStrictEqual([{ route: "/silent", status: 499 }]);
  expect(lines).toMatchObject([{ route: "/silent", status: 499 }]);
});

test("a whole reply is counted once, with its own status", async () => {
  await endOf("/whole", "gzip", (reply) => reply.resume());
  await endOf("/nowhere", "gzip", (reply) => reply.resume());
  expect(counted).toMatchObject([{ status: 200 }, { route: "(none)", status: 404 }]);
});
