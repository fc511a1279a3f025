import type { RunEvent } from "../workbench/index.ts";
import { listLeaves } from "./list-leaves.ts";
import { openRows } from "./output.ts";
import { runRecording } from "./run-recording.ts";

interface Side {
  name: string;
  folder: string;
}

/** What tells a record from the others of its resource: a payslip may have no id of its own. */
const ids = ["remote_id", "payrun_remote_id", "employee_remote_id", "policy_remote_id"];

type Records = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Prints each value of a record that is another one on the second side, and who is new or gone. */
export async function diffRecordings(
  before: Side,
  after: Side,
  output: { isJson: boolean },
): Promise<void> {
  const [old, now] = [await readSide(before), await readSide(after)];
  const rows = [...new Set([...old.keys(), ...now.keys()])].flatMap((id) =>
    compare(id, old.get(id), now.get(id)),
  );
  const table = openRows(rows, output);
  for (const row of rows) table.add(row);
  table.end();
  if (rows.length === 0 && !output.isJson)
    process.stderr.write(`rollcall: ${now.size} records, all the same\n`);
}

async function readSide({ name, folder }: Side): Promise<Records> {
  const { recordings } = await import("../recordings/index.ts");
  const events = await runRecording(name, recordings.read(folder));
  return new Map(events.flatMap(toRecord));
}

function toRecord(event: RunEvent): [string, Readonly<Record<string, unknown>>][] {
  if (event.type === "failed") throw new Error(`the read of ${event.resource} ${event.failure}`);
  if (event.type !== "record" || event.record === undefined) return [];
  const record = event.record as Readonly<Record<string, unknown>>;
  const parts = ids.map((name) => record[name]);
  const id = parts.filter((part) => typeof part === "string").join(" ");
  return [[`${event.resource} ${id}`, record]];
}

function compare(
  id: string,
  old: Readonly<Record<string, unknown>> | undefined,
  now: Readonly<Record<string, unknown>> | undefined,
): { record: string; field: string; before: string; after: string }[] {
  if (!old || !now)
    return [{ record: id, field: "", before: old ? "there" : "-", after: now ? "there" : "-" }];
  const [leavesOfOld, leavesOfNow] = [new Map(listLeaves(old)), new Map(listLeaves(now))];
  const fields = [...new Set([...leavesOfOld.keys(), ...leavesOfNow.keys()])];
  return fields.flatMap((field) => {
    const [before = "-", after = "-"] = [leavesOfOld.get(field), leavesOfNow.get(field)];
    return before === after ? [] : [{ record: id, field, before, after }];
  });
}
