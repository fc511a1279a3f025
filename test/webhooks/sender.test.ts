import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AddressPolicy, createGuardedAgent } from "../../src/platform/outbound/index.ts";
import { postWebhook } from "../../src/webhooks/post-webhook.ts";
import { answers, Receiver, type Answer } from "../support/receiver.ts";
import {
  createWebhookHarness,
  people,
  type Company,
  type WebhookHarness,
} from "../support/webhook-harness.ts";
import { stageReceiver } from "../support/webhook-stage.ts";

const now = () => new Date("2026-03-02T10:00:00Z");
const body = Buffer.from('{"added":[],"removed":[],"updated":[]}');

const receiver = await stageReceiver();
let agent: ReturnType<typeof createGuardedAgent>;
beforeEach(() => {
  agent = createGuardedAgent({
    policy: new AddressPolicy(["127.0.0.0/8"]),
    connectTimeoutMs: 5_000,
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await agent.destroy();
});

const trickle =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status);
    const timer = setInterval(() => response.write("x"), 5);
    response.once("close", () => clearInterval(timer));
  };

const post = (url = receiver.url) => postWebhook(agent, { url, headers: {}, body }, now);

const sendersLimits = new Set([20_000, 2_000]);

/** With the limit that is to be reached shortened. */
async function postInHaste(
  answer: Answer,
  shortened: number,
): Promise<{ result: unknown; limits: unknown[] }> {
  receiver.answer = answer;
  const limits: number[] = [];
  const real = globalThis.setTimeout;
  const spy = vi.spyOn(globalThis, "setTimeout");
  spy.mockImplementation(((work: () => void, ms: number) => {
    if (!sendersLimits.has(ms)) return real(work, ms);
    limits.push(ms);
    return real(work, ms === shortened ? 60 : ms);
  }) as typeof setTimeout);
  const result = await post();
  return { result, limits };
}

describe("time is bounded", () => {
  test("no answer at all ends after 20 seconds", async () => {
    expect(await postInHaste(answers.silence, 20_000)).toEqual({
      result: { status: null, reason: "timeout", retryAfterSeconds: undefined },
      limits: [20_000],
    });
  });

  test.each([
    [200, "ok", undefined],
    [410, "gone", expect.any(Buffer)],
    [503, "status", expect.any(Buffer)],
  ])("a %i counts, though the end of its body never comes", async (status, reason, reply) => {
    expect(await postInHaste(trickle(status), 2_000)).toEqual({
      result: { status, reason, retryAfterSeconds: undefined, reply },
      limits: [20_000, 2_000],
    });
  });
});

describe("bytes are bounded", () => {
  test("of an answer without end little is read, and its status counts", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<number>();
    receiver.answer = (response, request) => {
      const { socket } = request;
      response.once("close", () => resolve(socket.bytesWritten));
      return answers.endless(200)(response, request);
    };
    expect(await post()).toEqual({ status: 200, reason: "ok", retryAfterSeconds: undefined });
    // What the operating system takes on behalf of a reader who has gone is a few megabytes at most.
    expect(await closed).toBeLessThan(16 * 1024 * 1024);
  });

  test("headers without end are no answer", async () => {
    receiver.answer = (response: ServerResponse) => {
      response.socket?.write("HTTP/1.1 200 OK\r\n");
      for (let line = 0; line < 5_000; line += 1)
        response.socket?.write(`x-${line}: ${"y".repeat(100)}\r\n`);
      response.socket?.write("\r\n");
    };
    expect(await post()).toMatchObject({ status: null, reason: "connection_failed" });
  });

  test("a long answer to one attempt does not spoil the next one", async () => {
    receiver.answerNext(answers.endless(500));
    expect([await post(), await post()]).toMatchObject([{ status: 500 }, { status: 204 }]);
  });
});

describe("what an attempt comes to", () => {
  test.each([
    ["a port where nobody listens", "http://127.0.0.1:9/", "connection_failed"],
    ["a name that does not exist", "https://nowhere.invalid/", "unresolvable"],
    ["https where http is spoken", "", "tls"],
    ["http to an address that nobody named", "http://10.0.0.1/", "refused_target"],
  ])("%s", async (_case, url, reason) => {
    expect(await post(url || receiver.url.replace("http:", "https:"))).toEqual({
      status: null,
      reason,
      retryAfterSeconds: undefined,
    });
  });

  test("an answer that comes before the body was read is taken", async () => {
    const server = createServer(
      (_request, response) => void response.writeHead(204, { connection: "close" }).end(),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    expect(await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toMatchObject(
      { reason: "ok" },
    );
    server.close();
  });
});

describe("a delivery through the service", () => {
  let harness: WebhookHarness;
  beforeAll(async () => {
    harness = await createWebhookHarness({ env: { OUTBOUND_ALLOW_WEBHOOKS: "127.0.0.1/32:*" } });
  });
  afterAll(() => harness.close());

  async function newsAt(url: string): Promise<Company> {
    const company = await harness.watchCompany(people(2), url);
    company.people = people(3);
    await harness.pollNextHour();
    return company;
  }

  test.each([
    "http://127.0.0.2:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "https://[::1]:PORT/",
  ])("to %s, which the operator did not name, is refused and tried again", async (pattern) => {
    const company = await newsAt(pattern.replace("PORT", String(receiver.port)));
    const [delivery] = await harness.deliveriesOf(company.client.clientId);
    expect(delivery).toMatchObject({ status: "pending", lastStatus: null });
    expect(await harness.services.webhooks.lists.attempts(delivery!.id)).toMatchObject([
      { reason: "refused_target" },
    ]);
    expect(receiver.connections).toBe(0);
  });

  test("that is redirected goes nowhere else", async () => {
    const elsewhere = await Receiver.start();
    receiver.answer = answers.status(307, { location: elsewhere.url });
    const company = await newsAt(receiver.url);
    expect(await harness.deliveriesOf(company.client.clientId)).toMatchObject([
      { status: "pending", lastStatus: 307 },
    ]);
    expect(elsewhere.connections).toBe(0);
    await elsewhere.close();
  });
});
