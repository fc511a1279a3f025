import type { Checkable } from "../providers/index.ts";
import type { CheckDefinition } from "./check.ts";
import { expectThat, NotConforming } from "./expect-failure.ts";
import type { ReadRecord, Trial } from "./trial.ts";

const readerOf = ({ definition, mode }: Checkable) => definition.modes[mode]?.resources.employees;

export const changesCheck: CheckDefinition = {
  name: "changes",
  title: "the changes since a read bring a list to what the next read gives",
  scenario: "changes",
  leftOutFor: (subject) =>
    readerOf(subject)?.changes ? undefined : "its employees have no `changes`",
  run: async (trial, { subject }) => {
    await trial.signIn();
    const before = byRemoteId((await trial.read("employees")).records);
    const since = requireSince(trial, "the full read");
    await trial.fake.change?.();
    const changed = (await trial.read("employees", { start: { since } })).records;
    const removed = trial.watch.removed;
    const next = requireSince(trial, "`changes`");
    const after = byRemoteId((await trial.read("employees")).records);

    const brought = new Map([...before, ...byRemoteId(changed)]);
    for (const id of removed) brought.delete(id);
    if (!readerOf(subject)?.changesNameRemovals)
      for (const id of brought.keys()) if (!after.has(id)) brought.delete(id);
    const isUnchanged = JSON.stringify([...before]) === JSON.stringify([...after]);
    expectThat(!isUnchanged, "`change` of the fake changes nothing");
    const wrong = [...new Set([...brought.keys(), ...after.keys()])].filter(
      (id) => JSON.stringify(brought.get(id)) !== JSON.stringify(after.get(id)),
    );
    expectThat(wrong.length === 0, `${wrong.length} employees are not as the next read has them`);

    await trial.read("employees", { start: { since: next } });
    const again = trial.watch.pages.flatMap(({ records }) => records).length;
    expectThat(
      again < after.size || after.size === 0,
      "`changes` gives everybody, though nothing has changed since",
    );
  },
};

function requireSince({ watch: { next } }: Trial, what: string) {
  if (next === undefined)
    throw new NotConforming(`${what} does not say with continueFrom where changes go on`);
  return next;
}

function byRemoteId(records: readonly ReadRecord[]): Map<string, ReadRecord> {
  return new Map(records.map((record) => [String(record["remote_id"]), record]));
}
