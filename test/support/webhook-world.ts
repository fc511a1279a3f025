import { Clients, type Client } from "../../src/clients/index.ts";
import { readConfig } from "../../src/config/index.ts";
import { Connections } from "../../src/connections/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { buildServices, type Services } from "../../src/start/services.ts";
import type { WebhookDependencies } from "../../src/webhooks/dependencies.ts";
import { Webhooks } from "../../src/webhooks/index.ts";
import { deliveryQueue } from "../../src/webhooks/enqueue-delivery.ts";
import { createDeliveryWork } from "../../src/webhooks/jobs.ts";
import { runPoll } from "../../src/webhooks/run-poll.ts";
import { schedulePolls } from "../../src/webhooks/schedule-polls.ts";
import { createTestDatabase } from "./database.ts";
import { testEnvironment } from "./harness.ts";
import { KillablePool } from "./killable-pool.ts";
import { TestClock } from "./test-clock.ts";
import { SimulatedQueue, type SimulatedJob } from "./webhook-model/simulated-queue.ts";
import { Journal } from "./webhook-model/journal.ts";
import { companyCount, ModelProvider } from "./webhook-model/provider.ts";
import { ModelReceiver } from "./webhook-model/receiver.ts";
import type { Step } from "./webhook-model/steps.ts";

const minuteSeconds = 60;
const beginning = Date.parse("2026-03-02T10:00:00Z") / 1000;
const address = "https://receiver.example.com/hook";

/**
 * A worker with one place makes every attempt that is due. It does not renew its leases: one that is stopped is
 * overtaken, and goes on later.
 */
async function deliverAll(dependencies: WebhookDependencies): Promise<void> {
  await createDeliveryWork(dependencies, 1).drained();
}

/** Where the simulated queue has the polls that the process runs. */
const pollRuns = "poll";

interface Sender {
  clients: Clients;
  webhooks: Webhooks;
  schedule(): Promise<unknown>;
}

/** One database and one clock. Histories run on it one after the other. */
export interface Lane {
  services: Services;
  clock: TestClock;
  close(): Promise<void>;
}

export async function createLane(): Promise<Lane> {
  const database = await createTestDatabase();
  const clock = new TestClock();
  clock.lead(database);
  const services = await buildServices(readConfig(testEnvironment(database.url)), {
    clock,
    // No chance in the times of retries, so that a history can be repeated.
    random: { between: (low, high) => (low + high) / 2 },
    log: createLog({ level: "silent" }),
  });
  return {
    services,
    clock,
    close: async () => {
      await services.dispose();
      await database.drop();
    },
  };
}

/** Runs a history and returns the rule that it broke, or undefined. */
export async function runHistory(
  lane: Lane,
  steps: readonly Step[],
  trace: string[] = [],
): Promise<string | undefined> {
  const world = new World(lane, trace);
  await world.begin();
  for (const step of steps) {
    await world.take(step);
    if (world.violation !== undefined) break;
  }
  if (world.violation === undefined) await world.becomeQuiet();
  await world.end();
  return world.violation;
}

/**
 * A simulated provider, the real sender, which can die at any moment, and a simulated receiver,
 * which fails in every way.
 */
class World {
  readonly #services: Services;
  readonly #clock: TestClock;
  readonly #journal: Journal;
  readonly #killable: KillablePool;
  readonly #provider: ModelProvider;
  readonly #receiver: ModelReceiver;
  readonly #queue: SimulatedQueue;
  readonly #sender: Sender;
  #client: Client | undefined;

  constructor({ services, clock }: Lane, trace: string[]) {
    this.#services = services;
    this.#clock = clock;
    this.#journal = new Journal(clock, trace);
    this.#killable = new KillablePool(services.pool);
    this.#provider = new ModelProvider(services.pool, this.#journal);
    this.#receiver = new ModelReceiver(clock, this.#journal, this.#provider.companies);
    this.#queue = new SimulatedQueue(this.#journal, this.#killable);
    this.#receiver.beforeAnswer = () => this.#queue.holdIfAsked();
    this.#sender = this.#buildSender();
  }

  get violation(): string | undefined {
    return this.#journal.violation;
  }

