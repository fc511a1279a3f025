import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../../src/clients/index.ts";
import type { JobDefinition } from "../../src/platform/queue/index.ts";
import type { Services } from "../../src/start/services.ts";
import type { WebhookDependencies } from "../../src/webhooks/dependencies.ts";
import { createDeliveryTable } from "../../src/webhooks/delivery-store.ts";
import { runDelivery } from "../../src/webhooks/run-delivery.ts";
import { findState } from "../../src/webhooks/state-store.ts";
import { createHarness, type ConnectOptions, type Harness } from "./harness.ts";
import type { Received } from "./receiver.ts";
import { StubProvider, type StubFetch } from "./stub-provider.ts";
import { TestClock } from "./test-clock.ts";

export interface Person {
  remote_id: string;
  first_name?: string;
  last_name: string;
  [field: string]: unknown;
}

/** A connection to the stub provider, and the company that it reads. Tests change the company. */
export interface Company {
  client: Client;
  secret: string;
  token: string;
  tokenId: string;
  connectionId: string;
  /** The employees in the provider's answer. */
  people: readonly Person[];
  /** Fields of the employees that the account may not read. */
  limited: readonly string[];
  /** The number of employees on a page. */
  pageSize: number;
  /** Called before the first page. May throw or wait. */
  onFetch: (fetch: StubFetch) => Promise<void> | void;
  /** Called after each page but the last. May throw. */
  onPageEnd: (fetch: StubFetch) => Promise<void> | void;
  /** The number of fetches of the employees. */
  fetches: number;
}

type HarnessOptions = NonNullable<Parameters<typeof createHarness>[0]> &
  Pick<NonNullable<ConstructorParameters<typeof StubProvider>[0]>, "concurrency" | "tellsChanges">;

export type WebhookHarness = Awaited<ReturnType<typeof createWebhookHarness>>;

/**
 * The harness with all that webhooks need. It is a hosted service, whose API accepts only https
 * addresses for webhooks. The receivers of tests use http on loopback, so `listen` registers them
 * in the clients room, not over the API. `OUTBOUND_ALLOW_WEBHOOKS` permits loopback.
 */
export async function createWebhookHarness({
  concurrency = 16,
  tellsChanges = false,
  ...options
}: HarnessOptions = {}) {
  const stub = new StubProvider({ concurrency, tellsChanges });
  const harness = await createHarness({ registry: stub.registry(), ...options });
  const { services, clock } = harness;
  const companies = new Map<unknown, Company>();
  routeToCompanies(stub, companies);

  const tick = async (): Promise<number> => {
    const claimed = await services.webhooks.schedulePolls();
    await services.webhooks.settlePending();
    return claimed;
  };
  const work = (workOptions?: WorkOptions): Promise<void> => runWebhookJobs(services, workOptions);
  const listen = async (clientId: string, webhookUri: string | null): Promise<void> => {
    const client = await services.clients.find(clientId);
    if (client) await services.clients.update(client, { webhookUri });
  };

  return {
    ...harness,
    stub,
    tick,
    work,
    listen,
    sweep: () => services.webhooks.sweep(),
    /** Everything that is due: polls, bodies, and what the sweepers find. */
    settle: async (workOptions?: WorkOptions) => {
      await tick();
      await work(workOptions);
      await services.webhooks.sweep();
      await work(workOptions);
    },
    /** Moves the clock by an hour and polls. */
    pollNextHour: async () => {
      clock.advance(3_600);
      await tick();
      await work();
    },
    /** Goes to the very moment that the connection's poll is due, and polls. */
    pollAtSlot: async ({ connectionId }: Pick<Company, "connectionId">) => {
      const [row] = await harness.database.query(
        "select next_poll_at as due from polls where connection_id = $1",
        [connectionId],
      );
      const due = new Date(String(row?.["due"])).getTime();
      clock.advance(Math.max(0, (due - clock.now().getTime()) / 1000));
      await tick();
      await work();
    },
    connectCompany: (people: readonly Person[], connectOptions: ConnectOptions = {}) =>
      connectCompany(harness, stub, companies, people, connectOptions),
    /** A company whose client listens at this address and whose baseline is set. */
    watchCompany: async (
      people: readonly Person[],
      webhookUri: string,
      connectOptions: ConnectOptions = {},
    ) => {
      const company = await connectCompany(harness, stub, companies, people, connectOptions);
      await listen(company.client.clientId, webhookUri);
      await tick();
      await work();
      return company;
    },
    statusOf: async (clientId: string) => (await services.webhooks.statusesOf(clientId)).employees,
    deliveriesOf: (clientId: string) => services.webhooks.list({ clientId, limit: 200 }),
    pollOf: ({ connectionId }: Pick<Company, "connectionId">) =>
      services.webhooks.findPoll(connectionId),
    stateOf: ({ connectionId }: Pick<Company, "connectionId">) =>
      findState(services.pool, connectionId),
    disconnectCompanies: async () => {
      for (const { tokenId } of companies.values()) await services.tokens.disconnectById(tokenId);
      companies.clear();
    },
  };
}

