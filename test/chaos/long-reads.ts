import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { projectDir } from "../support/program-environment.ts";
import { Receiver } from "../support/receiver.ts";
import {
  startPeopleVendor,
  type PeopleVendor,
  type PeopleVendorOptions,
} from "../support/vendors/people-vendor.ts";
import { connectAccount, createClient, listenAt, type Account } from "./accounts.ts";
import { askUntilEnded, describeEnd } from "./asking.ts";
import { formatMs } from "./latency.ts";
import { pollNow, pollsEnded, readCounter, untilSo } from "./measuring.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

export const quotaAndKills: Row = {
  name: "quota-and-kills",
  target: "everybody is read; at most 5 % more requests than the least; none refused",
  limitMinutes: 30,
  run: measureQuota,
};

export const refreshTokens: Row = {
  name: "refresh-tokens",
  target: "one refresh for each expiry, none refused, every read ends with 200",
  limitMinutes: 30,
  run: measureRefreshes,
};

export const rightLostAndGivenBack: Row = {
  name: "right-lost-and-given-back",
  target:
    "the other resources stay readable; nobody is removed or updated by the loss or the return; it heals",
  limitMinutes: 10,
  run: measureRights,
};

export const peopleLeaveDuringRead: Row = {
  name: "people-leave-during-read",
  target: "who was only missing from a long read is never removed; who left is, by the second read",
  limitMinutes: 30,
  run: measureLeavers,
};

const idsPerPage = 100;
/** The vendor's limit, which the adapter declares. */
const perMinute = 60;

async function begin(context: RowContext, options: PeopleVendorOptions) {
  const stage = await context.stage({
    PROVIDERS: join(projectDir, "test/support/vendors/people-provider.ts"),
    SNAPSHOT_FRESH_SECONDS: "1",
    SNAPSHOT_STALE_SECONDS: "1",
  });
  await stage.start("api");
  const vendor = await startPeopleVendor(options);
  context.defer("the vendor", () => vendor.close());
  return { stage, vendor, client: await createClient(stage) };
}

async function connectPeople(
  stage: Stage,
  vendor: PeopleVendor,
  client: { clientId: string; secret: string },
  username = "acme",
): Promise<Account> {
  return await connectAccount(stage, client, { url: vendor.url, username, provider: "people" });
}

async function readPeople(stage: Stage, { token }: Account): Promise<{ id: string }[]> {
  const { body } = await request(`${stage.baseUrl}/2023-03-01/xhr/employees`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await body.json()) as { id: string }[];
}

async function measureQuota(context: RowContext): Promise<Measured> {
  const people = context.scaled(600, 90);
  const { stage, vendor, client } = await begin(context, { people, perMinute });
  await stage.start("worker");
  const account = await connectPeople(stage, vendor, client);
  const limitMs = context.scaled(1_500_000, 300_000);
  const ending = askUntilEnded(stage, account, { limitMs });
  for (const part of [1 / 3, 2 / 3]) {
    await untilSo(stage, limitMs, async () => requestsFor(vendor, "people") > people * part);
    await stage.running.at(-1)!.kill("SIGKILL");
    context.note(`the worker is killed after ${requestsFor(vendor, "people")} requests`);
    await stage.start("worker");
  }
  const ended = await ending;
  const found = ended.status === 200 ? (await readPeople(stage, account)).length : 0;
  const asked = requestsFor(vendor, "people");
  const least = people + Math.floor(people / idsPerPage) + 1;
  const { refused } = vendor.counts();
  return {
    isOk: found === people && asked <= least * 1.05 && refused === 0,
    measured:
      `${describeEnd(ended)} after ${formatMs(ended.tookMs)} with ${found} of ${people}; ` +
      `${asked} requests where ${least} do (${percent(asked / least - 1)} more); ${refused} refused`,
  };
}

async function measureRefreshes(context: RowContext): Promise<Measured> {
  const rounds = context.scaled(100, 5);
  const { stage, vendor, client } = await begin(context, { people: 5 });
  await stage.start("worker");
  await stage.start("worker");
  // Its rounds would wait for a quota, which is not what is measured here.
  const account = await connectPeople(stage, vendor, client, "unlimited");
  const resources = ["employees", "groups", "company"];
  let failed = 0;
  for (let round = 0; round < rounds; round += 1) {
    vendor.control({ expire: true });
    const ends = await Promise.all(
      resources.map((resource) => askUntilEnded(stage, account, { resource, limitMs: 60_000 })),
    );
    failed += ends.filter(({ status }) => status !== 200).length;
    // The data are served as they are for a second.
    await delay(1_100);
  }
  const { refreshes, refusedRefreshes } = vendor.counts();
  return {
    isOk: refreshes === rounds && refusedRefreshes === 0 && failed === 0,
    measured:
      `${rounds} expiries, three resources, two workers: ${refreshes} refreshes, ` +
      `${refusedRefreshes} refused; ${failed} of ${rounds * resources.length} reads failed`,
  };
}

/** What a webhook told, over all that were received. */
function toldBy(receiver: Receiver) {
  const bodies = receiver.received.map(({ body }) => body);
  return {
    added: bodies.reduce((sum, { added }) => sum + added.length, 0),
    updated: bodies.reduce((sum, { updated }) => sum + updated.length, 0),
    removed: bodies.reduce((sum, { removed }) => sum + removed.length, 0),
  };
}

