import { randomBytes } from "node:crypto";
import { resourceRecords, type RecordOf } from "../src/model/index.ts";
import { DataKey } from "../src/platform/crypto/index.ts";
import { arrangeRecords } from "../src/sync/arrange-records.ts";
import { checkRecord } from "../src/sync/check-record.ts";
import { completeRecord } from "../src/sync/complete-record.ts";
import { createMint } from "../src/sync/mint-id.ts";
import { eachEmployee, encodeBody, encodeEmployeeIndex } from "../src/sync/snapshot-body.ts";
import { SourceMac } from "../src/sync/source-mac.ts";
import { prepareSnapshot } from "../src/sync/write-snapshot.ts";
import { difference, packList } from "../src/webhooks/packed-list.ts";
import { makeEmployee } from "./people.ts";
import type { Claim } from "./report.ts";

const employees = 10_000;
const rounds = 7;
const key = new DataKey(randomBytes(32));
const mint = createMint(key);
const snapshot = { connectionId: "bench", resource: "employees" as const, parameters: "" };

/**
 * The cost of a poll after the provider's answer, without the database: of an answer that is the
 * same as before, and of one with 1 % changed.
 */
export async function benchPoll(): Promise<Claim[]> {
  const before = Array.from({ length: employees }, (_, index) => makeEmployee(index + 1));
  const after = before.map((employee, index) =>
    index % 100 === 0 ? makeEmployee(index + 1, "Shift Lead") : employee,
  );
  const known = { mac: await recognise(before), list: (await store(before, null)).list };
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const unchanged = await cpuOf(async () => {
      if (!(await recognise(before))?.equals(known.mac!))
        throw new Error("the same answer was not recognised");
    });
    const changed = await cpuOf(async () => {
      const mac = await recognise(after);
      if (mac?.equals(known.mac!)) throw new Error("the changed answer was not noticed");
      const { list } = await store(after, mac);
      if (difference(known.list, list).updated.length !== employees / 100)
        throw new Error("the difference is wrong");
    });
    ratios.push(changed / unchanged);
  }
  return [{ name: "unchanged against changed poll: CPU", target: 11, guard: 8, ratios }];
}

async function recognise(answer: readonly unknown[]): Promise<Buffer | null> {
  const mac = new SourceMac(key, ["bench"]);
  await mac.add(answer);
  return mac.digest();
}

async function store(answer: readonly ReturnType<typeof makeEmployee>[], sourceMac: Buffer | null) {
  const checked = answer.map(
    (source) =>
      checkRecord(
        resourceRecords.employees,
        completeRecord.employees(source, mint),
        () => undefined,
      ) as RecordOf<"employees">,
  );
  const records = arrangeRecords("employees", checked, undefined);
  await prepareSnapshot(snapshot, key, records, { sourceMac, storedVersion: undefined });
  const { body, ends } = await encodeBody(records);
  return {
    list: await packList(
      eachEmployee(body, encodeEmployeeIndex(records, ends)),
      records.length,
      key,
    ),
  };
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
