import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DescriptionCheck } from "../support/description-check.ts";
import { describedOperations, type Operation } from "../support/described-operations.ts";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";
import { naughtyStrings } from "../support/naughty-strings.ts";
import { sendRaw, type RawReply } from "../support/raw-http.ts";
import { requestIdPattern } from "../support/refusals.ts";
import { SeededRandom } from "../support/seeded-random.ts";

const seed = Number(process.env["FUZZ_SEED"] ?? 20_260_302);
const count = Number(process.env["FUZZ_COUNT"] ?? 1_500);
const mostGrowthBytes = 48 * 1024 * 1024;
const atOnce = 16;

interface Generated {
  method: string;
  target: string;
  bytes: Buffer;
  /** Its length promises more than there is, so that only the end of our side lets the service answer. */
  isCutShort: boolean;
}

interface Outcome extends Generated {
  replies: RawReply[];
  rest: string;
}

let harness: Harness;
let outcomes: Outcome[];
let growthBytes: number;

beforeAll(async () => {
  harness = await createHarness();
  const random = new SeededRandom(seed);
  const makeRequest = await createGenerator(random);
  await run(Array.from({ length: 200 }, makeRequest));
  const before = heapAfterCollection();
  outcomes = await run(Array.from({ length: count }, makeRequest));
  const kept = outcomes;
  outcomes = [];
  growthBytes = heapAfterCollection() - before - sizeOf(kept);
  outcomes = kept;
});
afterAll(() => harness.close());

