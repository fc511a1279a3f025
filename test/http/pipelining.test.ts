import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
let request: string;
beforeAll(async () => {
  harness = await createHarness();
  const { token } = await harness.connect();
  request = `GET /2023-03-01/management/introspect HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`;
});
afterAll(() => harness.close());

/** How many answers come to so many requests that are sent at once, until the socket ends or is silent. */
async function countAnswers(requests: number): Promise<number> {
  const { hostname, port } = new URL(harness.baseUrl);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  socket.write(request.repeat(requests - 1));
  socket.write(request.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"));
  await new Promise((resolve) => socket.once("close", resolve));
  return received.split("HTTP/1.1 200 ").length - 1;
}

test("many requests of one socket are answered, each in its turn", async () => {
  expect(await countAnswers(500)).toBe(500);
});

test("while thousands wait, a socket with many of them is closed, and others are answered", async () => {
  const other = await harness.services.pool.connect();
  await other.query("begin");
  await other.query("lock table tokens in access exclusive mode");
  expect(await countAnswers(5_000)).toBe(0);
  await other.query("commit");
  other.release();
  expect(await countAnswers(500)).toBe(500);
});
