// Runs one variant of the difference in a process of its own, so that its peak memory can be
// measured. Prints {cpuMs, peakMb, changed}.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { MacKey } from "../src/platform/crypto/index.ts";
import { difference, packList, type PackedList } from "../src/platform/packed-list.ts";
import { resourceRecords } from "../src/model/index.ts";
import { completeRecord } from "../src/reading/records/complete-record.ts";
import { createMint } from "../src/reading/records/mint-id.ts";
import { makeEmployee } from "./people.ts";

const [variant = "ours", countText = "1000"] = process.argv.slice(2);
const count = Number(countText);
const fingerprintKey = new MacKey(randomBytes(32));
const mint = createMint(new MacKey(randomBytes(32)));

/** Complete, checked records, as a poll has them in memory. */
function poll(title: (index: number) => string) {
  return Array.from({ length: count }, (_, index) =>
    resourceRecords.employees.parse(
      completeRecord.employees(makeEmployee(index + 1, title(index)), mint),
    ),
  );
}

interface Encoded {
  id: string;
  json: Buffer;
}

function encode(records: ReturnType<typeof poll>): Encoded[] {
  return records.map((record) => ({ id: record.id, json: Buffer.from(JSON.stringify(record)) }));
}

function pack(list: readonly Encoded[]): PackedList {
  const entries = list.map(({ id, json }) => ({
    id: Buffer.from(id, "base64url"),
    contentHash: fingerprintKey.mac(json),
  }));
  return packList(entries, entries.length);
}

// Both variants store the list of a poll as bytes. Only the comparison with the list before is
// measured.
let stored = encode(poll(() => "Warehouse Lead"));
const polled = poll((index) => (index % 100 === 0 ? "Shift Lead" : "Warehouse Lead"));
const encoded = encode(polled);
const packed = pack(stored);
if (variant === "ours") stored = [];
globalThis.gc?.();

writeFileSync("/proc/self/clear_refs", "5");
const startMb = peakMb();
const before = process.cpuUsage();
const changed = variant === "ours" ? compareOurs() : compareDeeply();
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  JSON.stringify({
    cpuMs: (user + system) / 1000,
    peakMb: Math.max(peakMb() - startMb, 1),
    changed,
  }),
);

function compareOurs(): number {
  return difference(packed, pack(encoded)).updated.length;
}

function compareDeeply(): number {
  const earlier = new Map(
    stored.map(({ id, json }) => [id, JSON.parse(json.toString()) as object]),
  );
  return polled.filter((employee) => !isDeepStrictEqual(earlier.get(employee.id), employee)).length;
}

/** The peak since the last reset. */
function peakMb(): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
}
