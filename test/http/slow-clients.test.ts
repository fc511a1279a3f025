import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import { openSocket } from "../support/raw-http.ts";
import { flawsOfRefusal } from "../support/refusals.ts";

const boundMs = 15_000;
const socketsPerKind = 10;
const host = "Host: localhost\r\n";
const post = `POST /2023-03-01/management/token HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;

type Behaviour = (socket: Socket, signal: AbortSignal) => Promise<void>;

const sends =
  (text: string): Behaviour =>
  async (socket) =>
    void socket.write(text);

/** One byte each half second, for as long as it is let. */
const trickles =
  (start: string, rest: string): Behaviour =>
  async (socket, signal) => {
    socket.write(start);
    for (const byte of rest) {
      await delay(500, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || socket.destroyed) return;
      socket.write(byte);
    }
  };

const bulk = "/docs/try/static/swagger-ui-bundle.js";
const bulkRequests = 20;

/** Asks for more than the buffers of both sides can hold, and reads none of it. */
const neverReads: Behaviour = async (socket) => {
  socket.pause();
  socket.write(`GET ${bulk} HTTP/1.1\r\n${host}\r\n`.repeat(bulkRequests));
};

const kinds: Record<string, { behave: Behaviour; isAnswered: boolean }> = {
  "sends nothing": { behave: async () => undefined, isAnswered: false },
  "sends half its first line": { behave: sends("GET /prov"), isAnswered: true },
  "sends half its headers": {
    behave: sends(`GET /providers HTTP/1.1\r\n${host}X-A: b\r\n`),
    isAnswered: true,
  },
  "sends its headers byte by byte": {
    behave: trickles(`GET /providers HTTP/1.1\r\n${host}`, "X-Slow: ".padEnd(100, "a")),
    isAnswered: true,
  },
  "sends half its body": {
    behave: sends(`${post}Content-Length: 100\r\n\r\n{"code":`),
    isAnswered: true,
  },
  "sends no body": { behave: sends(`${post}Content-Length: 100\r\n\r\n`), isAnswered: true },
  "sends its body byte by byte": {
    behave: trickles(`${post}Content-Length: 100\r\n\r\n`, "{".padEnd(100)),
    isAnswered: true,
  },
  "sends its chunks byte by byte": {
    behave: trickles(`${post}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n{\r\n".repeat(20)),
    isAnswered: true,
  },
  "never reads its answers": { behave: neverReads, isAnswered: false },
};

interface Fate {
  kind: string;
  isGone: boolean;
  received: string;
}

let harness: Harness;
let fates: Fate[];
let statusesOfOthers: Set<number>;
let bulkBytes: number;

/** All of them at once: the wait is that of one. */
beforeAll(async () => {
  harness = await createHarness();
  const { token } = await harness.connect();
  bulkBytes = (await harness.http.get(bulk)).bytes.length;
  const over = new AbortController();
  const running = Object.entries(kinds).flatMap(([kind, { behave }]) =>
    Array.from({ length: socketsPerKind }, () => watch(kind, behave, over.signal)),
  );
  statusesOfOthers = new Set();
  const stopAt = performance.now() + boundMs;
  const settled = Promise.all(running).then(() => true);
  while (performance.now() < stopAt && !(await Promise.race([settled, delay(100, false)]))) {
    const replies = await Promise.all([
      harness.http.get("/providers"),
      harness.http.get("/2023-03-01/xhr/identity", { bearer: token }),
    ]);
    for (const { status } of replies) statusesOfOthers.add(status);
  }
  over.abort();
  fates = await Promise.all(running);
}, 60_000);
afterAll(() => harness.close());

async function watch(kind: string, behave: Behaviour, over: AbortSignal): Promise<Fate> {
  const socket = await openSocket(harness.baseUrl);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  const gone = Promise.race([once(socket, "end"), once(socket, "close")]).then(() => true);
  void behave(socket, over);
  const isGone = await Promise.race([
    gone,
    untilOver(over).then(() => (socket.isPaused() ? wasCutOff(socket, gone) : false)),
  ]);
  socket.destroy();
  return { kind, isGone, received: Buffer.concat(chunks).toString("latin1") };
}

async function untilOver(over: AbortSignal): Promise<void> {
  if (!over.aborted) await once(over, "abort");
}

/** Who does not read does not see the end. When reading at last, what was in the buffers comes and then the end, or else all that was asked for. */
async function wasCutOff(socket: Socket, gone: Promise<boolean>): Promise<boolean> {
  const whole = bulkBytes * bulkRequests;
  const all = new Promise<boolean>((resolve) => {
    let count = 0;
    socket.on("data", (chunk: Buffer) => {
      count += chunk.length;
      if (count >= whole) resolve(false);
    });
  });
  socket.resume();
  return await Promise.race([gone, all]);
}

test.each(Object.keys(kinds))("a client that %s is gone within 15 seconds", (kind) => {
  const ofKind = fates.filter((fate) => fate.kind === kind);
  expect(ofKind).toHaveLength(socketsPerKind);
  expect(ofKind.filter(({ isGone }) => !isGone)).toHaveLength(0);
});

test.each(Object.keys(kinds).filter((kind) => kinds[kind]?.isAnswered))(
  "a client that %s is told so with a 408 of ours",
  (kind) => {
    for (const { received } of fates.filter((fate) => fate.kind === kind)) {
      const [head = "", body] = received.split("\r\n\r\n");
      const [statusLine = "", ...lines] = head.split("\r\n");
      const headers = Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(":")).toLowerCase(),
          line.slice(line.indexOf(":") + 2),
        ]),
      );
      expect(statusLine).toMatch(/^HTTP\/1\.1 408 /);
      expect(flawsOfRefusal({ status: 408, headers, body: Buffer.from(body ?? "") })).toEqual([]);
    }
  },
);

test("nobody else sees anything of them", () => {
  expect([...statusesOfOthers]).toEqual([200]);
});
