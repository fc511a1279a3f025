import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authErrorCodes, type Mode } from "../src/model/index.ts";
import { mintCredential } from "../src/platform/crypto/index.ts";
import { comparable } from "./support/comparable-reply.ts";
import { listCasesOf, version } from "./support/data-endpoints.ts";
import { describedOperations, type Operation } from "./support/described-operations.ts";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "./support/harness.ts";
import type { Reply } from "./support/http-client.ts";

const lists = listCasesOf("xhr");

type Connected = Awaited<ReturnType<Harness["connect"]>>;
interface Party {
  xhr: Connected;
  official: Connected;
  unusedCode: string;
  /** What the party's data replies hold. */
  replies: Reply[];
  /** What they name, without the provider's own ids. */
  dataIds: Set<string>;
  remoteIds: Set<string>;
}

let harness: Harness;
let operations: Operation[];
let a: Party;
let b: Party;
/** Everything by which something of B can be named, and what it is. */
let idsOfB: [kind: string, id: string][];

beforeAll(async () => {
  harness = await createHarness();
  operations = await describedOperations(harness.http);
  [a, b] = [await makeParty(), await makeParty()];
  idsOfB = await collectIds(b);
});
afterAll(() => harness.close());

/** A client with a connection of each mode, both of the same account at the provider, and all of their data fetched. */
async function makeParty(): Promise<Party> {
  const owner = await harness.createClient();
  const xhr = await harness.connect({ client: owner });
  harness.clock.advance(1);
  const official = await harness.connect({ client: owner, mode: "official" });
  harness.clock.advance(1);
  const { code: unusedCode } = await signIn(harness.services, { client: owner });
  const replies = [...(await readAll("xhr", xhr)), ...(await readAll("official", official))];
  const { ids, remoteIds } = namesIn(replies.map(({ body }) => body));
  return { xhr, official, unusedCode, replies, dataIds: ids, remoteIds };
}

async function readAll(mode: Mode, { token }: Connected): Promise<Reply[]> {
  const wanted = listCasesOf(mode);
  const read = (path: string, query: Record<string, string>) =>
    harness.http.get(`${version}/${mode}/${path}`, { bearer: token, query });
  for (const { path, query } of wanted) await read(path, query);
  await harness.drain();
  const replies: Reply[] = [];
  for (const { path, query } of wanted) replies.push(await read(path, query));
  const [payrun] = namesIn(
    replies.filter((_reply, index) => wanted[index]?.path === "payruns").map(({ body }) => body),
  ).ids;
  if (payrun === undefined) return replies;
  await read(`payruns/${payrun}`, {});
  await harness.drain();
  return [...replies, await read(`payruns/${payrun}`, {})];
}

function namesIn(
  value: unknown,
  found = { ids: new Set<string>(), remoteIds: new Set<string>() },
): { ids: Set<string>; remoteIds: Set<string> } {
  if (typeof value !== "object" || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === "string" && /(^|_)remote_id$/.test(key)) found.remoteIds.add(inner);
    else if (typeof inner === "string" && /(^|_)id$/.test(key) && key !== "tax_id")
      found.ids.add(inner);
    else namesIn(inner, found);
  }
  return found;
}

/** In the party's xhr list at this path. */
function idsOf({ replies }: Party, path: string): Set<string> {
  return namesIn(replies[lists.findIndex((list) => list.path === path)]?.body).ids;
}

async function collectIds({
  xhr,
  official,
  unusedCode,
  replies,
}: Party): Promise<[string, string][]> {
  const rows = await harness.database.query("select id from connections where client_id = $1", [
    xhr.client.clientId,
  ]);
  const fetches = await harness.database.query(
    "select f.id from reads f join connections c on c.id = f.connection_id where c.client_id = $1 limit 1",
    [xhr.client.clientId],
  );
  const perReply = replies.flatMap(({ body }): [string, string][] =>
    [...namesIn(body).ids].slice(0, 3).map((id) => ["a record", id]),
  );
  return [
    ["the client", xhr.client.clientId],
    ["a token's id", xhr.tokenId],
    ["another token's id", official.tokenId],
    ...rows.map(({ id }): [string, string] => ["a connection", String(id)]),
    ...fetches.map(({ id }): [string, string] => ["a fetch", String(id)]),
    ["a code", unusedCode],
    ["a redeemed code", xhr.code],
    ...new Map(perReply.map(([kind, id]) => [id, [kind, id] as [string, string]])).values(),
  ];
}

