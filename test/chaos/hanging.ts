import { setTimeout as delay } from "node:timers/promises";
import { answers, Receiver } from "../support/receiver.ts";
import {
  startHostileProgram,
  startSlowVendorProgram,
  type VendorProgram,
} from "../support/vendors/vendor-program.ts";
import {
  connectAccount,
  connectAccounts,
  createClient,
  listenAt,
  onlyTokenId,
  openForm,
  sendForm,
  type Account,
  type TestClient,
} from "./accounts.ts";
import { askOnce, askUntilEnded } from "./asking.ts";
import { formatMs } from "./latency.ts";
import { pollNow, pollsEnded, readCounter, untilSo } from "./measuring.ts";
import { timeSignIn } from "./neighbour.ts";
import { allowedMs, type Measured, type Row, type RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

const rounds = 5;
const limitMs = 60_000;
const lookEveryMs = 250;
const ofAnother =
  "another client's read, poll and webhook within twice their idle time or 2 s, whichever is more";

export const hangingConnections: Row = {
  name: "hanging-connections",
  target: ofAnother,
  limitMinutes: 45,
  run: measureConnections,
};

export const hangingReceiver: Row = {
  name: "hanging-receiver",
  target: ofAnother,
  limitMinutes: 45,
  run: measureReceiver,
};

export const hangingSignIns: Row = {
  name: "hanging-sign-ins",
  target: "another network's sign-in under 2 s",
  limitMinutes: 20,
  run: measureSignIns,
};

/** Another client of the same provider, whose data changes and who is told. */
interface Other {
  account: Account;
  tokenId: string;
  vendor: VendorProgram;
  receiver: Receiver;
}

interface Times {
  readsMs: number[];
  pollsMs: number[];
  webhooksMs: number[];
}

/** How many hung: at once, again and again while others were served, and at the end. */
class HangWatch {
  readonly #counts: number[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #count: () => Promise<number> | number;

  constructor(count: () => Promise<number> | number) {
    this.#count = count;
    const look = (): void => void this.#look().catch(() => undefined);
    look();
    this.#timer = setInterval(look, lookEveryMs);
  }

  /** `areThere` is false when for more than a tenth of the time nothing hung: then the row has measured something else. */
  async end(): Promise<Hung> {
    clearInterval(this.#timer);
    await this.#look();
    const sorted = this.#counts.toSorted((a, b) => a - b);
    const usual = sorted[Math.floor(sorted.length / 10)] ?? 0;
    return {
      areThere: usual > 0,
      described: `${usual} to ${sorted.at(-1) ?? 0} hung at a time`,
    };
  }

  async #look(): Promise<void> {
    this.#counts.push(await this.#count());
  }
}

interface Hung {
  areThere: boolean;
  described: string;
}

async function begin(context: RowContext): Promise<{ stage: Stage; other: Other }> {
  const stage = await context.stage({ SNAPSHOT_FRESH_SECONDS: "1", SNAPSHOT_STALE_SECONDS: "1" });
  await stage.start("all");
  const vendor = await context.use(startSlowVendorProgram({ employees: 100 }));
  const receiver = await startReceiver(context);
  const client = await createClient(stage);
  const account = await connectAccount(stage, client, { url: vendor.url, username: "other" });
  await listenAt(stage, client, receiver.url);
  const tokenId = await onlyTokenId(stage, client);
  const baseline = await untilSo(
    stage,
    limitMs,
    async () => (await readCounter(stage.running[0]!, pollsEnded)) > 0,
  );
  if (!baseline) throw new Error("the first poll did not end, although nothing else went on");
  return { stage, other: { account, tokenId, vendor, receiver } };
}

async function startReceiver(context: RowContext): Promise<Receiver> {
  const receiver = await Receiver.start();
  context.defer("a receiver", () => receiver.close());
  return receiver;
}

/** The times of the other client. What does not end counts with the time that was waited for it. */
async function useAsOther(stage: Stage, other: Other): Promise<Times> {
  const times: Times = { readsMs: [], pollsMs: [], webhooksMs: [] };
  for (let round = 0; round < rounds; round += 1) {
    await delay(1_500, undefined, { signal: stage.signal });
    const read = await askUntilEnded(stage, other.account, { limitMs });
    times.readsMs.push(read.status === 200 ? read.tookMs : Math.max(read.tookMs, limitMs));
    await other.vendor.control({ change: 1 });
    const before = other.receiver.received.length;
    const startedAt = performance.now();
    const arrived = untilSo(stage, limitMs, () => other.receiver.received.length > before, 20).then(
      (isHere) => (isHere ? performance.now() - startedAt : limitMs),
    );
    const poll = await pollNow(stage, other.tokenId);
    times.pollsMs.push(poll.isDone ? poll.tookMs : Math.max(poll.tookMs, limitMs));
    times.webhooksMs.push(await arrived);
    // Once something took longer than the longest patience, the row has missed.
    if (
      Object.values(times)
        .flat()
        .some((ms) => ms >= limitMs)
    )
      break;
  }
  return times;
}

function format(ms: number): string {
  return ms >= limitMs ? "over 60 s" : formatMs(ms);
}

function compare(
  idle: Times,
  during: Times,
  { areThere, described }: Hung,
  rest: string,
): Measured {
  const kinds = [
    ["read", "readsMs"],
    ["poll", "pollsMs"],
    ["webhook", "webhooksMs"],
  ] as const;
  return {
    isOk: areThere && kinds.every(([, kind]) => Math.max(...during[kind]) <= allowedMs(idle[kind])),
    measured: [
      ...kinds.map(
        ([name, kind]) =>
          `${name} ${format(Math.max(...idle[kind]))} → ${format(Math.max(...during[kind]))}`,
      ),
      described,
      rest,
    ].join("; "),
  };
}

async function measureConnections(context: RowContext): Promise<Measured> {
  const { stage, other } = await begin(context);
  const hostile = await context.use(
    startHostileProgram({ case: "silence", phase: "read", pages: 0 }),
  );
  const client = await createClient(stage);
  const accounts = await connectMany(context, stage, client, hostile.url, 1_000);
  const idle = await useAsOther(stage, other);
  context.note("idle times are known");
  await Promise.all(accounts.map((account) => askOnce(stage, account)));
  await listenAt(stage, client, (await startReceiver(context)).url);
  await delay(8_000, undefined, { signal: stage.signal });
  const hanging = new HangWatch(hostile.open);
  const during = await useAsOther(stage, other);
  const { readsBegun } = await hostile.counts();
  return compare(
    idle,
    during,
    await hanging.end(),
    `${accounts.length} accounts, ${readsBegun} reads of them begun`,
  );
}

async function measureReceiver(context: RowContext): Promise<Measured> {
  const { stage, other } = await begin(context);
  const vendor = await context.use(startSlowVendorProgram({ employees: 3 }));
  const silent = await startReceiver(context);
  silent.answer = answers.silence;
  const client = await createClient(stage);
  const accounts = await connectMany(context, stage, client, vendor.url, 1_000);
  const service = stage.running[0]!;
  const polled = await readCounter(service, pollsEnded);
  await listenAt(stage, client, silent.url);
  const arePolled = (more: number): Promise<boolean> =>
    untilSo(stage, 900_000, async () => (await readCounter(service, pollsEnded)) >= polled + more);
  if (!(await arePolled(accounts.length))) throw new Error("the first polls did not end");
  const idle = await useAsOther(stage, other);
  context.note("idle times are known");
  await vendor.control({ change: 3 });
  const { output } = await pollNow(stage);
  context.note(`polled: ${output.slice(0, 80)}`);
  await untilSo(stage, limitMs, () => silent.open > 0);
  const hanging = new HangWatch(() => silent.open);
  const during = await useAsOther(stage, other);
  return compare(
    idle,
    during,
    await hanging.end(),
    `${silent.received.length} deliveries of ${accounts.length} connections begun`,
  );
}

async function connectMany(
  context: RowContext,
  stage: Stage,
  client: TestClient,
  url: string,
  full: number,
): Promise<Account[]> {
  const count = context.scaled(full, 40);
  const signIns = Array.from({ length: count }, (_, index) => ({ url, username: `many-${index}` }));
  const accounts = await connectAccounts(stage, client, signIns);
  context.note(`${count} connections are made`);
  return accounts;
}

async function measureSignIns(context: RowContext): Promise<Measured> {
  const stage = await context.stage();
  await stage.start("all");
  const vendor = await context.use(startSlowVendorProgram({ employees: 20 }));
  const origins = context.scaled(50, 10);
  const hostile = await context.use(
    startHostileProgram({ case: "silence", phase: "sign-in", hosts: origins }),
  );
  const client = await createClient(stage);
  let count = 0;
  const signIn = async (): Promise<number> => {
    const username = `somebody-${(count += 1)}`;
    const done = await timeSignIn(stage, client, {
      url: vendor.url,
      username,
      network: `192.0.2.${count}`,
    });
    return done.isDone ? done.tookMs : Math.max(done.tookMs, limitMs);
  };
  const timeAll = async (): Promise<number[]> => {
    const times: number[] = [];
    while (times.length < rounds && Math.max(0, ...times) < limitMs) times.push(await signIn());
    return times;
  };
  const idle = await timeAll();
  const hangingCount = context.scaled(500, 60);
  const forms = Array.from({ length: hangingCount }, async (_, index) => {
    const network = `198.51.${100 + (index % 5)}.${1 + (Math.floor(index / 5) % 250)}`;
    const form = await openForm(stage, client, { network });
    const url = hostile.urls[index % hostile.urls.length] ?? "";
    await sendForm(form, { url, username: `hanging-${index}` });
  });
  await Promise.all(forms);
  context.note(`${hangingCount} sign-ins are sent`);
  await untilSo(stage, limitMs, async () => (await hostile.open()) > 0);
  const hanging = new HangWatch(hostile.open);
  const during = await timeAll();
  const { areThere, described } = await hanging.end();
  const { total } = await hostile.counts();
  const worst = Math.max(...during);
  return {
    isOk: areThere && worst < 2_000,
    measured:
      `sign-in ${format(Math.max(...idle))} → ${format(worst)}; ${described}; ` +
      `${hangingCount} sign-ins from 5 networks at ${origins} origins, ${total} of them begun`,
  };
}
