import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addSeconds, type Clock } from "../../src/platform/clock.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { ProviderHttpOptions } from "../../src/platform/outbound/create-provider-http.ts";
import {
  AddressPolicy,
  createGuardedAgent,
  createProviderHttp,
  defaultAnswerLimits,
  HttpRateLimited,
  HttpServerError,
  HttpTimeout,
  HttpTooLarge,
  HttpUnreachable,
  type ProviderHttp,
  TargetRefused,
} from "../../src/platform/outbound/index.ts";

const NOW = new Date("2031-05-06T07:08:09Z");

const opened: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()));
});

/** Sleeping takes no time and is written down. */
function fakeClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  return { slept, now: () => NOW, sleep: async (ms) => void slept.push(ms) };
}

function client(options: Partial<ProviderHttpOptions> & { origins: string[] }): ProviderHttp {
  const agent = createGuardedAgent({ policy: new AddressPolicy(["127.0.0.0/8"]) });
  opened.push(() => agent.destroy());
  return createProviderHttp({ agent, clock: fakeClock(), random: systemRandom, ...options });
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(() => new Promise((done) => server.close(done)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const replyLimit = (replyBytes: number) => ({ ...defaultAnswerLimits, replyBytes });

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Serves the answers in turn, the last one from then on, and keeps what was asked. */
async function serve(
  ...answers: Answer[]
): Promise<{ origin: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)]!;
    requests.push(request);
    answer(request, response);
  });
  opened.push(() => server.closeAllConnections());
  return { origin: await listen(server), requests };
}

const answering =
  (
    status: number,
    headers: Record<string, string | string[]> = {},
    body: string | Buffer = "",
  ): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

/** Echoes what arrived: method, path, headers and body. */
const echo: Answer = async (request, response) => {
  const { method, url, headers } = request;
  response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
};

const resetting: Answer = (request) => request.socket.resetAndDestroy();
const silent: Answer = () => {};
const dripping: Answer = (_, response) => response.writeHead(200).write("{");
const breakingOff: Answer = (request, response) =>
  response.writeHead(200, { "content-length": 100 }).write("half", () => request.socket.destroy());

const inSeconds = (seconds: number): string =>
  new Date(NOW.getTime() + seconds * 1_000).toUTCString();

