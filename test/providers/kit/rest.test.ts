import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ProviderRequest, ProviderResponse } from "../../../src/platform/outbound/index.ts";
import type { CheckContext, ReadContext } from "../../../src/providers/contract.ts";
import { FieldError, OperationNotSupported, ProviderBug } from "../../../src/providers/errors.ts";
import { csv } from "../../../src/providers/kit/csv.ts";
import { recordsAt, type Paging } from "../../../src/providers/kit/paging.ts";
import { lookup } from "../../../src/providers/kit/lookup.ts";
import {
  auth,
  eachAtOnce,
  RequestRefused,
  rest,
  type Meanings,
} from "../../../src/providers/kit/rest.ts";
import { findRights, whereReadable, type Probe } from "../../../src/providers/kit/rights.ts";

const origin = "https://acme.example";

const api = rest({
  session: z.strictObject({ key: z.string() }),
  origin,
  auth: ({ key }, { path }) => (path === "/token" ? {} : auth.bearer(key)),
  headers: { "x-app": "rollcall" },
  maxBytes: 1_000,
  draws: ({ key }, { path }) => ({ customer: key, ...(path === "/slow" && { slow: key }) }),
  errors: {
    404: "absent",
    409: "refused",
    412: "unsupported",
    403: ({ headers }) => (headers["x-why"] === "locked" ? "ended" : undefined),
  },
});

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown; raw?: string };

interface Asked extends ProviderRequest {
  draws: unknown;
  maxBytes: number | undefined;
  origin: string;
}

/** A system whose answers a test makes. */
function stage(answer: (request: Asked) => Answer) {
  const asked: Asked[] = [];
  const http = (at: string, { draws, maxBytes }: { draws?: unknown; maxBytes?: number } = {}) => ({
    exportCookies: () => "",
    request: async (request: ProviderRequest): Promise<ProviderResponse> => {
      const one = { ...request, draws, maxBytes, origin: at };
      asked.push(one);
      const { status = 200, headers = {}, body, raw = JSON.stringify(body ?? null) } = answer(one);
      const json = (): unknown => JSON.parse(raw);
      return {
        status,
        headers: { "content-type": "application/json", ...headers },
        bytes: Buffer.from(raw),
        text: () => raw,
        json,
      };
    },
  });
  let sessions = 0;
  const context = {
    http,
    signal: new AbortController().signal,
    log: { warn: () => undefined, debug: () => undefined },
    withSession: (work: (session: object) => unknown) => work({ key: `key${(sessions += 1)}` }),
  } as unknown as ReadContext;
  return { asked, context, client: api.with(context, { key: "secret" }) };
}

describe("a request", () => {
  test("goes to the origin with what proves it, further headers and its quotas", async () => {
    const { asked, client } = stage(() => ({ body: { ok: true } }));
    expect(await client.get("/people", { query: { state: "all" } })).toEqual({ ok: true });
    await client.post("/slow", { json: [1], isIdempotent: true });
    expect(asked).toMatchObject([
      {
        origin,
        url: `${origin}/people`,
        query: { state: "all" },
        maxBytes: 1_000,
        draws: { customer: "secret" },
        headers: {
          authorization: "Bearer secret",
          accept: "application/json",
          "x-app": "rollcall",
        },
      },
      {
        method: "POST",
        url: `${origin}/slow`,
        json: [1],
        isIdempotent: true,
        draws: { customer: "secret", slow: "secret" },
      },
    ]);
  });

  test("proves itself as its path asks for", async () => {
    const { asked, client } = stage(() => ({ body: {} }));
    await client.post("/token", { form: { key: "secret" } });
    expect(asked[0]?.headers).toEqual({ accept: "application/json", "x-app": "rollcall" });
  });

  test("of a read has the newest session", async () => {
    const { asked, context } = stage(() => ({ body: [] }));
    const client = api.inRead(context);
    await client.get("/people");
    await client.get("/people");
    expect(asked.map(({ draws }) => draws)).toEqual([{ customer: "key1" }, { customer: "key2" }]);
  });

  test.each([
    [auth.basic("ann", "pass"), { authorization: "Basic YW5uOnBhc3M=" }],
    [auth.header("X-Api-Key", "k"), { "x-api-key": "k" }],
  ])("proves itself by %j", (made, expected) => {
    expect(made).toEqual(expected);
  });

  test("is not made with a session of another form", () => {
    const { context } = stage(() => ({}));
    expect(() => api.with(context, { token: "x" })).toThrow(
      "the stored session does not have this adapter's shape",
    );
  });
});

