import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHarness } from "../support/harness.ts";
import { openSocket } from "../support/raw-http.ts";

const get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function ask(socket: Socket): Promise<string> {
  socket.write(get);
  const [reply] = (await once(socket, "data")) as [Buffer];
  return reply.toString("latin1");
}

test("a request on an open socket is answered when the close has just begun, and one that stays idle is ended", async () => {
  const harness = await createHarness();
  const sockets = [await openSocket(harness.baseUrl), await openSocket(harness.baseUrl)];
  for (const socket of sockets) expect(await ask(socket)).toMatch(/^HTTP\/1.1 200 /);
  const [busy, idle] = sockets as [Socket, Socket];
  const ended = Promise.all(sockets.map((socket) => once(socket, "end")));

  const closed = harness.close();
  await delay(200);
  const reply = await ask(busy);
  expect(reply).toMatch(/^HTTP\/1.1 200 /);
  expect(reply.toLowerCase()).toContain("connection: close");
  expect(idle.readableEnded).toBe(false);
  await ended;
  for (const socket of sockets) socket.destroy();
  await closed;
});

test("behind a proxy, which keeps sockets for its next requests, a silent one is answered seconds later", async () => {
  const harness = await createHarness({ env: { TRUST_PROXY: "127.0.0.1/32" } });
  const pooled = await openSocket(harness.baseUrl);
  expect(await ask(pooled)).toMatch(/^HTTP\/1.1 200 /);
  const closed = harness.close();
  await delay(2_500);
  const reply = await ask(pooled);
  expect(reply).toMatch(/^HTTP\/1.1 200 /);
  expect(reply.toLowerCase()).toContain("connection: close");
  pooled.destroy();
  await closed;
});
