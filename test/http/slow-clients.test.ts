import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import { flawsOfRefusal } from "../support/refusals.ts";
import {
  bulk,
  slowKinds as kinds,
  watchSlowSocket,
  type SlowFate,
} from "../support/slow-sockets.ts";

const boundMs = 15_000;
const socketsPerKind = 10;

let harness: Harness;
let fates: SlowFate[];
let statusesOfOthers: Set<number>;

/** All of them at once: the wait is that of one. */
beforeAll(async () => {
  harness = await createHarness();
  const { token } = await harness.connect();
  const bulkBytes = (await harness.http.get(bulk)).bytes.length;
  const over = new AbortController();
  const running = Object.keys(kinds).flatMap((kind) =>
    Array.from({ length: socketsPerKind }, () =>
      watchSlowSocket(harness.baseUrl, kind, { over: () => over.signal, bulkBytes }),
    ),
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