describe("an answer", () => {
  const path = "/people/42/files/8a1f03bc9911/notes?name=ann";
  const label = "GET /people/…/files/…/notes";

  test.each<[status: number, answer: Answer, expected: object]>([
    [401, {}, { kind: "auth", code: "reauthentication_required" }],
    [403, {}, { kind: "auth", code: "insufficient_permission" }],
    [403, { headers: { "x-why": "locked" } }, { kind: "auth", code: "reauthentication_required" }],
    [412, {}, { kind: "not-supported", message: `${label} is not there for this account` }],
    [409, {}, { kind: "bug", message: `${label} was refused as it is` }],
    [418, { raw: "Ann" }, { kind: "bug", message: `${label} was answered with 418` }],
    [302, { raw: "Ann" }, { kind: "bug", message: `${label} was answered with 302` }],
    [
      200,
      { raw: "<h1>Ann</h1>", headers: { "content-type": "text/html" } },
      { kind: "bug", message: `${label} was answered with what is not JSON` },
    ],
  ])("with %i is told by the table, without what it says", async (status, answer, expected) => {
    const { client } = stage(() => ({ status, ...answer }));
    await expect(client.get(path)).rejects.toMatchObject(expected);
  });

  test("of what is not there is null", async () => {
    const { client } = stage(() => ({ status: 404 }));
    expect(await client.get(path)).toBeNull();
    expect(await stage(() => ({ status: 204, raw: "" })).client.get(path)).toBeNull();
  });

  test("means for one request what that says", async () => {
    const { client } = stage(() => ({ status: 404 }));
    await expect(client.get(path, { errors: { 404: "refused" } })).rejects.toBeInstanceOf(
      RequestRefused,
    );
  });

  test.each<[name: string, errors: Meanings, expected: object]>([
    ["down", { 404: "down" }, { kind: "down", message: `${label} cannot be answered for now` }],
    [
      "an error of the adapter",
      { 404: new FieldError("host", "Where?") },
      { explanation: "Where?" },
    ],
    ["refused, with its status", { 404: "refused" }, { kind: "bug", status: 404 }],
    [
      "what a function says of any status",
      ({ status }) => (status > 400 ? "unsupported" : undefined),
      { kind: "not-supported" },
    ],
  ])("can mean %s", async (_name, errors, expected) => {
    const { client } = stage(() => ({ status: 404 }));
    await expect(client.get(path, { errors })).rejects.toMatchObject(expected);
  });

  test("of what is not there is what the request says", async () => {
    const { client } = stage(() => ({ status: 404 }));
    expect(await client.get(path, { whenAbsent: [] })).toEqual([]);
  });

  test.each([
    [200, "insufficient_permission"],
    [401, "reauthentication_required"],
  ])("of an ended session is doubted where another path answers %i", async (status, code) => {
    const { asked, context } = stage(({ url }) => ({
      status: new URL(url).pathname === "/ping" ? status : 401,
    }));
    const client = rest({ session: z.any(), origin, auth: () => ({}), sessionProbe: "/ping" }).with(
      context,
      {},
    );
    await expect(client.get(path)).rejects.toMatchObject({ code });
    await client.get("/ping").catch(() => undefined);
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual([
      new URL(path, origin).pathname,
      "/ping",
      "/ping",
    ]);
  });

  test.each([
    [["acme", "oak"], "insufficient_permission"],
    [["oak"], "reauthentication_required"],
  ])("that a session has ended is told by what the probe answers: %j", async (companies, code) => {
    const { context } = stage(({ url }) =>
      new URL(url).pathname === "/companies" ? { body: companies } : { status: 401 },
    );
    const client = rest({
      session: z.object({ company: z.string() }),
      origin,
      auth: () => ({}),
      sessionProbe: {
        path: "/companies",
        isEnded: (body, { company }) => !(body as string[]).includes(company),
      },
    }).with(context, { company: "acme" });
    await expect(client.get("/people")).rejects.toMatchObject({ code });
  });

  test("of what is ended at the provider is asked for by DELETE", async () => {
    const { asked, client } = stage(() => ({ status: 204, raw: "" }));
    expect(await client.delete("/access/7")).toBeNull();
    expect(asked).toMatchObject([{ method: "DELETE", url: `${origin}/access/7` }]);
  });

  test("at a sign-in says that the credentials are wrong", async () => {
    const { context } = stage(() => ({ status: 401 }));
    const client = api.atSignIn(context, { key: "wrong" });
    await expect(client.get("/me")).rejects.toMatchObject({
      kind: "auth",
      code: "incorrect_username_or_password",
    });
  });
});

