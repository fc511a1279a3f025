import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../../packages/client-typescript/src/commands.ts";
import { memorySeen, receiveWebhook } from "../../../packages/client-typescript/src/index.ts";
import { Receiver } from "../../support/receiver.ts";

const secret = "rc_cs_dev_secret";
const event = (id: string) => ({
  id,
  type: "connection.ended",
  timestamp: "2026-11-26T10:00:00.000Z",
  data: {
    token: `token of ${id}`,
    provider: "sandbox",
    mode: "xhr",
    reference: id === "new-1" ? "customer-17" : null,
    by: "end_user",
  },
});
/** By the cursor that is asked for, a page of events. */
const pages: Record<string, object> = {
  "": { events: [event("old-1")], after: "c1", more: true },
  c1: { events: [event("old-2")], after: "c2", more: false },
  c2: { events: [event("new-1"), event("new-2")], after: "c3", more: false },
};

let service: Server;
let receiver: Receiver;
let answerEvents: (after: string, response: ServerResponse) => void;
let answerDeliveries: (response: ServerResponse) => void;
beforeEach(async () => {
  answerDeliveries = (response) => void response.end("[]");
  receiver = await Receiver.start();
  service = createServer(answer).listen(0, "127.0.0.1");
  await once(service, "listening");
});
afterEach(async () => {
  service.close();
  await receiver.close();
});

function answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, "http://service.test");
  if (pathname.endsWith("/events")) answerEvents(searchParams.get("after") ?? "", response);
  else answerDeliveries(response);
}

async function listen(...more: string[]) {
  const { port } = service.address() as AddressInfo;
  const env = {
    ROLLCALL_URL: `http://127.0.0.1:${port}`,
    ROLLCALL_CLIENT_ID: "client",
    ROLLCALL_CLIENT_SECRET: secret,
  };
  const ending = new AbortController();
  const said: string[] = [];
  const print = (line: string): void => void said.push(line);
  const args = ["listen", "--forward-to", receiver.url, "--every", "1", ...more];
  const ended = main(args, { env, print, note: print, signal: ending.signal });
  return { said, ended, end: () => ending.abort() };
}

test("events are brought to this machine as the service signs them, and those of before are not", async () => {
  answerEvents = (after, response) => void response.end(JSON.stringify(pages[after]));
  const { ended } = await listen("--count", "2");
  expect(await ended).toBe(0);
  const taken: unknown[] = [];
  for (const { headers, bytes: body } of receiver.received) {
    const options = { secret, seen: memorySeen() };
    await receiveWebhook({ headers, body }, options, (one) => taken.push(one));
  }
  const references = receiver.received.map(({ headers }) => headers["x-service-api-reference"]);
  expect(references).toEqual(["customer-17", undefined]);
  expect(taken).toEqual(
    ["new-1", "new-2"].map((id) => ({ ...event(id), token: `token of ${id}` })),
  );
});

test("a service without events is listened to for its webhooks, until the signal", async () => {
  const isAsked = Promise.withResolvers<void>();
  answerEvents = (_after, response) => {
    response.writeHead(404).end("{}");
    isAsked.resolve();
  };
  const { said, ended, end } = await listen();
  await isAsked.promise;
  await expect.poll(() => said.join()).toContain("Forwarding");
  end();
  expect(await ended).toBe(0);
});

test("a rate limit, whose window is five minutes, is waited out", async () => {
  const isRefused = Promise.withResolvers<void>();
  answerEvents = (_after, response) => void response.writeHead(404).end("{}");
  answerDeliveries = (response) => {
    response.writeHead(429, { "retry-after": "290" }).end('{ "message": "Too many requests." }');
    isRefused.resolve();
  };
  const { ended, end } = await listen();
  await isRefused.promise;
  const outcome = await Promise.race([ended, delay(500, "goes on")]);
  end();
  expect([outcome, await ended]).toEqual(["goes on", 0]);
});

test("a refusal of the service ends it, in the words of the service", async () => {
  answerEvents = (_after, response) => {
    const challenge = { "www-authenticate": "Basic" };
    response.writeHead(401, challenge).end('{ "message": "Who are you?" }');
  };
  const { said, ended } = await listen();
  expect(await ended).toBe(1);
  expect(said.at(-1)).toBe("Rollcall answered 401: Who are you?");
});
