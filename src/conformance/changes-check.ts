import type { CheckDefinition } from "./check.ts";
import { expectThat, NotConforming } from "./expect-failure.ts";
import { byRemoteId } from "./expected-records.ts";
import type { ReadRecord, Trial } from "./trial.ts";

export const changesCheck: CheckDefinition = {
  name: "changes",
  title: "the changes since a read bring a list to what the next read gives",
  scenario: "changes",
  leftOutFor: ({ adapter }) =>
    adapter.resources.employees?.changes ? undefined : "its employees have no `changes`",
  run: async (trial, { subject }) => {
    await trial.signIn();
    const before = byRemoteId((await trial.read("employees")).records);
    const since = requireSince(trial, "fetch");
    await trial.fake.change?.();
    const changed = (await trial.read("employees", { start: { since } })).records;
    const { removed, present } = trial.watch;
    const next = requireSince(trial, "changes");
    const after = byRemoteId((await trial.read("employees")).records);

    const brought = new Map([...before, ...byRemoteId(changed)]);
    for (const id of removed) brought.delete(id);
    for (const id of brought.keys()) if (present?.includes(id) === false) brought.delete(id);
    if (!present && !subject.adapter.resources.employees?.changesNameRemovals)
      for (const id of brought.keys()) if (!after.has(id)) brought.delete(id);
    const isUnchanged = JSON.stringify([...before]) === JSON.stringify([...after]);
    expectThat(
      !isUnchanged,
      `${before.size} employees were read before \`change()\` of the fake, and the same ones after it: ` +
        "let it change, add and remove people",
    );
    const faults = describeDifference(brought, after);
    expectThat(
      faults === "",
      `after \`change()\` of the fake, \`changes\` gave ${changed.length} changed and ${removed.length} removed ` +
        `employees, and the list that they make is not that of a full read: ${faults}. Yield everybody who is new or ` +
        "different as `changed`, as `fetch` does, and the ids of all who are gone as `removed`, or of all " +
        "who are there still as `present`",
    );

    await trial.read("employees", { start: { since: next } });
    const again = trial.watch.pages.flatMap(({ records }) => records).length;
    expectThat(
      again < after.size || after.size === 0,
      `\`changes\` was asked again from where it had said, nothing has changed since, and it gave ${again} of ` +
        `${after.size} employees: say by context.continueFrom where the newest change is`,
    );
  },
};

function requireSince({ watch: { next } }: Trial, reader: "fetch" | "changes") {
  if (next === undefined)
    throw new NotConforming(
      `\`${reader}\` was read to its end and does not say where changes go on: call context.continueFrom({…}) in it`,
    );
  return next;
}

function describeDifference(
  brought: ReadonlyMap<string, ReadRecord>,
  after: ReadonlyMap<string, ReadRecord>,
): string {
  const missing = [...after.keys()].filter((id) => !brought.has(id)).length;
  const left = [...brought.keys()].filter((id) => !after.has(id)).length;
  const old = [...after].filter(
    ([id, record]) => brought.has(id) && JSON.stringify(brought.get(id)) !== JSON.stringify(record),
  ).length;
  const counts = [
    [missing, "are missing"],
    [left, "are there and gone"],
    [old, "are as they were or other"],
  ] as const;
  return counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(", ");
}