const everybody = Array.from({ length: 7 }, (_, index) => ({ id: index + 1 }));
const pageOf = ({ query = {} }: Asked, offset: number) =>
  everybody.slice(offset, offset + Number(query["size"]));

/** One system for each way of paging, with the requests that a whole list takes. */
const ways: [name: string, paging: Paging, answer: (request: Asked) => Answer, requests: number][] =
  [
    [
      "page, to an empty one",
      { by: "page", parameter: "page", size: ["size", 3] },
      (asked) => ({ body: pageOf(asked, (Number(asked.query?.["page"]) - 1) * 3) }),
      4,
    ],
    [
      "page, to a short one",
      { by: "page", parameter: "page", first: 0, size: ["size", 3], end: "short" },
      (asked) => ({ body: pageOf(asked, Number(asked.query?.["page"]) * 3) }),
      3,
    ],
    [
      "page, to the one that the body calls the last",
      {
        by: "page",
        parameter: "page",
        size: ["size", 3],
        isLast: (_body, { records }) => records === 7,
      },
      (asked) => ({ body: pageOf(asked, (Number(asked.query?.["page"]) - 1) * 3) }),
      3,
    ],
    [
      "page, to one that repeats the last",
      { by: "page", parameter: "page", size: ["size", 3], end: "repeated" },
      (asked) => ({ body: pageOf(asked, Math.min(2, Number(asked.query?.["page"]) - 1) * 3) }),
      4,
    ],
    [
      "page in the body, to the one that the body counts",
      {
        by: "page",
        parameter: "page",
        size: ["size", 100],
        isInBody: true,
        isLast: (_body, { pages }) => pages === 3,
      },
      ({ json, query }) => {
        const { page, size } = json as { page: number; size: number };
        // The system gives fewer than it was asked for.
        return { body: query || size < 100 ? [] : everybody.slice((page - 1) * 3, page * 3) };
      },
      3,
    ],
    [
      "page, to the one that a header counts",
      {
        by: "page",
        parameter: "page",
        size: ["size", 100],
        isLast: (_body, { pages, headers }) => pages === Number(headers["x-pages"]),
      },
      ({ query }) => ({
        body: everybody.slice((Number(query?.["page"]) - 1) * 3, Number(query?.["page"]) * 3),
        headers: { "x-pages": "3" },
      }),
      3,
    ],
    [
      "offset",
      { by: "offset", parameter: "from", size: ["size", 3] },
      (asked) => ({ body: pageOf(asked, Number(asked.query?.["from"])) }),
      4,
    ],
    [
      "offset without a length, to a page that repeats the last",
      { by: "offset", parameter: "from", size: 3, end: "repeated" },
      ({ query }) => {
        const from = Math.min(6, Number(query?.["from"]));
        return { body: "size" in (query ?? {}) ? [] : everybody.slice(from, from + 3) };
      },
      4,
    ],
    [
      "offset, to as many as the body counts",
      { by: "offset", parameter: "from", size: ["size", 3], total: () => 7 },
      (asked) => ({ body: pageOf(asked, Number(asked.query?.["from"])) }),
      3,
    ],
    [
      "page, to as many as the body counts, of pages that are kept shorter",
      { by: "page", parameter: "page", size: ["size", 3], total: () => 7 },
      ({ query }) => {
        const from = (Number(query?.["page"]) - 1) * 2;
        return { body: everybody.slice(from, from + 2) };
      },
      4,
    ],
    [
      "page, to an empty one where the body counts nothing",
      { by: "page", parameter: "page", size: ["size", 3], total: () => undefined },
      (asked) => ({ body: pageOf(asked, (Number(asked.query?.["page"]) - 1) * 3) }),
      4,
    ],
    [
      "cursor",
      {
        by: "cursor",
        parameter: "after",
        next: (body) => (body as { next: string | null }).next,
      },
      ({ query }) => {
        const from = Number(query?.["after"] ?? 0);
        const next = from + 3 < 7 ? String(from + 3) : null;
        return { body: { items: everybody.slice(from, from + 3), next } };
      },
      3,
    ],
    [
      "link",
      { by: "link" },
      ({ url }) => {
        const from = Number(new URL(url).searchParams.get("from") ?? 0);
        const link = `<https://evil.example/people?from=${from + 3}>; rel="next", <https://acme.example/people>; rel="first"`;
        return {
          body: everybody.slice(from, from + 3),
          headers: from + 3 < 7 ? { link } : {},
        };
      },
      3,
    ],
    [
      "link, written from the path of the page on",
      { by: "link" },
      ({ url }) => {
        const from = Number(new URL(url).searchParams.get("from") ?? 0);
        const link = `<?from=${from + 3}>; rel="next"`;
        return {
          body: everybody.slice(from, from + 3),
          headers: from + 3 < 7 ? { link } : {},
        };
      },
      3,
    ],
    ["none", { by: "none" }, () => ({ body: everybody }), 1],
  ];

