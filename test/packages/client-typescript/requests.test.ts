import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import {
  memoryEtags,
  Rollcall,
  RollcallError,
  type Etagged,
  type RollcallEvent,
} from "../../../packages/client-typescript/src/index.ts";
import { pending, ready, refused, standIn, type Answer } from "./stand-in.ts";

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe("copies of data", () => {
  const unchanged: Answer = { status: 304 };

  test("are used while the data is the same, for the same token and query alone", async () => {
    const etags = memoryEtags();
    const { rollcall, connection, asked } = standIn(
      [ready([1], { etag: 'W/"one"' }), unchanged, ready([2], { etag: 'W/"two"' }), unchanged],
      { etags },
    );
    expect(await connection.employees()).toEqual([1]);
    expect(await connection.employees()).toEqual([1]);
    expect(await connection.employees({ employment_status: "active" })).toEqual([2]);
    const other = rollcall.connection({ access_token: "access", token: "token-2" });
    await other.employees().catch(() => undefined);
    expect(asked.map(({ headers }) => headers.get("if-none-match"))).toEqual([
      null,
      'W/"one"',
      null,
      null,
    ]);
  });

  test("are kept under a key without a credential, as they came", async () => {
    const kept: [string, Etagged][] = [];
    const etags = {
      get: async () => undefined,
      set: async (key: string, copy: Etagged) => kept.push([key, copy]),
    };
    const { connection } = standIn([ready([1], { etag: 'W/"one"' })], { etags });
    const range = { start_date: "2026-01-01", end_date: "2026-01-31" };
    await connection.payruns(range);
    expect(kept).toEqual([
      [
        "token-1 /2023-03-01/xhr/payruns?start_date=2026-01-01&end_date=2026-01-31",
        { etag: 'W/"one"', body: "[1]" },
      ],
    ]);
  });

  test("of a connection that has ended are deleted, and no others", async () => {
    const gone: Answer = { status: 403, headers: challenge("invalid_token"), body: {} };
    for (const [last, end] of [
      [ready({ disconnected: true }), "disconnect"],
      [gone, "employees"],
    ] as const) {
      const etags = memoryEtags();
      await etags.set("token-10 /2023-03-01/xhr/groups", { etag: "x", body: "[]" });
      const { connection } = standIn([ready([1], { etag: 'W/"one"' }), last], { etags });
      await connection.employees();
      await connection[end]().catch(() => undefined);
      expect(await etags.get("token-1 /2023-03-01/xhr/employees")).toBeUndefined();
      expect(await etags.get("token-10 /2023-03-01/xhr/groups")).toBeDefined();
    }
  });

  test("of the memory are the latest ones", async () => {
    const etags = memoryEtags(2);
    for (const key of ["a", "b", "a", "c"]) {
      await etags.get(key);
      await etags.set(key, { etag: key, body: "" });
    }
    const found: (string | undefined)[] = [];
    for (const key of ["a", "b", "c"]) found.push((await etags.get(key))?.etag);
    expect(found).toEqual(["a", undefined, "c"]);
  });
});

const errorOf = async (answer: Answer): Promise<RollcallError> => {
  const { connection } = standIn([answer]);
  const error: unknown = await connection
    .groups({ asksOnce: true })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RollcallError);
  return error as RollcallError;
};

const of401 = (code: string, headers = {}): Answer => ({
  status: 401,
  headers,
  body: { error: "authentication_error", message: "No.", code },
});

const challenge = (error: string) => ({ "www-authenticate": `Bearer error="${error}"` });

describe("an error", () => {
  test.each<[Answer, string, boolean]>([
    [of401("captcha_challenge"), "captcha_challenge", true],
    [of401("insufficient_permission"), "insufficient_permission", false],
    [of401("reauthentication_required"), "reauthentication_required", true],
    [of401("reauthentication_required", challenge("invalid_token")), "wrong_credentials", false],
    [refused(403), "forbidden", false],
    [{ status: 403, headers: challenge("insufficient_scope") }, "insufficient_scope", false],
    [refused(400), "invalid_request", false],
    [refused(413), "invalid_request", false],
    [refused(404), "not_found", false],
    [refused(429, 5), "rate_limited", false],
    [refused(500), "server_error", false],
    [refused(501), "not_supported", false],
    [refused(503, 5), "unavailable", false],
    [pending(5), "pending", false],
    ["network error", "unreachable", false],
  ])("of %o has the code %s", async (answer, code, asksForSignIn) => {
    const error = await errorOf(answer);
    expect(error).toMatchObject({ code, asksForSignIn });
    expect(error.sentence).toMatch(/^[A-Z].+\.$/);
  });

  test("has what the log needs: the request, the status and what the service said", async () => {
    expect(await errorOf(refused(503, 5))).toMatchObject({
      name: "RollcallError",
      message: "Rollcall answered 503: No.",
      status: 503,
      requestId: "request-1",
      retryAfterSeconds: 5,
    });
  });

  test("is one for a page of somebody else, too", async () => {
    const rollcall = new Rollcall({
      url: "https://rollcall.test",
      clientId: "c",
      clientSecret: "s",
      fetch: async () => new Response("<html>", { status: 200 }),
    });
    await expect(rollcall.client()).rejects.toMatchObject({ code: "server_error", status: 200 });
  });
});