  async begin(): Promise<void> {
    // The same time and the same offsets of polls, so that a history can be repeated.
    this.#clock.advance(beginning - this.#journal.now);
    await this.#services.pool.query("alter sequence poll_offsets restart with 1");
    const { client, secret } = await this.#services.clients.create({
      name: "Model",
      redirectUris: ["https://app.example.com/callback"],
    });
    this.#receiver.secrets = [secret];
    for (let index = 0; index < companyCount; index += 1) {
      const signIn = {
        session: { user: "user_good", hour: 0 },
        identity: { name: "A", email: "a@example.com", phone_number: null },
        unsupported: [],
        origin: null,
      };
      const opening = {
        clientId: client.clientId,
        provider: "sandbox",
        mode: "xhr" as const,
        scopes: ["/2023-03-01/xhr/employees" as const],
        signIn,
      };
      const { pool, tokens, connections } = this.#services;
      const { id: tokenId } = await transaction(pool, (tx) => tokens.issueDirectly(tx, opening));
      const connection = await connections.find({ tokenId });
      this.#provider.open({ connectionId: connection!.id, tokenId });
    }
    this.#client = await this.#services.clients.update(client, { webhookUri: address });
    await this.#pass(1, 1);
  }

  async end(): Promise<void> {
    await this.#queue.release({ now: true });
    await this.#services.pool.query("delete from clients where client_id = $1", [
      this.#client?.clientId,
    ]);
  }

  async take(step: Step): Promise<void> {
    this.#journal.say(JSON.stringify(step));
    switch (step.do) {
      case "wait":
        return await this.#pass(step.minutes, step.by);
      case "receiver":
        return void (this.#receiver.mode = step.mode);
      case "hold":
        return this.#queue.holdNext(step.minutes * minuteSeconds);
      case "kill":
        return this.#killable.killAfter(step.after);
      case "lose-jobs":
        return void (this.#queue.jobsToLose = step.count);
      case "rotate":
        return await this.#rotate();
      case "replay":
        return await this.#replay(step.pick);
      case "set-address":
        return await this.#update({ webhookUri: address });
      default:
        return this.#provider.change(step);
    }
  }

  /**
   * Everything works again and nothing changes. Soon nothing is pending, and the receiver has the
   * provider's employees.
   */
  async becomeQuiet(): Promise<void> {
    this.#journal.say("quiet from here on");
    this.#killable.killAfter(Infinity);
    this.#receiver.mode = "ok";
    this.#queue.jobsToLose = 0;
    this.#queue.holdNext(undefined);
    this.#provider.recover();
    const statuses = await this.#services.webhooks.statusesOf(this.#client?.clientId ?? "");
    if (statuses.employees !== "active") await this.#update({ webhookUri: address });
    for (let round = 0; round < 40 && this.violation === undefined; round += 1) {
      await this.#pass(61, 61);
      if (round >= 2 && (await this.#isQuiet())) break;
    }
    for (const company of this.#provider.companies) this.#receiver.checkRebuilt(company);
  }

  /**
   * The rooms of a worker, on a database that it can lose. Everything outside of the worker is
   * simulated.
   */
  #buildSender(): Sender {
    const { audit, keyring, config, boundSince, log } = this.#services;
    const { pool } = this.#killable;
    const clock = this.#clock;
    const clients = new Clients({
      pool,
      keyring,
      clock,
      audit,
      environment: config.environment,
      addressRules: { allowsHttpWebhooks: true, canReach: () => true },
      boundSince,
      log,
    });
    const { listener } = this.#services;
    const connections = new Connections({ pool, keyring, clock, audit, listener, log });
    const queue = {
      enqueue: (name: string, payload: Record<string, string>, afterSeconds?: number) =>
        this.#queue.enqueue(name, payload, afterSeconds),
    } as unknown as Services["queue"];
    const dependencies: WebhookDependencies = {
      ...this.#services,
      pool,
      queue,
      audit,
      clients,
      connections,
      pollSource: {
        observe: () => undefined,
        compareWith: () => undefined,
        askAll: async () => new Set(),
        ask: (connectionId: string) => this.#provider.answer(connectionId),
        open: async (_connectionId: string, version: string) => this.#provider.lists.get(version),
        // Each of its answers is a list of everybody.
        rereadEverybody: async () => undefined,
      },
      ways: {
        outside: { request: (options: never) => this.#receiver.receive(options) },
      } as unknown as Services["webhookWays"],
    };
    const webhooks = new Webhooks(dependencies);
    this.#queue.jobs = new Map<string, SimulatedJob>([
      [pollRuns, ({ connectionId = "" }) => runPoll(dependencies, connectionId)],
      [deliveryQueue, () => deliverAll({ ...dependencies, log: this.#queue.log })],
    ]);
    const begin = (connectionId: string): void =>
      void this.#queue.enqueue(pollRuns, { connectionId });
    const schedule = async (): Promise<void> => {
      await schedulePolls(dependencies, begin);
      await webhooks.settlePending();
    };
    return { clients, webhooks, schedule };
  }

  async #isQuiet(): Promise<boolean> {
    const { rows } = await this.#services.pool.query(
      `select from polls where client_id = $1 and state <> 'idle'
       union all select from receiver_states where client_id = $1 and (has_pending_changes or current <> acknowledged)
       union all select from deliveries where client_id = $1 and status = 'pending'`,
      [this.#client?.clientId],
    );
    return rows.length === 0;
  }

  /** Lets time pass in steps of at most `by` minutes, and stops at every time when a job is due. */
  async #pass(minutes: number, by: number): Promise<void> {
    const end = this.#journal.now + minutes * minuteSeconds;
    while (this.#journal.now < end && this.violation === undefined) {
      const { now } = this.#journal;
      const next = Math.min(end, now + by * minuteSeconds, ...this.#queue.alarms);
      this.#clock.advance(Math.max(1, Math.ceil(next - now)));
      await this.#queue.release();
      await this.#pump();
    }
  }

  /** Runs the schedules and the workers at this moment. */
  async #pump(): Promise<void> {
    const { polls, sweep } = await this.#findWork();
    if (polls) await this.#queue.attempt("scheduling", () => this.#sender.schedule());
    await this.#queue.runDue();
    if (sweep || polls) await this.#queue.attempt("sweeping", () => this.#sender.webhooks.sweep());
    if (sweep || polls) this.#queue.wake(deliveryQueue);
    await this.#queue.runDue();
  }

  /** Whether the schedules would find something. It only saves their queries. */
  async #findWork(): Promise<{ polls: boolean; sweep: boolean }> {
    const { rows } = await this.#services.pool.query<{ polls: boolean; sweep: boolean }>(
      `select exists (select from polls where next_poll_at <= $1)
         or exists (select from webhook_endpoints where has_changed or resumed_to is not null) as polls,
         exists (select from polls where state = 'pending') or exists (select from receiver_states where has_pending_changes)
         or exists (select from deliveries where status = 'pending' and due_at <= $1) as sweep`,
      [this.#clock.now()],
    );
    return rows[0] ?? { polls: true, sweep: true };
  }

  async #rotate(): Promise<void> {
    const secrets = [mintCredential("cs", "dev"), ...this.#receiver.secrets].slice(0, 3);
    await this.#update({ secrets });
    this.#receiver.secrets = secrets;
  }

  async #update(change: Parameters<Clients["update"]>[1]): Promise<void> {
    await this.#services.clients.update(await this.#findClient(), change);
  }

  async #replay(pick: number): Promise<void> {
    const found = await this.#services.webhooks.list({
      clientId: this.#client?.clientId ?? "",
      limit: 100,
    });
    const chosen = found[Math.floor(pick * found.length)];
    if (!chosen) return;
    this.#journal.say(`replays ${chosen.id.slice(-4)}, which is ${chosen.status}`);
    await this.#queue.attempt("replaying", () => this.#sender.webhooks.replay(chosen));
    await this.#queue.runDue();
  }

  async #findClient(): Promise<Client> {
    const found = await this.#services.clients.find(this.#client?.clientId ?? "");
    if (!found) throw new Error("the client is gone");
    return found;
  }
}