const listOf = (paging: Paging) => ({
  path: "/people",
  paging,
  items: (body: unknown) => (Array.isArray(body) ? body : (body as { items: unknown }).items),
});

describe("a list", () => {
  test.each([200, 204])(
    "of CSV with declared columns is empty without a body: %i",
    async (status) => {
      const { client } = stage(() => ({ status, raw: "" }));
      const paging: Paging = { by: "none" };
      const format = csv({ columns: ["id", "name"] });
      expect(await client.all({ path: "/people", paging, format })).toEqual([]);
      await expect(client.all({ path: "/people", paging, format: csv() })).rejects.toThrow(
        new ProviderBug("the answer of /people has no list of records"),
      );
    },
  );

  test.each(ways)("by %s is whole", async (_name, paging, answer, requests) => {
    const { asked, client } = stage(answer);
    expect(await client.all(listOf(paging))).toEqual(everybody);
    expect(asked).toHaveLength(requests);
    expect(asked.every(({ url }) => String(url).startsWith(`${origin}/people`))).toBe(true);
  });

  test.each(ways)("by %s goes on from where each page said", async (_name, paging, answer) => {
    const { client } = stage(answer);
    const read: unknown[] = [];
    for await (const { items, next } of client.pages(listOf(paging))) {
      read.push(...items);
      const others: unknown[] = [];
      if (next)
        for await (const page of client.pages(listOf(paging), JSON.parse(JSON.stringify(next))))
          others.push(...page.items);
      expect([...read, ...others]).toEqual(everybody);
    }
  });

  test("that is none is a bug that names the request", async () => {
    const { client } = stage(() => ({ body: { error: "Ann" } }));
    await expect(client.all({ path: "/people", paging: { by: "none" } })).rejects.toThrow(
      new ProviderBug("the answer of /people has no list of records"),
    );
  });

  test.each<[string, Paging, Answer, string, number]>([
    [
      "the same page again and again",
      { by: "offset", parameter: "from", size: ["size", 3] },
      { body: everybody.slice(0, 3) },
      "the list of /people repeats itself: a page came twice",
      2,
    ],
    [
      "the same page again, which says that it is the last one",
      {
        by: "page",
        parameter: "page",
        size: ["size", 3],
        isLast: (_body, { pages }) => pages === 2,
      },
      { body: everybody.slice(0, 3) },
      "the list of /people repeats itself: a page came twice",
      2,
    ],
    [
      "cursors to empty pages",
      { by: "cursor", parameter: "after", next: () => "again" },
      { body: [] },
      "the list of /people does not end: 200 pages had no record",
      200,
    ],
    [
      "the same page again, to which more are counted",
      { by: "offset", parameter: "from", size: ["size", 3], total: () => 6 },
      { body: everybody.slice(0, 3) },
      "the list of /people repeats itself: a page came twice",
      2,
    ],
    [
      "an empty page, to which more are counted",
      { by: "page", parameter: "page", size: ["size", 3], total: () => 6 },
      { body: [] },
      "a page of /people is empty or repeated before the list ends",
      1,
    ],
  ])("of %s is ended", async (_name, paging, answer, message, requests) => {
    const { asked, client } = stage(() => answer);
    await expect(client.all({ path: "/people", paging })).rejects.toThrow(new ProviderBug(message));
    expect(asked).toHaveLength(requests);
  });

  test("of the same records in another order is ended after three pages", async () => {
    const [first, second, third] = everybody;
    const orders = [
      [first, second, third],
      [second, third, first],
      [third, first, second],
    ];
    const { asked, client } = stage(({ query }) => ({ body: orders[Number(query?.["page"]) % 3] }));
    const paging: Paging = { by: "page", parameter: "page", size: ["size", 3] };
    await expect(client.all({ path: "/people", paging })).rejects.toThrow(
      new ProviderBug("the list of /people repeats itself: 3 pages had nothing new"),
    );
    expect(asked).toHaveLength(4);
  });

  test("shows each of its answers, such as for a count", async () => {
    const { client } = stage(({ query }) => ({
      body: { total: 2, items: query?.["page"] === 1 ? [{ id: 1 }] : [] },
      headers: { "x-left": "9" },
    }));
    const seen: unknown[] = [];
    await client.all({
      ...listOf(ways[0]![1]),
      onAnswer: ({ body, headers }) =>
        seen.push([(body as { total: number }).total, headers["x-left"]]),
    });
    expect(seen).toEqual([
      [2, "9"],
      [2, "9"],
    ]);
  });

  test("is read anew, once, when the system has forgotten its cursor", async () => {
    const [, paging, answer] = ways.find(([name]) => name === "cursor")!;
    const forget = (times: number) => {
      let forgotten = 0;
      return stage((asked) => {
        const isForgotten = asked.query?.["after"] === "6" && (forgotten += 1) <= times;
        return isForgotten ? { status: 409 } : answer(asked);
      });
    };
    const once = forget(1);
    expect(await once.client.all(listOf(paging))).toEqual(everybody);
    expect(once.asked).toHaveLength(6);
    await expect(forget(2).client.all(listOf(paging))).rejects.toBeInstanceOf(RequestRefused);
  });

  test("is found at its name, each of it a record", () => {
    expect(recordsAt("data")({ data: everybody })).toEqual(everybody);
    expect(recordsAt()(everybody)).toEqual(everybody);
  });

  test.each([[{ data: {} }], [{ data: [{ id: 1 }, null] }], [{ data: [[1]] }], [[]], [null]])(
    "is not %j",
    (body) => {
      expect(() => recordsAt("data")(body)).toThrow(
        new ProviderBug("an answer has no list of records at data"),
      );
    },
  );

  test("has a record once that two pages have", async () => {
    const pages = [everybody.slice(0, 3), everybody.slice(2, 5), []];
    const { client } = stage(({ query }) => ({ body: pages[Number(query?.["page"]) - 1] }));
    const list = { path: "/people", paging: ways[0]![1] };
    expect(await client.all(list)).toEqual(everybody.slice(0, 5));
  });
});