describe("what cannot be right is refused before anything is sent", () => {
  const usual = { url: "https://rollcall.test", clientId: "client", clientSecret: "secret" };

  test.each(["rollcall.test", "https://user:password@rollcall.test", "ftp://rollcall.test", ""])(
    "the address %j",
    (url) => expect(() => new Rollcall({ ...usual, url })).toThrow(/ is no address of a service/),
  );

  test.each(["rc_at_dev_12…", "rc_at\n_dev", "rc_at dev"])("the credential %j", (credential) => {
    const refusals: unknown[] = [];
    for (const make of [
      () => new Rollcall({ ...usual, clientSecret: credential }),
      () => new Rollcall(usual).connection({ access_token: credential, token: "token-1" }),
    ])
      try {
        make();
      } catch (error) {
        refusals.push(error);
      }
    expect(refusals.map(String)).toEqual(
      ["clientSecret", "access_token"].map(
        (name) => `TypeError: ${name} has a character in it that no credential has.`,
      ),
    );
  });

  test("a body that JSON cannot print", async () => {
    const { rollcall, asked } = standIn([ready()]);
    const metadata: Record<string, unknown> = {};
    metadata["itself"] = metadata;
    const request = { redirect_uri: "https://app.test", scopes: ["groups" as const], metadata };
    await expect(rollcall.oneTimeLink(request)).rejects.toThrow(TypeError);
    expect(asked).toEqual([]);
  });

  test("and the line break that ends the file of a credential is taken off", async () => {
    const { rollcall, asked } = standIn([ready()], { clientId: "id\n", clientSecret: " secret\n" });
    await rollcall.client();
    await rollcall.connection({ access_token: "access\n", token: "token-1" }).groups();
    expect(asked.map(({ headers }) => headers.get("authorization"))).toEqual([
      `Basic ${btoa("id:secret")}`,
      "Bearer access",
    ]);
  });
});