/** Polls once and waits for the end of the poll and of its webhook. */
async function pollOnce(stage: Stage, limitMs: number): Promise<void> {
  const count = (): Promise<number> => readCounter(stage.running.at(-1)!, pollsEnded);
  const before = await count();
  void pollNow(stage);
  if (!(await untilSo(stage, limitMs, async () => (await count()) > before)))
    throw new Error("the poll did not end");
  await delay(3_000);
}

async function measureRights(context: RowContext): Promise<Measured> {
  const { stage, vendor, client } = await begin(context, { people: 20 });
  await stage.start("worker");
  const receiver = await Receiver.start();
  context.defer("the receiver", () => receiver.close());
  const account = await connectPeople(stage, vendor, client);
  await listenAt(stage, client, receiver.url);
  await untilSo(stage, 60_000, async () => {
    return (await readCounter(stage.running.at(-1)!, pollsEnded)) > 0;
  });

  vendor.control({ hide: ["jobTitle"] });
  await pollOnce(stage, 60_000);
  const byLoss = toldBy(receiver);
  vendor.control({ hide: [] });
  await pollOnce(stage, 60_000);
  const byReturn = toldBy(receiver);

  vendor.control({ forbid: ["people"] });
  await pollOnce(stage, 60_000);
  const statuses: number[] = [];
  for (const resource of ["employees", "groups", "company"])
    statuses.push((await askUntilEnded(stage, account, { resource, limitMs: 30_000 })).status);
  const byRefusal = toldBy(receiver);
  vendor.control({ forbid: [] });
  // The hour for which a missing right is kept.
  await stage.query("update reads set kept_until = now() where outcome = 'forbidden'");
  await stage.query("update connections set signed_in_at = signed_in_at - interval '1 hour'");
  const healed = await askUntilEnded(stage, account, { limitMs: 30_000 });
  await pollOnce(stage, 60_000);
  const byHealing = toldBy(receiver);
  vendor.control({ people: 21 });
  await pollOnce(stage, 60_000);
  const atEnd = toldBy(receiver);
  const isSilent = [byLoss, byReturn, byRefusal, byHealing, atEnd].every(
    ({ updated, removed }) => updated === 0 && removed === 0,
  );
  return {
    isOk:
      isSilent &&
      atEnd.added === byHealing.added + 1 &&
      statuses.join(" ") === "401 200 200" &&
      healed.status === 200,
    measured:
      `a lost field: ${byLoss.updated} updated, given back: ${byReturn.updated} updated; a forbidden resource: ` +
      `employees, groups, company ${statuses.join(", ")}; given back: ${healed.status}; ` +
      `${atEnd.updated} updated and ${atEnd.removed} removed in all; one who came then: ` +
      `${atEnd.added - byHealing.added} added`,
  };
}

async function measureLeavers(context: RowContext): Promise<Measured> {
  const people = context.scaled(150, 80);
  const { stage, vendor, client } = await begin(context, { people, perMinute });
  await stage.start("worker");
  const receiver = await Receiver.start();
  context.defer("the receiver", () => receiver.close());
  await connectPeople(stage, vendor, client);
  await listenAt(stage, client, receiver.url);
  const limitMs = 600_000;
  await untilSo(stage, limitMs, async () => {
    return (await readCounter(stage.running.at(-1)!, pollsEnded)) > 0;
  });

  // Three are not found while the next read runs, though they have not left. Two leave.
  const asked = requestsFor(vendor, "people");
  const ends = Array.from({ length: 5 }, (_, index) => String(people - index));
  const polling = pollAcrossKill(context, stage, { limitMs, vendor, asked });
  vendor.control({ lose: ends.slice(0, 3), remove: ends.slice(3) });
  await polling;
  const afterFirst = toldBy(receiver);
  vendor.control({ lose: [] });
  await pollOnce(stage, limitMs);
  const afterSecond = toldBy(receiver);
  return {
    isOk: afterFirst.removed === 0 && afterSecond.removed === 2,
    measured:
      `a read of two runs, from which 5 of ${people} are missing: ${afterFirst.removed} removed; the next one, from ` +
      `which 2 are missing: ${afterSecond.removed} removed`,
  };
}

/** One poll whose read is interrupted by a kill of the worker. */
async function pollAcrossKill(
  context: RowContext,
  stage: Stage,
  { limitMs, vendor, asked }: { limitMs: number; vendor: PeopleVendor; asked: number },
): Promise<void> {
  void pollNow(stage);
  await untilSo(stage, limitMs, async () => requestsFor(vendor, "people") > asked + 20);
  await delay(2_000);
  await stage.running.at(-1)!.kill("SIGKILL");
  context.note("the worker is killed");
  const worker = await stage.start("worker");
  if (!(await untilSo(stage, limitMs, async () => (await readCounter(worker, pollsEnded)) > 0)))
    throw new Error("the poll did not end");
  await delay(3_000);
}

function requestsFor(vendor: PeopleVendor, path: string): number {
  return vendor.counts().requests[path] ?? 0;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
