import { setTimeout as delay } from "node:timers/promises";
import { Receiver } from "../support/receiver.ts";
import { startSlowVendorProgram, type VendorProgram } from "../support/vendors/vendor-program.ts";
import { connectAccount, createClient, listenAt, type Account } from "./accounts.ts";
import { askOnce, askUntilEnded } from "./asking.ts";
import { pollNow, pollsEnded, readCounter, readsByOutcome, untilSo } from "./measuring.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

const slots = 4;

/**
 * A first read alone counts the requests that a read needs. Then each slot has one poll, and requests that want the
 * data anew begin before it or after it: none of them may make the vendor be read once more.
 */
export const largeCompany: Row = {
  name: "large-company-polled-and-asked",
  target: "one read's requests per slot, 0 superseded, each poll ends",
  limitMinutes: 40,
  run: measure,
};

async function measure(context: RowContext): Promise<Measured> {
  const readSeconds = context.scaled(60, 30);
  const stage = await context.stage({
    SNAPSHOT_FRESH_SECONDS: String(readSeconds / 2),
    SNAPSHOT_STALE_SECONDS: "3600",
  });
  const service = await stage.start("all");
  const vendor = await context.use(
    startSlowVendorProgram({ employees: context.scaled(5_029, 400) }),
  );
  const receiver = await Receiver.start();
  context.defer("the receiver", () => receiver.close());
  const client = await createClient(stage);
  const account = await connectAccount(stage, client, { url: vendor.url, username: "large" });
  const least = await countOneRead(stage, vendor, account, readSeconds);
  context.note(`one read takes ${least} requests`);

  const asking = new AbortController();
  const asked = askAllTheTime(stage, account, asking.signal);
  const ended = await playSlots(context, stage, vendor, async (slot) => {
    if (slot === 0) await listenAt(stage, client, receiver.url);
    else void pollNow(stage);
  });
  asking.abort();
  const statuses = await asked;
  // Whatever was asked for too much has begun by now.
  await delay(10_000);
  const { total, readsBegun, readsCompleted } = await vendor.counts(account.username);
  const superseded = await readCounter(service, readsByOutcome, { outcome: "superseded" });
  const isOk =
    ended === slots &&
    readsBegun === slots &&
    readsCompleted === slots &&
    total === slots * least &&
    superseded === 0 &&
    [...statuses].every((status) => status === 200);
  return {
    isOk,
    measured:
      `${ended} of ${slots} polls ended; ${readsBegun} reads begun, ${readsCompleted} completed; ` +
      `${total} requests where ${slots * least} do; ${superseded} superseded; ` +
      `answers ${[...statuses].join(", ")}`,
  };
}

/** Also sets the pace of the vendor, so that a read takes as long as it should. */
async function countOneRead(
  stage: Stage,
  vendor: VendorProgram,
  account: Account,
  readSeconds: number,
): Promise<number> {
  await vendor.control({ reset: true });
  const { status } = await askUntilEnded(stage, account, { limitMs: 300_000 });
  if (status !== 200) throw new Error(`the first read did not succeed: ${status}`);
  const { total, byKind } = await vendor.counts(account.username);
  const pages = Object.entries(byKind)
    .filter(([kind]) => kind.endsWith(".search_read"))
    .reduce((sum, [, count]) => sum + count, 0);
  await vendor.control({ reset: true, delayMs: (readSeconds * 1_000) / pages });
  return total;
}

/** The number of slots whose poll ended. In every other slot the poll finds a read that was asked for by GET. */
async function playSlots(
  context: RowContext,
  stage: Stage,
  vendor: VendorProgram,
  makeDue: (slot: number) => Promise<void>,
): Promise<number> {
  const readMs = context.scaled(60, 30) * 1_000;
  for (let slot = 0; slot < slots; slot += 1) {
    const service = stage.running[0]!;
    const before = await readCounter(service, pollsEnded);
    if (slot % 2 === 1) {
      const { readsBegun } = await vendor.counts();
      await untilSo(stage, readMs, async () => (await vendor.counts()).readsBegun > readsBegun);
    }
    await makeDue(slot);
    context.note(`slot ${slot + 1}: the poll is due`);
    const hasEnded = await untilSo(
      stage,
      4 * readMs + 60_000,
      async () => (await readCounter(service, pollsEnded)) > before,
    );
    if (!hasEnded) return slot;
  }
  return slots;
}

async function askAllTheTime(
  stage: Stage,
  account: Account,
  signal: AbortSignal,
): Promise<Set<number>> {
  const statuses = new Set<number>();
  while (!signal.aborted) {
    statuses.add((await askOnce(stage, account)).status);
    await delay(1_000);
  }
  return statuses;
}