function routeToCompanies(stub: StubProvider, companies: ReadonlyMap<unknown, Company>): void {
  const of = (fetch: StubFetch): Company | undefined => companies.get(fetch.session["signIn"]);
  stub.onCall = (fetch) => {
    const company = of(fetch);
    if (!company) return;
    company.fetches += 1;
    stub.pages = { employees: pagesOf(company) };
    stub.limited = company.limited;
  };
  stub.onFetch = async (fetch) => await of(fetch)?.onFetch(fetch);
  stub.onPageEnd = async (fetch) => await of(fetch)?.onPageEnd(fetch);
}

function pagesOf({ people, pageSize }: Company): (readonly Person[])[] {
  const count = Math.max(1, Math.ceil(people.length / pageSize));
  return Array.from({ length: count }, (_, index) =>
    people.slice(index * pageSize, (index + 1) * pageSize),
  );
}

async function connectCompany(
  harness: Harness,
  stub: StubProvider,
  companies: Map<unknown, Company>,
  people: readonly Person[],
  options: ConnectOptions,
): Promise<Company> {
  // The newest token is found by its id. Ids of the same millisecond have no order.
  if (options.client && harness.clock instanceof TestClock) harness.clock.advance(1);
  const connected = await harness.connect({ provider: "stub", ...options });
  const [row] = await harness.database.query("select id from connections where token_id = $1", [
    connected.tokenId,
  ]);
  const { client, secret, token, tokenId } = connected;
  const company: Company = {
    client,
    secret,
    token,
    tokenId,
    connectionId: String(row?.["id"]),
    people,
    limited: [],
    pageSize: 100,
    onFetch: () => undefined,
    onPageEnd: () => undefined,
    fetches: 0,
  };
  companies.set(stub.signIns, company);
  return company;
}

interface WorkOptions {
  /** Also reads that wait for their next try. */
  includeDelayed?: boolean;
  /** The reads that run at once. */
  places?: number;
}

/** What the room of webhooks is handed by the service. */
export function webhookDependencies(services: Services): WebhookDependencies {
  return { ...services, ways: services.webhookWays };
}

/** One attempt at a delivery that is due. */
export async function attemptDelivery(dependencies: WebhookDependencies): Promise<void> {
  const delivery = await createDeliveryTable(dependencies.pool).claim();
  await runDelivery(dependencies, delivery!, new AbortController().signal);
}

/** Runs the reads, the polls and the deliveries until there is none left to run. */
export async function runWebhookJobs(
  services: Services,
  { includeDelayed = false, places = 16 }: WorkOptions = {},
): Promise<void> {
  const { pool, clock, queue, reads, webhooks } = services;
  if (includeDelayed)
    await pool.query("update reads set due_at = $1 where due_at is not null", [clock.now()]);
  const reading = reads.work(places);
  const delivering = webhooks.workOnDeliveries();
  const jobs = [reading.job, delivering.job] as unknown as JobDefinition<never>[];
  for (const job of jobs) queue.work(job);
  const areIdle = async (): Promise<boolean> => {
    await reading.work.drained();
    await webhooks.polls.drained();
    await delivering.work.drained();
    return (await Promise.all(jobs.map(({ name }) => queue.isIdle(name)))).every(Boolean);
  };
  // A read begins a poll, and a poll enqueues a delivery, so nothing is left only after idle looks in a row.
  while (!((await areIdle()) && (await areIdle()) && (await areIdle()))) await delay(5);
  await Promise.all([
    reading.stop(10_000),
    delivering.work.stop(10_000),
    queue.stopWorking(10_000),
  ]);
}

export function person(number: number, fields: Record<string, unknown> = {}): Person {
  return {
    remote_id: `r${number}`,
    first_name: `First${number}`,
    last_name: `Last${number}`,
    ...fields,
  };
}

export function people(count: number, from = 1): Person[] {
  return Array.from({ length: count }, (_, index) => person(from + index));
}

/** The remote ids in the three lists of a body. */
export function whoIn({
  body,
}: Pick<Received, "body">): Record<"added" | "removed" | "updated", string[]> {
  return { added: idsOf(body.added), removed: idsOf(body.removed), updated: idsOf(body.updated) };
}

function idsOf(list: readonly { remote_id: string }[]): string[] {
  return list.map(({ remote_id: id }) => id).sort();
}