describe("a request", () => {
  it("sends method, query, headers and JSON, and reads the whole answer", async () => {
    const { origin } = await serve(echo);
    const http = client({ origins: [origin] });
    const query = { page: 2, all: true, name: "Zoë & co", none: undefined, tag: ["a", "b"] };
    const response = await http.request({
      method: "POST",
      url: `${origin}/a?x=1`,
      query,
      headers: { "X-Key": "k" },
      json: { a: [1] },
    });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({
      method: "POST",
      url: "/a?x=1&page=2&all=true&name=Zo%C3%AB+%26+co&tag=a&tag=b",
      headers: {
        "x-key": "k",
        "content-type": "application/json",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "rollcall",
      },
      body: '{"a":[1]}',
    });
    expect(Buffer.from(response.bytes).toString()).toBe(response.text());
  });

  it("sends forms and raw bodies", async () => {
    const { origin } = await serve(echo);
    const http = client({ origins: [origin] });
    const form = await http.request({
      method: "POST",
      url: origin,
      form: { login: "a b", password: "ü&=" },
    });
    expect(form.json()).toMatchObject({
      body: "login=a+b&password=%C3%BC%26%3D",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const raw = await http.request({
      method: "PUT",
      url: origin,
      headers: { "content-type": "text/xml" },
      body: "<a/>",
    });
    expect(raw.json()).toMatchObject({
      method: "PUT",
      body: "<a/>",
      headers: { "content-type": "text/xml" },
    });
  });

  it("is refused when it is put together wrongly", async () => {
    const { origin, requests } = await serve(echo);
    const http = client({ origins: [origin] });
    await expect(
      http.request({ method: "POST", url: origin, json: {}, body: "x" }),
    ).rejects.toThrow(TypeError);
    await expect(http.request({ url: origin, headers: { Host: "other.example" } })).rejects.toThrow(
      TypeError,
    );
    await expect(http.request({ url: origin, headers: { cookie: "a=b" } })).rejects.toThrow(
      TypeError,
    );
    await expect(http.request({ url: origin, headers: { "x-key": "a\r\nb: c" } })).rejects.toThrow(
      TypeError,
    );
    expect(requests).toEqual([]);
  });

  it.each([200, 204, 304, 400, 401, 403, 404, 409, 422])(
    "returns a %i to the adapter",
    async (status) => {
      const { origin, requests } = await serve(answering(status, { "x-seen": "yes" }));
      const response = await client({ origins: [origin] }).request({ url: origin });
      expect([response.status, response.headers["x-seen"], requests.length]).toEqual([
        status,
        "yes",
        1,
      ]);
    },
  );

  it("does not follow a redirect", async () => {
    const canary = await serve(echo);
    const { origin, requests } = await serve(
      answering(303, { location: `${canary.origin}/inside` }),
    );
    const response = await client({ origins: [origin, canary.origin] }).request({
      url: origin,
      redirect: "manual",
    });
    expect([response.status, response.headers["location"]]).toEqual([
      303,
      `${canary.origin}/inside`,
    ]);
    expect([requests.length, canary.requests.length]).toEqual([1, 0]);
  });
});

describe("the allowed origins", () => {
  it("are the only ones asked", async () => {
    const { origin } = await serve(echo);
    const other = await serve(echo);
    const http = client({ origins: [`${origin}/web/login?db=x`] });
    expect((await http.request({ url: `${origin}/elsewhere` })).status).toBe(200);
    const strangers = [
      other.origin,
      origin.replace("http:", "https:"),
      origin.replace("127.0.0.1", "localhost"),
      `${origin}0`,
    ];
    for (const url of strangers) await expect(http.request({ url })).rejects.toThrow(TargetRefused);
    expect(other.requests).toEqual([]);
  });

  it.each([
    "not a url",
    "//host/path",
    "ftp://host/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "https://user:secret@host/",
    "http://[fe80::1%25eth0]/",
  ])("cannot be %s, nor can a request go there", async (url) => {
    expect(() => client({ origins: [url] })).toThrow(TargetRefused);
    await expect(client({ origins: ["https://host"] }).request({ url })).rejects.toThrow(
      TargetRefused,
    );
  });

  it("do not open an address that the policy refuses, nor plain http", async () => {
    const { origin, requests } = await serve(echo);
    const agent = createGuardedAgent({
      policy: new AddressPolicy(),
      resolve: async () => ["93.184.216.34"],
    });
    opened.push(() => agent.destroy());
    const clock = fakeClock();
    const http = client({ agent, clock, origins: [origin, "http://public.example"] });
    await expect(http.request({ url: origin })).rejects.toThrow(TargetRefused);
    await expect(http.request({ url: "http://public.example/" })).rejects.toThrow(
      "https is required",
    );
    expect([requests, clock.slept]).toEqual([[], []]);
  });
});

describe("the size cap", () => {
  const cap = 64 * 1024;
  const payload = JSON.stringify({ names: "äöü".repeat(1_000) });
  const encoders: [name: string, encode: (data: string | Buffer) => Buffer][] = [
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
    ["identity", Buffer.from],
  ];

  it.each(encoders)("lets an ordinary %s body through", async (encoding, encode) => {
    const { origin } = await serve(
      answering(200, { "content-encoding": encoding }, encode(payload)),
    );
    expect(
      (
        await client({ origins: [origin], limits: replyLimit(cap) }).request({ url: origin })
      ).text(),
    ).toBe(payload);
  });

  it.each(encoders)("stops a %s body that expands beyond it", async (encoding, encode) => {
    const bomb = encode(Buffer.alloc(20 * 1024 * 1024));
    const { origin, requests } = await serve(
      answering(200, { "content-encoding": encoding }, bomb),
    );
    await expect(
      client({ origins: [origin], limits: replyLimit(cap) }).request({ url: origin }),
    ).rejects.toThrow(HttpTooLarge);
    expect(requests.length).toBe(1);
  });

  it("holds exactly", async () => {
    const { origin } = await serve(
      answering(200, {}, "x".repeat(cap)),
      answering(200, {}, "x".repeat(cap + 1)),
    );
    const http = client({ origins: [origin], limits: replyLimit(cap) });
    expect((await http.request({ url: origin })).bytes.length).toBe(cap);
    await expect(http.request({ url: origin })).rejects.toThrow(HttpTooLarge);
  });

  it("ends a body that never does", async () => {
    const { origin } = await serve((_, response) => {
      const more = (): void =>
        void (
          response.writableEnded ||
          response.destroyed ||
          response.write(Buffer.alloc(16_384), more)
        );
      more();
    });
    await expect(
      client({ origins: [origin], limits: replyLimit(cap) }).request({ url: origin }),
    ).rejects.toThrow(HttpTooLarge);
  });

  it("reads an empty body whatever encoding it names", async () => {
    const { origin } = await serve(answering(200, { "content-encoding": "gzip" }));
    expect((await client({ origins: [origin] }).request({ url: origin })).bytes.length).toBe(0);
    expect(
      (await client({ origins: [origin] }).request({ method: "HEAD", url: origin })).bytes.length,
    ).toBe(0);
  });

  it.each([
    ["cut short", "gzip", gzipSync(payload).subarray(0, 40)],
    ["not compressed", "br", Buffer.from(payload)],
    ["unknown", "zstd", Buffer.from(payload)],
  ])("refuses a body whose encoding is %s", async (_case, encoding, body) => {
    const { origin } = await serve(answering(200, { "content-encoding": encoding }, body));
    await expect(client({ origins: [origin] }).request({ url: origin })).rejects.toThrow(
      HttpServerError,
    );
  });
});

describe("time", () => {
  it.each([
    ["an answer", silent],
    ["the rest of a body", dripping],
  ])(
    "limits the wait for %s, and a request that ran out of it is not repeated",
    async (_case, answer) => {
      const { origin, requests } = await serve(answer);
      await expect(
        client({ origins: [origin] }).request({ url: origin, timeoutMs: 50 }),
      ).rejects.toThrow(HttpTimeout);
      expect(requests.length).toBe(1);
    },
  );

  it("limits retries and their waits together", async () => {
    const { origin, requests } = await serve(answering(503));
    const clock: Clock = { now: () => NOW, sleep: () => new Promise(() => {}) };
    await expect(
      client({ origins: [origin], clock, timeoutMs: 50 }).request({ url: origin }),
    ).rejects.toThrow(HttpTimeout);
    expect(requests.length).toBe(1);
  });

  it("closes the connection of a request that ran out of it", async () => {
    const { origin, requests } = await serve(dripping);
    await expect(
      client({ origins: [origin] }).request({ url: origin, timeoutMs: 50 }),
    ).rejects.toThrow(HttpTimeout);
    const { socket } = requests[0]!;
    if (!socket.destroyed) await once(socket, "close");
    expect(socket.destroyed).toBe(true);
  });

  it("allows no retry once the request has ended", async () => {
    const { origin, requests } = await serve(answering(503));
    const controller = new AbortController();
    const nap = Promise.withResolvers<void>();
    const sleep = (): Promise<void> => {
      controller.abort();
      return nap.promise;
    };
    const http = client({
      origins: [origin],
      signal: controller.signal,
      clock: { now: () => NOW, sleep },
    });
    await expect(http.request({ url: origin })).rejects.toThrow("aborted");
    nap.resolve();
    await client({ origins: [origin] })
      .request({ url: `${origin}/after`, isIdempotent: false })
      .catch(() => undefined);
    expect(requests.map(({ url }) => url)).toEqual(["/", "/after"]);
  });

  it("ends with the reason of the signal, wherever the request is", async () => {
    const reason = new Error("the worker stops");
    const controllers: AbortController[] = [];
    const start = async (answer: Answer, clock?: Clock): Promise<unknown> => {
      const controller = new AbortController();
      controllers.push(controller);
      const { origin } = await serve((request, response) => {
        answer(request, response);
        setImmediate(() => controller.abort(reason));
      });
      return client({
        origins: [origin],
        signal: controller.signal,
        ...(clock && { clock }),
      }).request({ url: origin });
    };
    await expect(start(silent)).rejects.toBe(reason);
    await expect(start(dripping)).rejects.toBe(reason);
    await expect(
      start(answering(503), { now: () => NOW, sleep: () => new Promise(() => {}) }),
    ).rejects.toBe(reason);
  });

  it("ends with the reason of the signal while the name is being resolved", async () => {
    const reason = new Error("the worker stops");
    const controller = new AbortController();
    const agent = createGuardedAgent({
      policy: new AddressPolicy(),
      resolve: () => {
        controller.abort(reason);
        return new Promise(() => {});
      },
    });
    opened.push(() => agent.destroy());
    const http = client({ agent, origins: ["https://slow.example"], signal: controller.signal });
    await expect(http.request({ url: "https://slow.example/" })).rejects.toBe(reason);
    await expect(http.request({ url: "https://slow.example/" })).rejects.toBe(reason);
  });
});

describe("the cookie jar", () => {
  it("keeps and sends cookies, and survives a round trip through a string", async () => {
    const { origin, requests } = await serve(
      answering(200, {
        "set-cookie": [
          "session_id=abc; Path=/; HttpOnly; Max-Age=604800",
          "lang=de",
          "deep=1; Path=/deep",
          "alien=1; Domain=other.example",
        ],
      }),
      answering(200, { "set-cookie": "session_id=rotated; Path=/" }),
      echo,
    );
    const first = client({ origins: [origin] });
    await first.request({ url: `${origin}/login` });
    const second = client({ origins: [origin], cookies: first.exportCookies() });
    const response = await second.request({ url: `${origin}/deep/page` });
    expect(response.headers).not.toHaveProperty("set-cookie");
    expect(requests[1]!.headers.cookie!.split("; ").sort()).toEqual([
      "deep=1",
      "lang=de",
      "session_id=abc",
    ]);
    const third = client({ origins: [origin], cookies: second.exportCookies() });
    expect(
      ((await third.request({ url: origin })).json() as { headers: { cookie: string } }).headers
        .cookie,
    ).toContain("session_id=rotated");
  });

  describe.each([
    ["the machine's clock is right", 0],
    ["it is an hour ahead", 3_600],
    ["it is an hour behind", -3_600],
    ["it is years behind", -1e8],
  ])("drops what has expired by the given clock, though %s", (_name, aheadSeconds) => {
    const passed = (seconds: number): Clock => ({
      ...fakeClock(),
      now: () => addSeconds(NOW, seconds),
    });
    const setMachine = (seconds: number): void => {
      vi.useFakeTimers({ toFake: ["Date"], now: addSeconds(NOW, seconds) });
    };
    afterEach(() => vi.useRealTimers());

    it.each([
      ["Max-Age", "Max-Age=1800"],
      ["Expires", `Expires=${addSeconds(NOW, 1_800).toUTCString()}`],
    ])("by its %s", async (_attribute, attribute) => {
      const { origin, requests } = await serve(
        answering(200, { "set-cookie": `session_id=abc; Path=/; ${attribute}` }),
        echo,
      );
      setMachine(0);
      const first = client({ origins: [origin], clock: passed(0) });
      await first.request({ url: origin });
      let cookies = first.exportCookies();
      for (const [seconds, sent] of [
        [1, "session_id=abc"],
        [1_799, "session_id=abc"],
        [1_800, undefined],
        [1, undefined],
      ] as const) {
        setMachine(seconds + aheadSeconds);
        const next = client({ origins: [origin], cookies, clock: passed(seconds) });
        await next.request({ url: origin });
        cookies = next.exportCookies();
        expect([seconds, requests.at(-1)?.headers.cookie]).toEqual([seconds, sent]);
      }
      expect(cookies).not.toContain("abc");
    });

    it("keeps no moment of the machine's", async () => {
      const { origin } = await serve(
        answering(200, { "set-cookie": ["a=1", "b=2; Max-Age=1800", "c=3; Max-Age=1e400"] }),
        echo,
      );
      setMachine(aheadSeconds);
      const http = client({ origins: [origin], clock: passed(0) });
      for (let count = 0; count < 2; count += 1) await http.request({ url: origin });
      const moments = http.exportCookies().match(/\d{4}-\d{2}-\d{2}T[^"]*/g) ?? [];
      expect(new Set(moments)).toEqual(
        new Set([NOW.toISOString(), addSeconds(NOW, 1_800).toISOString()]),
      );
    });
  });

  it("counts the life of a cookie from an earlier version from its last use", async () => {
    const { origin, requests } = await serve(echo);
    const cookie = { key: "a", value: "1", domain: "127.0.0.1", path: "/", hostOnly: true };
    const times = {
      creation: "2031-05-06T06:00:00.000Z",
      lastAccessed: "2031-05-06T07:00:00.000Z",
    };
    for (const [maxAge, sent] of [
      [490, "a=1"],
      [489, undefined],
      [-1, undefined],
      [1e300, "a=1"],
      ["Infinity", "a=1"],
    ] as const) {
      const cookies = JSON.stringify({
        version: "tough-cookie@6.1.0",
        cookies: [{ ...cookie, ...times, maxAge }],
      });
      await client({ origins: [origin], cookies }).request({ url: origin });
      expect([maxAge, requests.at(-1)?.headers.cookie]).toEqual([maxAge, sent]);
    }
  });

  it("keeps the cookies of a refusal too, and of each host apart", async () => {
    const { origin } = await serve(answering(500, { "set-cookie": "seen=1" }), echo);
    const named = origin.replace("127.0.0.1", "localhost");
    const agent = createGuardedAgent({
      policy: new AddressPolicy(["127.0.0.0/8"]),
      resolve: async () => ["127.0.0.1"],
    });
    opened.push(() => agent.destroy());
    const http = client({ agent, origins: [origin, named] });
    await expect(http.request({ url: origin })).rejects.toThrow(HttpServerError);
    expect((await http.request({ url: origin })).json()).toMatchObject({
      headers: { cookie: "seen=1" },
    });
    expect(
      ((await http.request({ url: named })).json() as { headers: object }).headers,
    ).not.toHaveProperty("cookie");
  });

  it.each(["", "null", "{}", '{"cookies":', '{"cookies":"secret-cookie"}', "secret-cookie"])(
    "refuses to be restored from %j, without quoting it",
    (cookies) => {
      expect(() => client({ origins: ["https://host"], cookies })).toThrow(
        new TypeError("The saved cookies do not come from an earlier export."),
      );
    },
  );
});

describe("retries", () => {
  it.each([502, 503, 504])(
    "repeat an idempotent request after %i, at most twice, with growing jittered waits",
    async (status) => {
      const { origin, requests } = await serve(
        answering(status),
        answering(status),
        answering(200),
      );
      const clock = fakeClock();
      expect((await client({ origins: [origin], clock }).request({ url: origin })).status).toBe(
        200,
      );
      expect(requests.length).toBe(3);
      const [first = 0, second = 0] = clock.slept;
      expect([
        first >= 250 && first <= 500,
        second >= 500 && second <= 1_000,
        clock.slept.length,
      ]).toEqual([true, true, 2]);
    },
  );

  it.each([502, 503, 504])("end with HttpServerError when %i stays", async (status) => {
    const { origin, requests } = await serve(answering(status));
    await expect(
      client({ origins: [origin] }).request({ method: "HEAD", url: origin }),
    ).rejects.toMatchObject({ name: "HttpServerError", status });
    expect(requests.length).toBe(3);
  });

  it.each([500, 501, 505, 599])("do not happen after %i", async (status) => {
    const { origin, requests } = await serve(answering(status));
    await expect(client({ origins: [origin] }).request({ url: origin })).rejects.toMatchObject({
      name: "HttpServerError",
      status,
    });
    expect(requests.length).toBe(1);
  });

  it("repeat after a lost connection, also in the middle of a body", async () => {
    const { origin, requests } = await serve(resetting, breakingOff, answering(200, {}, "whole"));
    expect((await client({ origins: [origin] }).request({ url: origin })).text()).toBe("whole");
    expect(requests.length).toBe(3);
  });

  it("end with HttpUnreachable when nothing listens", async () => {
    const server = createTcpServer();
    const origin = await listen(server);
    server.close();
    const clock = fakeClock();
    await expect(
      client({ origins: [origin], clock }).request({ url: origin }),
    ).rejects.toMatchObject({ name: "HttpUnreachable", code: "ECONNREFUSED" });
    expect(clock.slept.length).toBe(2);
  });

  it("are not for other methods unless the caller says so", async () => {
    for (const answer of [
      resetting,
      answering(503),
      answering(503, { "retry-after": "1" }),
      answering(429, { "retry-after": "1" }),
    ]) {
      const { origin, requests } = await serve(answer);
      const clock = fakeClock();
      await expect(
        client({ origins: [origin], clock }).request({ method: "POST", url: origin, json: {} }),
      ).rejects.toThrow(Error);
      expect([requests.length, clock.slept]).toEqual([1, []]);
    }
    const { origin, requests } = await serve(answering(503), echo);
    const response = await client({ origins: [origin] }).request({
      method: "POST",
      url: origin,
      json: { again: 1 },
      isIdempotent: true,
    });
    expect([requests.length, response.json()]).toEqual([
      2,
      expect.objectContaining({ body: '{"again":1}' }),
    ]);
  });

  it("can be switched off for a GET", async () => {
    const { origin, requests } = await serve(answering(503));
    await expect(
      client({ origins: [origin] }).request({ url: origin, isIdempotent: false }),
    ).rejects.toThrow(HttpServerError);
    expect(requests.length).toBe(1);
  });
});

describe("Retry-After", () => {
  it.each([
    ["seconds", "3", 3_000],
    ["zero", "0", 0],
    ["a date", inSeconds(4), 4_000],
    ["a date gone by", inSeconds(-90), 0],
    ["the longest wait", "5", 5_000],
  ])("is waited for when short: %s", async (_case, value, waitMs) => {
    for (const status of [429, 503]) {
      const { origin } = await serve(answering(status, { "retry-after": value }), answering(200));
      const clock = fakeClock();
      expect((await client({ origins: [origin], clock }).request({ url: origin })).status).toBe(
        200,
      );
      expect(clock.slept).toEqual([waitMs]);
    }
  });

  it.each([
    ["seconds", "6", 6],
    ["many seconds", "86400", 86_400],
    ["a date", inSeconds(3_600), 3_600],
    ["an old form of date", "Tuesday, 06-May-31 07:09:09 GMT", 60],
    ["without end, of which a year is enough", "99999999999999", 31_536_000],
  ])("is raised when long: %s", async (_case, value, afterSeconds) => {
    for (const status of [429, 503]) {
      const { origin, requests } = await serve(answering(status, { "retry-after": value }));
      await expect(client({ origins: [origin] }).request({ url: origin })).rejects.toMatchObject({
        name: "HttpRateLimited",
        status,
        afterSeconds,
      });
      expect(requests.length).toBe(1);
    }
  });

  it("is raised when the server keeps asking for a short wait", async () => {
    const { origin, requests } = await serve(answering(429, { "retry-after": "2" }));
    await expect(client({ origins: [origin] }).request({ url: origin })).rejects.toMatchObject({
      name: "HttpRateLimited",
      afterSeconds: 2,
    });
    expect(requests.length).toBe(3);
  });

  it.each(["soon", "-5", "1.5", ""])("counts as absent when it is %j", async (value) => {
    const limited = await serve(answering(429, { "retry-after": value }));
    await expect(
      client({ origins: [limited.origin] }).request({ url: limited.origin }),
    ).rejects.toMatchObject({ name: "HttpRateLimited", afterSeconds: 60 });
    const down = await serve(answering(503, { "retry-after": value }));
    await expect(client({ origins: [down.origin] }).request({ url: down.origin })).rejects.toThrow(
      HttpServerError,
    );
    expect([limited.requests.length, down.requests.length]).toEqual([1, 3]);
  });
});

describe("errors and logs", () => {
  const MARKER = "mArKeR7f3a";

  /** Each failure has the marker in its answer; the request carries it everywhere else. */
  const failures: [name: string, answer: Answer, error: new (...args: never[]) => Error][] = [
    [
      "500",
      answering(500, { "x-a": MARKER, "set-cookie": `a=${MARKER}` }, MARKER),
      HttpServerError,
    ],
    ["503", answering(503, {}, MARKER), HttpServerError],
    ["429", answering(429, { "retry-after": MARKER }, MARKER), HttpRateLimited],
    ["no JSON", answering(200, {}, `${MARKER} is no JSON`), HttpServerError],
    ["a damaged body", answering(200, { "content-encoding": "gzip" }, MARKER), HttpServerError],
    [
      "an unknown encoding",
      answering(200, { "content-encoding": MARKER }, MARKER),
      HttpServerError,
    ],
    ["too much", answering(200, {}, MARKER.repeat(1_000)), HttpTooLarge],
    ["headers without end", answering(200, { "x-a": MARKER.repeat(10_000) }), HttpTooLarge],
    ["no HTTP", (request) => request.socket.end(`${MARKER} ${MARKER}\r\n\r\n`), HttpUnreachable],
    ["a reset", resetting, HttpUnreachable],
    ["silence", (_, response) => response.writeHead(200).write(MARKER), HttpTimeout],
  ];

  const marked = (origin: string) => ({
    method: "POST" as const,
    url: `${origin}/${MARKER}?${MARKER}=${MARKER}`,
    query: { [MARKER]: MARKER },
    headers: { authorization: `Bearer ${MARKER}`, [`x-${MARKER}`]: MARKER },
    json: { [MARKER]: MARKER },
    isIdempotent: true,
  });

  it.each(failures)(
    "hold nothing of the request or the answer: %s",
    async (_case, answer, expected) => {
      const { origin } = await serve(answer);
      const lines: [fields: object, message: string][] = [];
      const write = (fields: object, message: string): void => void lines.push([fields, message]);
      const http = client({
        origins: [origin],
        limits: replyLimit(5_000),
        log: { debug: write, warn: write },
      });
      const request = { ...marked(origin), timeoutMs: expected === HttpTimeout ? 50 : 5_000 };
      const error = await http
        .request(request)
        .then((response) => response.json())
        .catch((reason: unknown) => reason);

      expect(error).toBeInstanceOf(expected);
      expect((error as Error).message).toContain(`POST ${new URL(origin).host} `);
      expect(inspect(error, { depth: Infinity, showHidden: true }).toLowerCase()).not.toContain(
        MARKER.toLowerCase(),
      );
      expect(inspect(lines, { depth: Infinity }).toLowerCase()).not.toContain(MARKER.toLowerCase());
      expect(lines.length).toBe(1);
      expect(["method", "host", "status", "limit", "durationMs", "bytes"]).toEqual(
        expect.arrayContaining(Object.keys(lines[0]![0])),
      );
    },
  );

  it.each([
    ["another origin", `https://other.example/${MARKER}?${MARKER}#${MARKER}`],
    ["a user in the URL", `https://${MARKER}:${MARKER}@host/`],
    ["no URL", `https://${MARKER} ${MARKER}/`],
    ["a header with a line break", "https://host/"],
  ])("hold nothing of a request that is refused: %s", async (_case, url) => {
    const http = client({ origins: ["https://host"] });
    const error = await http
      .request({ ...marked("https://host"), url, headers: { "x-a": `${MARKER}\n${MARKER}` } })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: Infinity, showHidden: true }).toLowerCase()).not.toContain(
      MARKER.toLowerCase(),
    );
  });

  it("tell method, host, status, duration and bytes of an answer", async () => {
    const { origin } = await serve(answering(201, {}, "12345"));
    const lines: object[] = [];
    const log = { debug: (fields: object) => void lines.push(fields), warn: () => {} };
    await client({ origins: [origin], log }).request({
      method: "POST",
      url: `${origin}/path?q=1`,
      body: "x",
    });
    expect(lines).toEqual([
      { method: "POST", host: new URL(origin).host, status: 201, durationMs: 0, bytes: 5 },
    ]);
  });
});