const rightsOf = async (
  answers: Record<string, Answer>,
  resources: CheckContext["resources"] = ["company", "employees", "groups"],
  refusal?: Parameters<typeof findRights>[2],
) => {
  const staged = stage(({ url }) => answers[new URL(url).pathname] ?? { body: [] });
  const { client, context, asked } = staged;
  const probe =
    (path: string): (() => Promise<unknown>) =>
    () =>
      client.get(path);
  const probes: Probe[] = [
    { resources: ["company"], ask: probe("/company") },
    { resources: ["employees", "time-off-entries"], ask: probe("/people") },
    { resources: ["groups"], ask: probe("/teams") },
  ];
  const rights = await findRights({ ...context, resources }, probes, refusal);
  return { rights, asked: asked.map(({ url }) => new URL(url).pathname) };
};

describe("rights", () => {
  test("are found by one request each, and only for what will be read", async () => {
    const { rights, asked } = await rightsOf(
      { "/people": { status: 403 }, "/teams": { status: 412 } },
      ["time-off-entries", "groups", "timesheets"],
    );
    expect(rights).toEqual({
      forbidden: ["employees", "time-off-entries"],
      unsupported: ["groups"],
    });
    expect(asked).toEqual(["/people", "/teams"]);
  });

  test("that cannot be found out refuse no sign-in", async () => {
    const { rights } = await rightsOf({ "/people": { status: 418 }, "/teams": { status: 403 } });
    expect(rights).toEqual({ forbidden: ["groups"], unsupported: [] });
  });

  test("cannot be found out when nothing is answered", async () => {
    const broken = { status: 418 };
    await expect(
      rightsOf({ "/company": broken, "/people": broken, "/teams": broken }),
    ).rejects.toBeInstanceOf(ProviderBug);
  });

  test.each([
    [{ status: 403 }, undefined],
    [{ status: 412 }, undefined],
    [{ body: [1] }, [1]],
  ])("decide what is read: %j gives %j", async (answer, expected) => {
    const { client } = stage(() => answer);
    expect(await whereReadable(() => client.get("/teams"))).toEqual(expected);
  });

  test("do not decide about another failure", async () => {
    const { client } = stage(() => ({ status: 418 }));
    await expect(whereReadable(() => client.get("/teams"))).rejects.toBeInstanceOf(ProviderBug);
  });

  test("of a session that has ended refuse the sign-in", async () => {
    await expect(rightsOf({ "/people": { status: 401 } })).rejects.toMatchObject({
      code: "reauthentication_required",
    });
  });
});