async function run(requests: readonly Generated[]): Promise<Outcome[]> {
  const done: Outcome[] = [];
  const queue = [...requests.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, request] = next;
      const { replies, rest } = await sendRaw(harness.baseUrl, request.bytes, {
        half: request.isCutShort,
        methods: [request.method],
      });
      done[index] = { ...request, replies, rest };
      harness.logLines.splice(
        0,
        harness.logLines.length,
        ...harness.logLines.filter((line) => line.includes('"level":50')),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done;
}

const sizeOf = (kept: readonly Outcome[]): number =>
  kept.reduce(
    (sum, { bytes, replies }) =>
      sum + bytes.length + replies.reduce((inner, { body }) => inner + body.length + 2_000, 0),
    0,
  );

function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

/** Requests that are mostly well-formed HTTP, so that they reach what is behind the parser, with something wrong in most of them. */
async function createGenerator(random: SeededRandom): Promise<() => Generated> {
  const operations = await describedOperations(harness.http);
  const { client, secret } = await harness.createClient();
  const { token } = await harness.connect();
  const official = await harness.connect({ mode: "official" });
  const signedIn = await signIn(harness.services);
  await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
  await harness.drain();
  const basic = `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString("base64")}`;

  const text = (): string =>
    (random.chance(0.15)
      ? naughtyStrings[random.below(naughtyStrings.length)]! + random.pick(naughtyStrings)
      : random.pick(naughtyStrings)
    ).slice(0, 3_000);
  const encode = (value: string): string =>
    random.chance(0.15)
      ? value.replaceAll(/[^\x21-\x7e]/g, "")
      : encodeURIComponent(value.isWellFormed() ? value : "\ufffd");
  /** What may stand in a header of HTTP, and now and then what may not. */
  const headerText = (): string =>
    random.chance(0.03) ? text() : text().replaceAll(/[^\x20-\x7e\x80-\xff]/g, "");

  const value = (depth = 0): unknown => {
    const kind = random.below(depth > 3 ? 6 : 8);
    if (kind < 3) return text();
    if (kind === 3) return random.pick([0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER]);
    if (kind === 4) return random.pick([true, false, null]);
    if (kind === 5)
      return random.pick([
        redirectUri,
        "https://hooks.example.com/",
        client.clientId,
        signedIn.code,
      ]);
    if (kind === 6) return Array.from({ length: random.below(4) }, () => value(depth + 1));
    return Object.fromEntries(
      Array.from({ length: random.below(4) }, () => [text(), value(depth + 1)]),
    );
  };

  const bodyOf = ({ places }: Operation): string => {
    const names = places
      .filter((place) => place.startsWith("body "))
      .map((place) => place.slice(5))
      .filter((name) => name !== "client_secret" || random.chance(0.3));
    const fields = Object.fromEntries(
      [...names.filter(() => random.chance(0.6)), ...(random.chance(0.2) ? [text()] : [])].map(
        (name) => [name, name === "client_secret" ? text().slice(0, 31) : value()],
      ),
    );
    const exchange = exchangeBody(signedIn);
    const whole =
      names.includes("code") && random.chance(0.4) ? { ...exchange, ...fields } : fields;
    const json = JSON.stringify(random.chance(0.1) ? value() : whole);
    if (names.includes("code") && random.chance(0.2)) return JSON.stringify(exchange);
    if (random.chance(0.75)) return json;
    const at = random.below(json.length + 1);
    return random.pick([
      json.slice(0, at),
      json.slice(0, at) + text() + json.slice(at),
      json + json,
      json.replace("{", '{"a":1,"a":2,'),
      text(),
      "[".repeat(200),
      JSON.stringify("x".repeat(70_000)),
      `\ufeff${json}`,
    ]);
  };

  const credential = (operation: Operation): string | undefined => {
    const valid = operation.schemes.includes("basic")
      ? basic
      : `Bearer ${operation.template.includes("/official/") ? official.token : token}`;
    if (operation.template.endsWith("/disconnect"))
      return random.pick([
        undefined,
        `Bearer ${harness.sandboxToken}`,
        `Bearer ${headerText()}`,
        headerText(),
      ]);
    return random.chance(0.7)
      ? valid
      : random.pick([
          undefined,
          headerText(),
          `Bearer ${headerText()}`,
          `Basic ${headerText()}`,
          `Basic ${Buffer.from(`${text()}:${text()}`).toString("base64")}`,
          `${valid}x`,
          valid.toLowerCase(),
          `Basic ${Buffer.from(`${client.clientId}:${text()}`).toString("base64")}`,
        ]);
  };

  const queryOf = ({ places }: Operation): string => {
    const names = places
      .filter((place) => place.startsWith("query "))
      .map((place) => place.slice(6));
    const dates = ["2026-01-01", "2026-01-31", "2020-02-29", "1900-01-01"];
    const parameters = [
      ...names.filter(() => random.chance(0.9)),
      ...(random.chance(0.2) ? [text()] : []),
      ...(random.chance(0.1) ? names : []),
    ].map(
      (name) =>
        `${encode(name)}=${name.endsWith("date") && random.chance(0.5) ? random.pick(dates) : encode(text())}`,
    );
    return parameters.length > 0
      ? `?${parameters.join(random.pick(["&", "&", "&", ";", "&&"]))}`
      : "";
  };

  const headersOf = (): [string, string][] =>
    [
      ["Accept-Encoding", random.pick(["gzip", "br", "deflate", "identity", "*", headerText()])],
      ["Accept", headerText()],
      ["Cache-Control", random.pick(["no-cache", "max-age=0", headerText()])],
      ["If-None-Match", random.pick(["*", 'W/"x"', headerText()])],
      [
        "Prefer",
        random.pick([
          "wait=0",
          "wait=-1",
          "wait=x",
          "respond-async",
          headerText().replace("wait", ""),
        ]),
      ],
      ["X-Forwarded-For", headerText()],
      ["Range", random.pick(["bytes=0-1", "bytes=9-1", headerText()])],
      ["Content-Encoding", random.pick(["gzip", headerText()])],
      ["Cookie", headerText()],
      ["Expect", "100-continue"],
      ["Authorization", headerText()],
      [`X-${random.below(1_000)}`, headerText()],
    ].filter(() => random.chance(0.12)) as [string, string][];

  return () => {
    const operation = random.pick(operations);
    const method = random.chance(0.93)
      ? operation.method
      : random.pick(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]);
    const path = random.chance(0.95)
      ? operation.template.replace(/\{[^}]+\}/, () => encode(text()).replaceAll("/", "%2F"))
      : `/${encode(text())}`;
    const target = (path + queryOf(operation)).slice(0, 12_000);
    const authorization = credential(operation);
    const hasBody = method === "POST" ? random.chance(0.95) : random.chance(0.05);
    const body = Buffer.from(hasBody ? bodyOf(operation) : "");
    const type = random.chance(0.9)
      ? "application/json"
      : random.pick(["application/x-www-form-urlencoded", "text/plain", headerText()]);
    const length = random.chance(0.98)
      ? body.length
      : random.pick([0, body.length + 1, body.length - 1, 70_000]);
    const headers = [
      ["Host", "localhost"],
      ["Connection", "close"],
      ...(hasBody
        ? [
            ["Content-Type", type],
            ["Content-Length", String(length)],
          ]
        : []),
      ...(authorization === undefined ? [] : [["Authorization", authorization]]),
      ...headersOf(),
    ];
    const head = `${method} ${target} HTTP/1.1\r\n${headers.map(([name, content]) => `${name}: ${content}\r\n`).join("")}\r\n`;
    return {
      method,
      target,
      bytes: Buffer.concat([Buffer.from(head, "latin1"), body]),
      isCutShort: hasBody && length > body.length,
    };
  };
}

