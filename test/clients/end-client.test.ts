import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { endClients } from "../../src/start/end-clients.ts";
import { rollcall } from "../support/command-line.ts";
import { comparable } from "../support/comparable-reply.ts";
import { ConnectVisitor, headingOf, linkPath, textOf } from "../support/connect-visitor.ts";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";
import { countLockWaits } from "../support/lock-waits.ts";
import { answers } from "../support/receiver.ts";
import { Gate } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";
import { people, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const management = "/2023-03-01/management";
const employees = "/2023-03-01/xhr/employees";

const { harness, receiver } = await stageWebhooks();
const { services, http, database } = harness;

/** Another process of the same service: its own memory, the same database and keys. */
let elsewhere: Harness;
beforeAll(async () => {
  const { MASTER_KEYS, SANDBOX_ACCESS_TOKEN } = harness.environment;
  elsewhere = await createHarness({
    database,
    clock: harness.clock,
    registry: harness.stub.registry(),
    env: { MASTER_KEYS: MASTER_KEYS!, SANDBOX_ACCESS_TOKEN: SANDBOX_ACCESS_TOKEN! },
  });
});
afterAll(() => elsewhere.close());
afterEach(() => vi.restoreAllMocks());

const never = new AbortController().signal;
const work = (of: Harness["services"] = services): Promise<void> => endClients(of, never);
/** Until nothing is left, for a client that is told of nothing. */
async function workAll(): Promise<void> {
  await work();
  await services.events.place();
  await work();
}
const end = ({ client }: Pick<Company, "client">) => services.clients.ends.begin(client.clientId);
const basicOf = ({ client, secret }: Pick<Company, "client" | "secret">): [string, string] => [
  client.clientId,
  secret,
];
const exchange = (code: Parameters<typeof exchangeBody>[0]) =>
  http.post(`${management}/token`, { json: exchangeBody(code) });
const connectionsOf = async ({ client }: Pick<Company, "client">): Promise<number> =>
  await services.connections.listing.count({ clientId: client.clientId }, 10_000);
const storedClient = async ({ client }: Pick<Company, "client">) =>
  (await database.query(`select * from clients where client_id = '${client.clientId}'`))[0]!;
const disconnectsOf = async ({ client }: Pick<Company, "client">) =>
  await database.query(
    `select token_id, detail from audit_entries
     where client_id = '${client.clientId}' and action = 'token.disconnected'`,
  );

let company: Company;
let beside: Company;
beforeEach(async () => {
  company = await harness.connectCompany(people(2));
  beside = await harness.connectCompany(people(2));
});

describe("from its end on", () => {
  test("its secrets are refused as wrong ones are, in every process", async () => {
    const json = { redirect_uri: redirectUri, scope: employees };
    const asWrong = [company.client.clientId, "x".repeat(40)] as [string, string];
    const calls = (basic: [string, string]) => [
      http.get(`${management}/client`, { basic }),
      http.get(`${management}/tokens`, { basic }),
      http.get(`${management}/events`, { basic }),
      http.post(`${management}/connect-session`, { basic, json }),
      elsewhere.http.get(`${management}/client`, { basic }),
    ];
    await end(company);
    const [refused, wrong] = await Promise.all(
      [basicOf(company), asWrong].map((basic) => Promise.all(calls(basic))),
    );
    expect(refused!.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(refused!.map((reply) => comparable(reply))).toEqual(
      wrong!.map((reply) => comparable(reply)),
    );
    for (const reply of await Promise.all(calls(basicOf(beside))))
      expect(reply.status).toBeLessThan(300);
  });

  test("its tokens are refused as disconnected ones are, in every process, before any is disconnected", async () => {
    const gone = await harness.connectCompany(people(1));
    await services.tokens.disconnectById(gone.tokenId);
    await end(company);
    for (const { http: of } of [harness, elsewhere]) {
      for (const path of [employees, "/2023-03-01/xhr/identity"]) {
        const [refused, disconnected] = await Promise.all(
          [company, gone].map(({ token }) => of.get(path, { bearer: token })),
        );
        expect(refused!.status).toBe(403);
        expect(comparable(refused!)).toEqual(comparable(disconnected!));
        expect((await of.get(path, { bearer: beside.token })).status).toBeLessThan(300);
      }
      const states = [company, beside].map(({ token }) =>
        of.get(`${management}/introspect`, { bearer: token }),
      );
      expect((await Promise.all(states)).map(({ body }) => body)).toMatchObject([
        { active: false },
        { active: true },
      ]);
    }
    expect(await connectionsOf(company)).toBe(1);
  });

  test("its codes are refused as those of an unknown client are", async () => {
    const [own, others] = await Promise.all(
      [company, beside].map((client) => signIn(services, { client })),
    );
    await end(company);
    const unknown = { ...own!, client: { ...own!.client, clientId: randomUUID() } };
    const [refused, asUnknown] = [await exchange(own!), await exchange(unknown)];
    expect([refused.status, comparable(refused)]).toEqual([400, comparable(asUnknown)]);
    expect((await exchange(others!)).status).toBe(201);
  });

  test("its links are those of an unknown client, and a sign-in under way has expired", async () => {
    const json = { redirect_uri: redirectUri, scope: employees, provider: "stub" };
    const openSession = async (): Promise<string> => {
      const url = `${management}/connect-session`;
      const { body } = await http.post(url, { basic: basicOf(company), json });
      const { connect_url: address } = body as { connect_url: string };
      return address.replace("https://api.example.com", "");
    };
    const browser = new ConnectVisitor(harness.baseUrl);
    const [begun, unopened] = [await browser.open(await openSession()), await openSession()];
    expect(begun.status).toBe(200);
    await end(company);
    const link = (clientId: string) => browser.open(linkPath({ clientId }));
    for (const page of [await link(company.client.clientId), await link(randomUUID())])
      expect([page.status, textOf(page)]).toEqual([
        400,
        expect.stringContaining("client_id is unknown."),
      ]);
    expect(headingOf(await browser.open(begun.path))).toBe("This sign-in has expired");
    const late = await new ConnectVisitor(harness.baseUrl).open(unopened);
    expect(headingOf(late)).toBe("This sign-in has expired");
  });

  test("it is changed by nobody who read it before, and is ended once", async () => {
    const before = (await services.clients.find(company.client.clientId))!;
    await Promise.all([
      end(company),
      elsewhere.services.clients.ends.begin(company.client.clientId),
    ]);
    const ended = await storedClient(company);
    await expect(services.clients.update(before, { name: "Other" })).rejects.toThrow(/changed/);
    await workAll();
    await end(company);
    const entries = await database.query(
      `select action from audit_entries where client_id = '${company.client.clientId}'
         and action like 'client.e%' order by id`,
    );
    expect(entries.map(({ action }) => action)).toEqual(["client.ended", "client.emptied"]);
    expect((await storedClient(company))["ended_at"]).toEqual(ended["ended_at"]);
  });

  test("who takes the end out of its row in the database brings it back for nobody", async () => {
    await end(company);
    await database.query(
      `update clients set ended_at = null where client_id = '${company.client.clientId}'`,
    );
    const reply = await http.get(`${management}/client`, { basic: basicOf(company) });
    expect(reply.status).toBe(401);
  });

  test("somebody else's change of its row keeps nothing of it for good: it is ended again by the command", async () => {
    await end(company);
    const { clientId } = company.client;
    await database.query(`update clients set purpose = 'other' where client_id = '${clientId}'`);
    await workAll();
    expect((await storedClient(company))["emptied_at"]).toBeNull();
    const again = await rollcall(["client", "end", clientId, "--yes"], harness.environment);
    expect(again.code).toBe(0);
    await workAll();
    expect((await storedClient(company))["emptied_at"]).not.toBeNull();
    expect([await connectionsOf(company), await connectionsOf(beside)]).toEqual([0, 1]);
  });
});

describe("the worker", () => {
  test("disconnects what it has, each in the audit record, and leaves its name alone of it", async () => {
    await http.get(employees, { bearer: company.token });
    await harness.drain();
    await end(company);
    await workAll();
    expect([await connectionsOf(company), await connectionsOf(beside)]).toEqual([0, 1]);
    expect(await disconnectsOf(company)).toMatchObject([
      { token_id: company.tokenId, detail: { by: "operator", lists: 1 } },
    ]);
    const stored = await storedClient(company);
    expect(stored).toMatchObject({ name: "Test", redirect_uris: [], webhook_uri: null });
    expect(stored["emptied_at"]).not.toBeNull();
    const { clientId } = company.client;
    expect(
      await database.query(`select from client_secrets where client_id = '${clientId}'`),
    ).toHaveLength(0);
    expect(await disconnectsOf(beside)).toHaveLength(0);
    expect((await http.get(`${management}/client`, { basic: basicOf(beside) })).status).toBe(200);
  });

  test("ends each of many once, whoever dies in the middle, and with a second one beside it", async () => {
    const count = 130;
    for (let made = 1; made < count; made += 1) await harness.connect({ client: company });
    await end(company);
    const { tokens } = services;
    let left = 110;
    const dying = vi.spyOn(tokens, "disconnect").mockImplementation(async function (...given) {
      if ((left -= 1) < 0) throw new Error("killed");
      return await Reflect.apply(Object.getPrototypeOf(tokens).disconnect, tokens, given);
    });
    await expect(work()).rejects.toThrow("killed");
    dying.mockRestore();
    expect(await connectionsOf(company)).toBe(count - 110);
    await Promise.all([work(), work(elsewhere.services)]);
    expect(await connectionsOf(company)).toBe(0);
    const ended = await disconnectsOf(company);
    expect(new Set(ended.map(({ token_id: id }) => id)).size).toBe(count);
    expect(ended).toHaveLength(count);
  });

  test("takes a part of very many in one run, which then is not late", async () => {
    await harness.connect({ client: company });
    await database.query(
      `with copied as (
         insert into tokens (id, client_id, digest, provider, mode, scopes, created_at, code_digest, grant_mac, digest_mac)
         select gen_random_uuid(), client_id, sha256(gen_random_uuid()::text::bytea), provider, mode, scopes, created_at,
           sha256(gen_random_uuid()::text::bytea), grant_mac, digest_mac
         from tokens, generate_series(1, 600) where id = '${company.tokenId}'
         returning id)
       insert into connections (id, client_id, token_id, provider, mode, scopes, key_id, wrapped_key, sealed_session,
         sealed_identity, unsupported, created_at, signed_in_at, claimed_at, origin_key)
       select gen_random_uuid(), c.client_id, copied.id, c.provider, c.mode, c.scopes, c.key_id, c.wrapped_key,
         c.sealed_session, c.sealed_identity, c.unsupported, c.created_at, c.signed_in_at, c.claimed_at, c.origin_key
       from copied, connections c where c.token_id = '${company.tokenId}'`,
    );
    await end(company);
    await work();
    expect(await connectionsOf(company)).toBe(102);
    await work();
    expect(await connectionsOf(company)).toBe(0);
  });

  test("stops between two connections when its process stops", async () => {
    await harness.connect({ client: company });
    await end(company);
    const stopping = new AbortController();
    const { tokens } = services;
    vi.spyOn(tokens, "disconnect").mockImplementation(async function (...given) {
      await Reflect.apply(Object.getPrototypeOf(tokens).disconnect, tokens, given);
      stopping.abort();
    });
    await endClients(services, stopping.signal);
    expect(await connectionsOf(company)).toBe(1);
  });
});

describe("an exchange during the end", () => {
  test("that was first gives a token that is refused, and disconnected", async () => {
    const code = await signIn(services, { client: company });
    const gate = new Gate();
    const { connections } = services;
    vi.spyOn(connections, "claim").mockImplementationOnce(async function (...given) {
      await gate.pass();
      return await Reflect.apply(Object.getPrototypeOf(connections).claim, connections, given);
    });
    const exchanging = exchange(code);
    await gate.reached;
    const ending = end(company);
    await untilTrue("the end waits", async () => (await countLockWaits(database)) === 1);
    gate.open();
    const [{ status, body }] = await Promise.all([exchanging, ending]);
    expect(status).toBe(201);
    const { access_token: bearer } = body as { access_token: string };
    expect((await http.get(employees, { bearer })).status).toBe(403);
    await work();
    expect([await connectionsOf(company), (await disconnectsOf(company)).length]).toEqual([0, 2]);
  });

  test("that was second gives no token", async () => {
    const code = await signIn(services, { client: company });
    const gate = new Gate();
    let isGated = true;
    services.clients.observe({
      onEnded: async () => {
        if (isGated) await gate.pass();
        isGated = false;
      },
    });
    const ending = end(company);
    await gate.reached;
    const exchanging = exchange(code);
    await untilTrue("the exchange waits", async () => (await countLockWaits(database)) === 1);
    gate.open();
    const [{ status }] = await Promise.all([exchanging, ending]);
    expect(status).toBe(400);
    await work();
    expect((await disconnectsOf(company)).length).toBe(1);
  });
});

const eventsOf = (): { type: string; data: Record<string, unknown> }[] =>
  receiver.received.map(({ bytes }) => JSON.parse(bytes.toString()));
const happen = async (type: string): Promise<void> => {
  await database.query("select record_event_of($1, $2, '{}')", [company.connectionId, type]);
  await services.events.place();
};

/** As a worker does, until nothing is due. */
async function settle(): Promise<void> {
  await work();
  await services.events.place();
  await harness.settle();
  await work();
}

async function listenTo(change: Parameters<typeof services.clients.update>[1]): Promise<void> {
  const client = (await services.clients.find(company.client.clientId))!;
  await services.clients.update(client, change);
  await harness.settle();
}

describe("webhooks and polls", () => {
  test("the last that it hears, signed, is the end of each connection; then its secrets go", async () => {
    await services.events.place();
    await listenTo({ eventUri: receiver.url, webhookUri: receiver.url });
    receiver.reset();
    await happen("connection.healed");
    await end(company);
    await work();
    expect((await storedClient(company))["emptied_at"]).toBeNull();
    await settle();
    expect(eventsOf().map(({ type, data }) => [type, data["by"]])).toEqual([
      ["connection.ended", "operator"],
    ]);
    expect(receiver.last.headers).toHaveProperty("webhook-signature");
    const stored = await storedClient(company);
    expect([stored["emptied_at"] === null, stored["event_uri"]]).toEqual([false, null]);
    expect(await services.webhooks.statusesOf(company.client.clientId)).toEqual({
      employees: null,
      events: null,
    });
  });

  test("a receiver that is gone keeps nothing of it alive", async () => {
    await services.events.place();
    await listenTo({ eventUri: receiver.url });
    receiver.answer = answers.status(410);
    await end(company);
    await settle();
    expect((await storedClient(company))["emptied_at"]).not.toBeNull();
    const left = await database.query(
      `select from deliveries where client_id = '${company.client.clientId}' and status = 'pending'`,
    );
    expect(left).toHaveLength(0);
  });

  test("nothing is polled for it any more, and everything for the client beside it", async () => {
    for (const each of [company, beside]) await harness.listen(each.client.clientId, receiver.url);
    await harness.settle();
    for (const each of [company, beside]) each.people = people(3);
    const before = [company.fetches, beside.fetches];
    await end(company);
    receiver.reset();
    await harness.pollNextHour();
    expect([company.fetches, beside.fetches]).toEqual([before[0], before[1]! + 1]);
    expect(receiver.received).toHaveLength(1);
  });
});