/** Of the same form and length, and nobody's. */
function unknownLike(id: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return uuidv7();
  if (/^[0-9A-F]{8}(-[0-9A-F]{8}){3}$/.test(id))
    return randomBytes(16).toString("hex").toUpperCase().match(/.{8}/g)!.join("-");
  if (id.startsWith("rc_ac_")) return mintCredential("ac", "dev");
  if (/^[A-Za-z0-9_-]{22}$/.test(id)) return randomBytes(16).toString("base64url");
  throw new Error(
    `an id of a form that this test does not know: ${id.slice(0, 4)}…, ${id.length} characters`,
  );
}

type Ask = (id: string) => Promise<Reply>;

/** Every place where a request can name something of somebody, and how A asks there. */
const places: Record<string, Ask> = {
  [`GET ${version}/xhr/payruns/{payrun_id} path payrun_id`]: (id) =>
    harness.http.get(`${version}/xhr/payruns/${id}`, { bearer: a.xhr.token }),
  [`GET ${version}/xhr/employee query id`]: (id) =>
    harness.http.get(`${version}/xhr/employee`, { bearer: a.xhr.token, query: { id } }),
  [`GET ${version}/official/employee query id`]: (id) =>
    harness.http.get(`${version}/official/employee`, { bearer: a.official.token, query: { id } }),
  [`POST ${version}/management/token body code`]: (id) =>
    harness.http.post(`${version}/management/token`, {
      json: exchangeBody({ ...a.xhr, code: id }),
    }),
  [`POST ${version}/management/token body client_id`]: (id) =>
    harness.http.post(`${version}/management/token`, {
      json: { ...exchangeBody({ ...a.xhr, code: a.unusedCode }), client_id: id },
    }),
  [`POST ${version}/management/connect-session body client_id`]: (id) =>
    harness.http.post(`${version}/management/connect-session`, {
      basic: [a.xhr.client.clientId, a.xhr.secret],
      json: {
        client_id: id,
        mode: "xhr",
        redirect_uri: redirectUri,
        scope: `${version}/xhr/employees`,
      },
    }),
  [`POST ${version}/management/connect-session body token`]: (id) =>
    harness.http.post(`${version}/management/connect-session`, {
      basic: [a.xhr.client.clientId, a.xhr.secret],
      json: {
        token: id,
        redirect_uri: redirectUri,
      },
    }),
  [`GET ${version}/management/tokens query after`]: (id) =>
    harness.http.get(`${version}/management/tokens`, {
      basic: [a.xhr.client.clientId, a.xhr.secret],
      query: { after: id },
    }),
  [`GET ${version}/management/deliveries query after`]: (id) =>
    harness.http.get(`${version}/management/deliveries`, {
      basic: [a.xhr.client.clientId, a.xhr.secret],
      query: { after: id },
    }),
  [`POST ${version}/management/deliveries/{delivery_id}/replay path delivery_id`]: (id) =>
    harness.http.post(`${version}/management/deliveries/${id}/replay`, {
      basic: [a.xhr.client.clientId, a.xhr.secret],
    }),
};

places[`POST ${version}/management/client body client_id`] = (id) =>
  harness.http.post(`${version}/management/client`, { ...basicOfA(), json: { client_id: id } });
const sandbox = `${version}/management/sandbox/connections`;
const basicOfA = (): { basic: [string, string] } => ({
  basic: [a.xhr.client.clientId, a.xhr.secret],
});
places[`GET ${version}/management/deliveries/{delivery_id} path delivery_id`] = (id) =>
  harness.http.get(`${version}/management/deliveries/${id}`, basicOfA());