test("a redirect is no reply of the service, and is not followed", async () => {
  const followed: string[] = [];
  const server = createServer((request, response) => {
    followed.push(request.url ?? "");
    response.writeHead(308, { location: "/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rollcall = new Rollcall({ url, clientId: "client", clientSecret: "secret" });
  await expect(rollcall.client()).rejects.toMatchObject({ code: "server_error", status: 308 });
  expect(followed).toEqual(["/2023-03-01/management/client"]);
  server.close();
});

describe("lists", () => {
  test("of tokens are asked for page by page, and no page more than there is", async () => {
    const tokens = Array.from({ length: 5 }, (_, index) => ({ token: `t${index}` }));
    const { rollcall, asked } = standIn([
      ready(tokens.slice(0, 2)),
      ready(tokens.slice(2, 4)),
      ready(tokens.slice(4)),
    ]);
    expect(await collect(rollcall.tokens({ limit: 2 }))).toEqual(tokens);
    expect(asked.map(({ path }) => path.split("?")[1])).toEqual([
      "limit=2",
      "limit=2&after=t1",
      "limit=2&after=t3",
    ]);
  });

  test("of deliveries go on from the last id, and end when their reader ends", async () => {
    const { rollcall, asked } = standIn([ready([{ id: "d1" }, { id: "d2" }])]);
    for await (const { id } of rollcall.deliveries({ limit: 2, after: "d0" }))
      if (id === "d2") break;
    expect(asked.map(({ path }) => path)).toEqual([
      "/2023-03-01/management/deliveries?limit=2&after=d0",
    ]);
  });
});

const event = (id: string) => ({ id, type: "connection.healed" }) as RollcallEvent;

const page = (ids: string[], after: string, more: boolean) =>
  ready({ events: ids.map(event), after, more });

describe("events", () => {
  test("come oldest first to the end, and each page is told when it is worked on", async () => {
    const { rollcall, asked } = standIn([page(["1", "2"], "c2", true), page(["3"], "c3", false)]);
    const done: string[] = [];
    const onPage = (after: string) => void done.push(after);
    for await (const { id } of rollcall.events({ after: "c0", limit: 2, onPage })) done.push(id);
    expect(done).toEqual(["1", "2", "c2", "3", "c3"]);
    expect(asked.map(({ path }) => path.split("?")[1])).toEqual([
      "after=c0&limit=2",
      "after=c2&limit=2",
    ]);
    expect(asked.map(({ headers }) => headers.get("prefer"))).toEqual([null, null]);
  });

  test("are followed with replies that the service holds, until the signal", async () => {
    const ending = new AbortController();
    const { rollcall, asked } = standIn([
      page(["1"], "c1", false),
      page([], "c1", false),
      page(["2"], "c2", false),
      "silence",
    ]);
    const ids: string[] = [];
    const follow = async () => {
      for await (const { id } of rollcall.events({
        after: null,
        isFollowing: true,
        signal: ending.signal,
      })) {
        ids.push(id);
        if (id === "2") setTimeout(() => ending.abort(new Error("ended")));
      }
    };
    await expect(follow()).rejects.toThrow("ended");
    expect(ids).toEqual(["1", "2"]);
    expect(asked.map(({ headers }) => headers.get("prefer"))).toEqual(Array(4).fill("wait=30"));
  });
});

test("a sign-in link has a new state and a challenge each time, and the verifier stays here", async () => {
  const { rollcall } = standIn([]);
  const request = {
    redirect_uri: "https://app.example.com/callback",
    scopes: ["employees", "payruns/:payrun_id"] as const,
    locale: "de",
  };
  const [one, two] = [await rollcall.signInLink(request), await rollcall.signInLink(request)];
  expect(one.state).not.toBe(two.state);
  expect(one.verifier).not.toBe(two.verifier);
  expect(one.url).not.toContain(one.verifier);
  const query = Object.fromEntries(new URL(one.url).searchParams);
  expect(query).toEqual({
    client_id: "client",
    redirect_uri: "https://app.example.com/callback",
    scope: "/2023-03-01/xhr/employees /2023-03-01/xhr/payruns/:payrun_id",
    locale: "de",
    state: one.state,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    code_challenge_method: "S256",
  });
});

describe("a callback", () => {
  const signIn = { state: "mine", verifier: "v", redirect_uri: "https://app.example.com/callback" };
  const finish = async (callback: string | URL | URLSearchParams) => {
    const { rollcall, asked } = standIn([ready({ token: "token-1" })]);
    const outcome = await rollcall
      .finishSignIn(callback, signIn)
      .catch((error: unknown) => (error as RollcallError).code);
    return { outcome, asked };
  };

  test.each([
    "/callback?code=c&state=theirs",
    "/callback?code=c",
    "https://app.example.com/callback?error=access_denied&state=theirs",
  ])("with another state is refused before anything is asked: %s", async (callback) => {
    expect(await finish(callback)).toEqual({ outcome: "wrong_state", asked: [] });
  });

  test("has its error as the code, also one that is not known yet", async () => {
    expect((await finish("?error=access_denied&state=mine")).outcome).toBe("access_denied");
    expect((await finish("?error=new_one&state=mine")).outcome).toBe("server_error");
    expect((await finish("?state=mine")).outcome).toBe("invalid_request");
    expect((await finish("?state=mine&code=")).outcome).toBe("invalid_request");
  });

  test.each(["/callback?state=mine&code=c&error=", new URL("https://x.test/?state=mine&code=c")])(
    "is exchanged with what its sign-in began with",
    async (callback) => {
      const { outcome, asked } = await finish(callback);
      expect(outcome).toEqual({ token: "token-1" });
      expect(asked.map(({ body }) => body)).toEqual([
        {
          client_id: "client",
          client_secret: "secret",
          grant_type: "authorization_code",
          code: "c",
          redirect_uri: signIn.redirect_uri,
          code_verifier: "v",
        },
      ]);
    },
  );

  test("of signing in again has no code, and its state is checked", () => {
    const { rollcall } = standIn([]);
    rollcall.finishSignInAgain("?state=mine", signIn);
    expect(() => rollcall.finishSignInAgain("?state=theirs", signIn)).toThrow("another state");
  });
});