test("rights are asked for one after the other where an answer can replace the session", async () => {
  let [now, most] = [0, 0];
  const ask = async () => {
    most = Math.max(most, (now += 1));
    await Promise.resolve();
    now -= 1;
  };
  const { context } = stage(() => ({ body: [] }));
  const resources = ["company", "employees", "groups"] as const;
  const probes = resources.map((resource) => ({ resources: [resource], ask }));
  await findRights({ ...context, resources }, probes, { atOnce: 1 });
  expect(most).toBe(1);
});

describe("who may read nothing of what is asked for", () => {
  const answers = { "/people": { status: 403 }, "/teams": { status: 412 } };

  test("is refused at the sign-in, because a right is missing", async () => {
    await expect(rightsOf(answers, ["employees", "groups"])).rejects.toMatchObject({
      code: "insufficient_permission",
    });
  });

  test("is told the right, where the adapter names it", async () => {
    const refusal = new FieldError("key", "The right to see people is missing.");
    await expect(
      rightsOf(answers, ["employees", "groups"], { ofNothing: () => refusal }),
    ).rejects.toBe(refusal);
  });

  test.each([
    ["something", ["company", "employees"] as const],
    ["what no probe is of", ["employees", "timesheets"] as const],
  ])("is not who may read %s", async (_name, resources) => {
    const { rights } = await rightsOf(answers, resources);
    expect(rights.forbidden).toEqual(["employees", "time-off-entries"]);
  });

  test("is not who lacks the resource itself", async () => {
    const { rights } = await rightsOf(answers, ["groups"]);
    expect(rights).toEqual({ forbidden: [], unsupported: ["groups"] });
  });
});

describe("work on some at once", () => {
  test("is so many at most, in the order of the items", async () => {
    let [now, most] = [0, 0];
    const results = await eachAtOnce([5, 1, 3, 2, 4], 2, async (item) => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return item * 10;
    });
    expect(results).toEqual([50, 10, 30, 20, 40]);
    expect(most).toBe(2);
  });

  test("begins no more when one fails", async () => {
    const begun: number[] = [];
    await expect(
      eachAtOnce([1, 2, 3, 4, 5], 2, async (item) => {
        begun.push(item);
        if (item === 2) throw new OperationNotSupported("x");
      }),
    ).rejects.toBeInstanceOf(OperationNotSupported);
    expect(begun).toEqual([1, 2]);
  });
});

describe("a look-up", () => {
  test("is fetched once a read, when the first thing is looked up", async () => {
    const { asked, context } = stage(() => ({ body: [{ id: "7", name: "Support" }] }));
    const teams = lookup(async (read) => {
      const found = (await api.inRead(read).get("/teams")) as { id: string; name: string }[];
      return found.map((team) => [team.id, team]);
    });
    expect(asked).toHaveLength(0);
    const both = await Promise.all([teams(context), teams(context)]);
    expect(both.map((found) => found.get("7")?.name)).toEqual(["Support", "Support"]);
    expect(asked).toHaveLength(1);
    await teams({ ...context });
    expect(asked).toHaveLength(2);
  });

  test("that failed is tried again", async () => {
    const { context } = stage(() => ({}));
    let tries = 0;
    const teams = lookup(async () => {
      tries += 1;
      if (tries === 1) throw new OperationNotSupported("x");
      return [["7", tries] as const];
    });
    await expect(teams(context)).rejects.toBeInstanceOf(OperationNotSupported);
    expect((await teams(context)).get("7")).toBe(2);
  });
});