places[`GET ${version}/management/tokens/{token_id} path token_id`] = (id) =>
  harness.http.get(`${version}/management/tokens/${id}`, basicOfA());
places[`GET ${version}/management/tokens query reference`] = (id) =>
  harness.http.get(`${version}/management/tokens`, { ...basicOfA(), query: { reference: id } });
for (const kept of ["receipt", "export"])
  places[`GET ${version}/management/tokens/{token_id}/${kept} path token_id`] = (id) =>
    harness.http.get(`${version}/management/tokens/${id}/${kept}`, basicOfA());
places[`GET ${version}/management/events query after`] = (id) =>
  harness.http.get(`${version}/management/events`, { ...basicOfA(), query: { after: id } });
places[`GET ${sandbox}/{token_id} path token_id`] = (id) =>
  harness.http.get(`${sandbox}/${id}`, basicOfA());
places[`POST ${sandbox}/{token_id}/fail path token_id`] = (id) =>
  harness.http.post(`${sandbox}/${id}/fail`, { ...basicOfA(), json: { code: authErrorCodes[0] } });
places[`POST ${sandbox}/{token_id}/fail body code`] = (id) =>
  harness.http.post(`${sandbox}/${a.xhr.tokenId}/fail`, { ...basicOfA(), json: { code: id } });
for (const [change, json] of Object.entries({
  advance: undefined,
  poll: undefined,
  webhook: undefined,
  "sign-in": {},
  rights: {},
  records: {},
}))
  places[`POST ${sandbox}/{token_id}/${change} path token_id`] = (id) =>
    harness.http.post(`${sandbox}/${id}/${change}`, { ...basicOfA(), ...(json && { json }) });

/** Parameters that say what is wanted or how, and name nothing that is anybody's. */
const namesNothing =
  /^body (reference|metadata|settings|allow_handover)$|^header (If-None-Match|If-Modified-Since|Prefer|Cache-Control)$|^(query|body) (start_date|end_date|employment_status|status|limit|name|client_secret|rotate_secret|webhook_uri|webhook_status|event_uri|event_types|event_status|poll_resources|fields_off|logo|logo_url|brand_color|purpose|privacy_url|support_url|allow_sandbox|redirect_uris?|grant_type|code_verifier|mode|scopes?|scenario|provider|sandbox|state|code_challenge|code_challenge_method|response_type|locale|tags|expires_in)$|^body (limited|forbidden|employees|payruns|payslips|time_off_entries)$/;

/** As a standard OAuth client does. */
const exchangeAsForm = (code: string, clientId: string, secret: string) =>
  harness.http.post(`${version}/management/token`, {
    basic: [clientId, secret],
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
    }).toString(),
  });

/** What a list that is narrowed by something unknown answers is an empty list. */
const isOfList = (place: string): boolean => /query (after|reference)$/.test(place);

const describedPlaces = () =>
  operations.flatMap(({ method, template, places: named }) =>
    named
      .filter((place) => !namesNothing.test(place))
      .map((place) => `${method} ${template} ${place}`),
  );

test("every place where a request can name something is asked below", () => {
  expect(describedPlaces().filter((place) => !(place in places))).toEqual([]);
  expect(describedPlaces().length).toBeGreaterThanOrEqual(5);
});

test("two clients that read the same account have no id in common", () => {
  expect([...b.dataIds].filter((id) => a.dataIds.has(id))).toEqual([]);
  expect(b.dataIds.size).toBeGreaterThan(100);
  expect([...b.remoteIds].toSorted()).toEqual([...a.remoteIds].toSorted());
});

test("two connections of one client have none in common either", () => {
  const [xhr, official] = (["xhr", "official"] as const).map(
    (mode) =>
      namesIn(
        a.replies
          .slice(...(mode === "xhr" ? [0, lists.length + 1] : [lists.length + 1]))
          .map(({ body }) => body),
      ).ids,
  );
  expect([...xhr!].filter((id) => official!.has(id))).toEqual([]);
});

