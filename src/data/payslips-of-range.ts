import { buffer } from "node:stream/consumers";
import type { AuthErrorCode, ConnectionId, RecordOf } from "../model/index.ts";
import { sha256 } from "../platform/crypto/index.ts";
import { encodeParameters, type DateRange, type Reading, type Sync } from "../sync/index.ts";

type Payrun = RecordOf<"payruns">;
type Snapshot = { version: string; fetchedAt: Date };

/** The payslips of all pay runs of a range. */
export interface StoredPayslips extends Snapshot {
  kind: "ready";
  connectionId: ConnectionId;
  /** In the order of the runs, each with the version that is stored of it. */
  runs: readonly { id: string; version: string }[];
  /** When the oldest part was fetched; `fetchedAt` is when the newest one was. */
  oldestAt: Date;
}

/**
 * Without all of them there are none. "pending": each of the reads that ends makes room for the next one. "replaced":
 * what was found is no longer stored, so look again.
 */
export type RangeReading =
  | StoredPayslips
  | { kind: "pending"; readIds: readonly string[]; retryAfterSeconds: number }
  | { kind: "replaced" }
  | Exclude<Reading, { kind: "ready" | "pending" }>;

export interface RangeRequest {
  connectionId: ConnectionId;
  range: DateRange;
  /** As the admission of the request found them; the snapshot is that of the list of pay runs. */
  authFailure: AuthErrorCode | null;
  snapshot: Snapshot | undefined;
  /** Of the list of pay runs. */
  maxAgeSeconds: number | undefined;
}

/** A connection has no more unsettled reads of pay runs. */
const readsAtOnce = 4;

/** Reads what is not stored, a few pay runs at a time, and is ready once all of them are. */
export async function readPayslips(sync: Sync, request: RangeRequest): Promise<RangeReading> {
  const { connectionId, range, ...found } = request;
  const parameters = encodeParameters({ range });
  const list = await sync.read({ connectionId, resource: "payruns", parameters, ...found });
  if (list.kind === "pending") return describePending([list]);
  if (list.kind !== "ready") return list;
  const payruns = await openPayruns(sync, { connectionId, parameters, version: list.version });
  if (!payruns) return { kind: "replaced" };
  const stored = await sync.findPayslips(connectionId, payruns);
  const missing = payruns.filter(({ id }) => !stored.has(id));
  if (missing.length > 0) return await readMissing(sync, request, missing);
  const runs = payruns.flatMap(({ id }) => {
    const snapshot = stored.get(id);
    return snapshot ? [{ id, ...snapshot }] : [];
  });
  return { kind: "ready", connectionId, runs, ...describeParts(list, runs) };
}

async function openPayruns(
  sync: Sync,
  {
    connectionId,
    parameters,
    version,
  }: { connectionId: ConnectionId; parameters: string; version: string },
): Promise<Payrun[] | undefined> {
  const opened = await sync.open({
    connectionId,
    resource: "payruns",
    parameters,
    version,
    variant: undefined,
    encoding: "identity",
  });
  if (opened === undefined || opened === "missing") return undefined;
  return JSON.parse(
    (Buffer.isBuffer(opened) ? opened : await buffer(opened)).toString(),
  ) as Payrun[];
}

/** The first refusal, or what is waited for. */
async function readMissing(
  sync: Sync,
  { connectionId, authFailure }: RangeRequest,
  missing: readonly Payrun[],
): Promise<RangeReading> {
  const readings = await Promise.all(
    missing.slice(0, readsAtOnce).map(({ id }) =>
      sync.read({
        connectionId,
        resource: "payslips",
        parameters: id,
        authFailure,
        snapshot: undefined,
        maxAgeSeconds: undefined,
      }),
    ),
  );
  const pending = readings.filter((reading) => reading.kind === "pending");
  const notReady = readings.filter((reading) => reading.kind !== "ready");
  return notReady.find((reading) => reading.kind !== "pending") ?? describePending(pending);
}

function describePending(reads: readonly Extract<Reading, { kind: "pending" }>[]): RangeReading {
  const [first] = reads;
  if (!first) return { kind: "replaced" };
  const readIds = reads.map(({ readId }) => readId);
  return { kind: "pending", readIds, retryAfterSeconds: first.retryAfterSeconds };
}

/** Resolves when one of the reads is settled, after `waitMs`, or when the signal fires. */
export async function waitForAny(
  sync: Pick<Sync, "waitUntilSettled">,
  readIds: readonly string[],
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const waits = readIds.map((readId) => sync.waitUntilSettled(readId, waitMs, either));
  try {
    await Promise.race(waits);
  } finally {
    over.abort();
    await Promise.allSettled(waits);
  }
}

/** One version for all parts, and how old they are. */
function describeParts(
  list: Snapshot,
  runs: readonly (Snapshot & { id: string })[],
): Snapshot & { oldestAt: Date } {
  const versions = [list.version, ...runs.flatMap(({ id, version }) => [id, version])];
  const times = [list, ...runs].map(({ fetchedAt }) => fetchedAt.getTime());
  return {
    version: sha256(versions.join("\0")).toString("base64url", 0, 12),
    fetchedAt: new Date(Math.max(...times)),
    oldestAt: new Date(Math.min(...times)),
  };
}

const [opening, comma, closing] = ["[", ",", "]"].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** One JSON array of the payslips of all runs, of which one at a time is in memory. Throws when a run is stored no more. */
export async function* joinPayslips(
  sync: Sync,
  { connectionId, runs }: StoredPayslips,
): AsyncGenerator<Buffer> {
  yield opening;
  let isFirst = true;
  for (const { id, version } of runs) {
    const part = { connectionId, resource: "payslips" as const, parameters: id, version };
    const body = await sync.openParts(part);
    if (!body) throw new Error("the payslips of a pay run were deleted while they were sent");
    let isBegun = false;
    for await (const piece of withoutBrackets(body)) {
      if (!isBegun && !isFirst) yield comma;
      isBegun = true;
      yield piece;
    }
    isFirst &&= !isBegun;
  }
  yield closing;
}

/** What stands between the first and the last byte, in pieces that are not empty. */
async function* withoutBrackets(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const piece of body) {
    if (held && held.length > 0) yield held;
    held = held ? piece : piece.subarray(1);
  }
  const last = held?.subarray(0, -1);
  if (last && last.length > 0) yield last;
}
