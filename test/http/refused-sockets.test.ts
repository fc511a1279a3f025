import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import { openSocket } from "../support/raw-http.ts";

const host = "Host: localhost\r\n";
const get = `GET /providers HTTP/1.1\r\n${host}`;
const connect = `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`;

/** What Node hands over together with its socket. */
const refused: [name: string, bytes: string][] = [
  ["CONNECT", connect],
  ["CONNECT with bytes behind it", connect + "x".repeat(200_000)],
  ["CONNECT behind a request", `${get}\r\n${connect}`],
  ["what is not HTTP", "HELLO\r\n\r\n"],
  ["what is not HTTP behind a request", `${get}\r\nHELLO\r\n\r\n`],
];
const upgrade = `${get}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

let harness: Harness;
const surprises: unknown[] = [];
const noteSurprise = (error: unknown): void => void surprises.push(error);
/** Those of the service, by the port of the client. */
const sockets = new Map<number, Socket>();

beforeAll(async () => {
  harness = await createHarness();
  process.on("uncaughtException", noteSurprise);
  harness.app.server.on("connection", (socket: Socket) => sockets.set(socket.remotePort!, socket));
});
afterAll(async () => {
  process.off("uncaughtException", noteSurprise);
  await harness.close();
});

test.each([...refused, ["the offer of another protocol", upgrade] as const])(
  "%s, and a reset before or after the answer, ends no process",
  async (_name, bytes) => {
    for (const waitMs of [0, 0, 0, 1, 5, 30, 30, 30]) {
      const socket = await openSocket(harness.baseUrl);
      await new Promise((resolve) => socket.write(bytes, resolve));
      if (waitMs > 0) await delay(waitMs);
      socket.resetAndDestroy();
    }
    await delay(50);
    const { status } = await harness.http.get("/providers");
    expect({ status, surprises: surprises.splice(0) }).toEqual({ status: 200, surprises: [] });
  },
);

test.each(refused)("after %s, a client that never closes is closed", async (_name, bytes) => {
  const client = await openSocket(harness.baseUrl);
  const ended = once(client.resume(), "end");
  client.write(bytes);
  await ended;
  const server = sockets.get(client.localPort!);
  try {
    await expect.poll(() => server?.destroyed).toBe(true);
  } finally {
    client.destroy();
  }
});