describe("what is another client's is as unknown as what does not exist", () => {
  test("named by its id, at every place where a request can name something", async () => {
    for (const place of describedPlaces()) {
      const ask = places[place];
      if (!ask) throw new Error(`${place} has no row in this test`);
      for (const [kind, id] of idsOfB) {
        const unknown = unknownLike(id);
        const [reply, expected] = [await ask(id), await ask(unknown)];
        expect([place, kind, comparable(reply, id)]).toEqual([
          place,
          kind,
          comparable(expected, unknown),
        ]);
        expect([place, kind, reply.status >= 400 || isOfList(place)]).toEqual([place, kind, true]);
      }
    }
  });

  test("with an own credential as it is, so that 404 is the answer and not a refusal of the credential", async () => {
    const [ownEmployee] = idsOf(a, "employees");
    const [ownPayrun] = idsOf(a, "payruns");
    expect(
      (
        await harness.http.get(`${version}/xhr/employee`, {
          bearer: a.xhr.token,
          query: { id: ownEmployee ?? "" },
        })
      ).status,
    ).toBe(200);
    expect(
      (await harness.http.get(`${version}/xhr/payruns/${ownPayrun}`, { bearer: a.xhr.token }))
        .status,
    ).toBe(200);
    const [foreignEmployee] = idsOf(b, "employees");
    const [foreignPayrun] = idsOf(b, "payruns");
    expect(
      (
        await harness.http.get(`${version}/xhr/employee`, {
          bearer: a.xhr.token,
          query: { id: foreignEmployee ?? "" },
        })
      ).status,
    ).toBe(404);
    expect(
      (await harness.http.get(`${version}/xhr/payruns/${foreignPayrun}`, { bearer: a.xhr.token }))
        .status,
    ).toBe(404);
  });

  test("as a Bearer credential, on every operation that takes one", async () => {
    const bearerOperations = operations.filter(({ schemes }) => schemes.includes("bearer"));
    expect(bearerOperations.length).toBeGreaterThan(20);
    for (const { method, path, template } of bearerOperations) {
      for (const [kind, id] of [...idsOfB.slice(0, 10), ["the secret", b.xhr.secret] as const]) {
        const ask = (bearer: string) => harness.http.request(method, path, { bearer });
        const [reply, expected] = [
          await ask(id),
          await ask(kind === "the secret" ? mintCredential("cs", "dev") : unknownLike(id)),
        ];
        expect([method, template, kind, comparable(reply)]).toEqual([
          method,
          template,
          kind,
          comparable(expected),
        ]);
        expect([401, 403, 404]).toContain(reply.status);
      }
    }
  });

  test("with Basic credentials that are half an own and half another client's, on every operation that takes them", async () => {
    const basicOperations = operations.filter(({ schemes }) => schemes.includes("basic"));
    expect(basicOperations.length).toBeGreaterThanOrEqual(3);
    for (const { method, path, template } of basicOperations) {
      const ask = async (clientId: string, secret: string) =>
        comparable(await harness.http.request(method, path, { basic: [clientId, secret] }));
      const unknown = await ask(unknownLike(b.xhr.client.clientId), a.xhr.secret);
      expect([template, unknown.status]).toEqual([template, 401]);
      for (const [clientId, secret] of [
        [b.xhr.client.clientId, a.xhr.secret],
        [a.xhr.client.clientId, b.xhr.secret],
        [b.xhr.client.clientId, a.xhr.token],
        [b.xhr.client.clientId, b.xhr.token],
        [b.xhr.tokenId, a.xhr.secret],
      ] as const) {
        expect([method, template, await ask(clientId, secret)]).toEqual([
          method,
          template,
          unknown,
        ]);
      }
    }
  });

  test("to a standard OAuth client, that sends a form and its credentials in the header", async () => {
    const { client, secret } = a.xhr;
    const unknownCode = comparable(
      await exchangeAsForm(mintCredential("ac", "dev"), client.clientId, secret),
    );
    for (const code of [b.unusedCode, b.xhr.code])
      expect(comparable(await exchangeAsForm(code, client.clientId, secret))).toEqual(unknownCode);
    const unknownClient = comparable(
      await exchangeAsForm(b.unusedCode, unknownLike(client.clientId), b.xhr.secret),
    );
    expect(comparable(await exchangeAsForm(b.unusedCode, client.clientId, b.xhr.secret))).toEqual(
      unknownClient,
    );
    expect(comparable(await exchangeAsForm(b.unusedCode, b.xhr.client.clientId, secret))).toEqual(
      unknownClient,
    );
    expect([unknownCode.status, unknownClient.status]).toEqual([400, 401]);
  });

  test("in parameters that nobody asks for: the reply is the own one", async () => {
    const basic: [string, string] = [a.xhr.client.clientId, a.xhr.secret];
    const query = {
      client_id: b.xhr.client.clientId,
      token: b.xhr.tokenId,
      connection: String(idsOfB.find(([kind]) => kind === "a connection")?.[1]),
    };
    for (const path of ["client", "tokens"]) {
      const plain = await harness.http.get(`${version}/management/${path}`, { basic });
      const asked = await harness.http.get(`${version}/management/${path}`, { basic, query });
      expect(comparable(asked)).toEqual(comparable(plain));
    }
    for (const { path, query: range } of lists) {
      const plain = await harness.http.get(`${version}/xhr/${path}`, {
        bearer: a.xhr.token,
        query: range,
      });
      const asked = await harness.http.get(`${version}/xhr/${path}`, {
        bearer: a.xhr.token,
        query: { ...query, ...range },
      });
      expect([path, comparable(asked)]).toEqual([path, comparable(plain)]);
    }
  });

  test("below the paths of the management endpoints, where there is nothing", async () => {
    for (const [kind, id] of idsOfB.slice(0, 6)) {
      const unknown = unknownLike(id);
      for (const parent of ["client", "tokens", "token", "introspect", "disconnect"]) {
        const ask = (name: string) =>
          harness.http.get(`${version}/management/${parent}/${name}`, {
            basic: [a.xhr.client.clientId, a.xhr.secret],
          });
        expect([kind, parent, comparable(await ask(id), id)]).toEqual([
          kind,
          parent,
          comparable(await ask(unknown), unknown),
        ]);
      }
    }
  });
});