/** What is no HTTP, or no address, is refused before there is an endpoint whose description could say so. */
const isOfTransport = (body: { validation_error?: string }): boolean =>
  /^(request|path|method|host): /.test(body.validation_error ?? "");

/** The first few, with what it takes to send the request again. */
const show = (found: readonly Outcome[], why: (outcome: Outcome) => string): string[] =>
  found
    .slice(0, 5)
    .map(
      (outcome) =>
        `${why(outcome)} to ${JSON.stringify(outcome.bytes.toString("latin1").slice(0, 700))}`,
    );

test(`${count} generated requests (seed ${seed}) get no 5xx`, () => {
  const failed = outcomes.filter(({ replies }) =>
    replies.some(({ status }) => status >= 500 && status !== 501),
  );
  expect(show(failed, ({ replies }) => `${replies[0]?.status}`)).toEqual([]);
});

test("the requests reached what there is to reach: every operation, and answers of every kind", () => {
  const statuses = new Set(outcomes.flatMap(({ replies }) => replies.map(({ status }) => status)));
  expect(
    [200, 202, 400, 401, 403, 404, 405, 409, 413, 415].filter((status) => !statuses.has(status)),
  ).toEqual([]);
});

test("every one of them is answered, once, and the answer is complete", () => {
  const odd = outcomes.filter(
    ({ method, replies, rest, isCutShort }) =>
      (replies.length !== 1 && !isCutShort) || (rest !== "" && method !== "HEAD"),
  );
  expect(
    show(
      odd,
      ({ replies, rest }) => `${replies.length} replies and ${JSON.stringify(rest.slice(0, 100))}`,
    ),
  ).toEqual([]);
});

test("every answer has a request id, and no header that the request asked to be there", () => {
  const odd = outcomes.filter(({ replies }) =>
    replies.some(
      ({ headers }) =>
        !requestIdPattern.test(headers["x-request-id"] ?? "") || "x-injected" in headers,
    ),
  );
  expect(show(odd, ({ replies }) => JSON.stringify(replies[0]?.headers))).toEqual([]);
});

/** The start page and the guides are made for people. */
const isOfPage = ({ target }: Outcome): boolean => /^\/(?:$|\?|docs(?:$|[/?]))/.test(target);

test("every answer that is not compressed and no page is JSON as the description says", async () => {
  const document = (await harness.http.get("/openapi.json")).body as never;
  const check = new DescriptionCheck(document);
  const flaws = outcomes.flatMap((outcome) => {
    if (isOfPage(outcome)) return [];
    try {
      for (const { status, headers, body } of outcome.replies) {
        if (outcome.method === "HEAD" || headers["content-encoding"] || status === 304) continue;
        const parsed = JSON.parse(body.toString()) as { validation_error?: string };
        if (status === 400 && isOfTransport(parsed)) continue;
        check.verify(outcome.method, outcome.target, { status, headers, body: parsed });
      }
      return [];
    } catch (error) {
      return [
        `${(error as Error).message} to ${JSON.stringify(outcome.bytes.toString("latin1").slice(0, 500))}`,
      ];
    }
  });
  expect(flaws.slice(0, 5)).toEqual([]);
});

test("no fault was logged", () => {
  expect(harness.logLines.filter((line) => line.includes('"level":50')).slice(0, 3)).toEqual([]);
});

test("the memory that was used for them is given back", () => {
  expect(growthBytes).toBeLessThan(mostGrowthBytes);
});

test("the service goes on as before", async () => {
  expect((await harness.http.get("/readyz")).status).toBe(200);
  expect(
    (await harness.http.get("/2023-03-01/xhr/identity", { bearer: harness.sandboxToken })).status,
  ).toBe(200);
});
