// Runs one variant of the difference in a process of its own, so that its peak memory can be
// measured. Prints {cpuMs, peakMb, changed}.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { DataKey } from "../src/platform/crypto/index.ts";
import { resourceRecords } from "../src/model/index.ts";
import { completeRecord } from "../src/sync/complete-record.ts";
import { createMint } from "../src/sync/mint-id.ts";
import { eachEmployee, encodeBody, encodeEmployeeIndex } from "../src/sync/snapshot-body.ts";
import { difference, packList } from "../src/webhooks/packed-list.ts";
import { makeEmployee } from "./people.ts";

const [variant = "ours", countText = "1000"] = process.argv.slice(2);
const count = Number(countText);
const key = new DataKey(randomBytes(32));
const mint = createMint(key);

/** Complete, checked records, as a poll has them in memory. */
function poll(title: (index: number) => string) {
  return Array.from({ length: count }, (_, index) =>
    resourceRecords.employees.parse(
      completeRecord.employees(makeEmployee(index + 1, title(index)), mint),
    ),
  );
}

async function toBytes(records: ReturnType<typeof poll>) {
  const { body, ends } = await encodeBody(records);
  return { body, index: encodeEmployeeIndex(records, ends) };
}

// Both variants store the list of a poll as bytes. Only the comparison with the list before is
// measured.
const stored = await toBytes(poll(() => "Warehouse Lead"));
const polled = poll((index) => (index % 100 === 0 ? "Shift Lead" : "Warehouse Lead"));
const bytes = await toBytes(polled);
const packed = await packList(eachEmployee(stored.body, stored.index), count, key);
if (variant === "ours") stored.body = Buffer.alloc(0);
globalThis.gc?.();

writeFileSync("/proc/self/clear_refs", "5");
const startMb = peakMb();
const before = process.cpuUsage();
const changed = variant === "ours" ? await compareOurs() : compareDeeply();
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  JSON.stringify({
    cpuMs: (user + system) / 1000,
    peakMb: Math.max(peakMb() - startMb, 1),
    changed,
  }),
);

async function compareOurs(): Promise<number> {
  return difference(packed, await packList(eachEmployee(bytes.body, bytes.index), count, key))
    .updated.length;
}

function compareDeeply(): number {
  const earlier = new Map(
    (JSON.parse(stored.body.toString()) as { id: string }[]).map((employee) => [
      employee.id,
      employee,
    ]),
  );
  return polled.filter((employee) => !isDeepStrictEqual(earlier.get(employee.id), employee)).length;
}

/** The peak since the last reset. */
function peakMb(): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
}