describe("what is read with an own credential", () => {
  test("holds no id of another client", async () => {
    const basic: [string, string] = [a.xhr.client.clientId, a.xhr.secret];
    const management = [
      await harness.http.get(`${version}/management/client`, { basic }),
      await harness.http.get(`${version}/management/tokens`, { basic }),
      await harness.http.get(`${version}/management/introspect`, { bearer: a.xhr.token }),
    ];
    for (const { bytes, status } of [...management, ...a.replies]) {
      expect(status).toBe(200);
      const text = bytes.toString();
      expect(idsOfB.filter(([, id]) => text.includes(id))).toEqual([]);
    }
  });

  test("is gone for its client alone when its token ends", async () => {
    const [own, foreign] = [await harness.connect(), await harness.connect()];
    await harness.http.post(`${version}/management/disconnect`, { bearer: own.token });
    expect((await harness.http.get(`${version}/xhr/identity`, { bearer: own.token })).status).toBe(
      403,
    );
    expect(
      (await harness.http.get(`${version}/xhr/identity`, { bearer: foreign.token })).status,
    ).toBe(200);
  });
});

test("none of this has left a trace at B, or a job at A", async () => {
  const tokens = await harness.http.get(`${version}/management/tokens`, {
    basic: [b.xhr.client.clientId, b.xhr.secret],
  });
  expect(tokens.body).toMatchObject([
    { token: b.xhr.tokenId, valid: true },
    { token: b.official.tokenId, valid: true },
  ]);
  const exchange = await harness.http.post(`${version}/management/token`, {
    json: exchangeBody({ ...b.xhr, code: b.unusedCode }),
  });
  expect(exchange.status).toBe(201);
  const pending = await harness.database.query(
    "select f.resource, f.parameters from reads f join connections c on c.id = f.connection_id where c.client_id = $1 and f.state = 'pending'",
    [a.xhr.client.clientId],
  );
  expect(pending).toEqual([]);
});
