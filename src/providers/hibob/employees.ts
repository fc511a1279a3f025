import { utcDay } from "../../platform/clock.ts";
import { defineReader, type ReadContext } from "../contract.ts";
import { byLabels } from "../kit/custom-fields.ts";
import { whereReadable } from "../kit/rights.ts";
import { isRecord } from "../kit/source.ts";
import {
  api,
  inBatches,
  listsOf,
  openFields,
  readIds,
  search,
  tell,
  type Field,
} from "./client.ts";
import { employeeFields, fieldIds, listCustom, mostCustom } from "./employee-fields.ts";
import { inList, readHistories, toJobs } from "./jobs.ts";
import { readAway } from "./time-off.ts";

const peopleAtOnce = 200;

export const employees = defineReader<"employees", object>({
  async *fetch(context) {
    const client = api.inRead(context);
    const today = utcDay(context.clock.now());
    const describe = await prepare(context);
    const ids = await readIds(client);
    const histories = await readHistories(client);
    const away = await whereReadable(() => readAway(context, today));
    const hidden = new Set([
      ...(histories.isHidden ? ["jobs", "weeklyHours"] : []),
      ...(away && !away.isUnsure ? [] : ["isAway"]),
    ]);
    for (const { ids: some, cursor } of inBatches(ids, peopleAtOnce, context.cursor)) {
      const found = await search(client, describe.asked, { ids: some });
      const records = found.map((one) => {
        const id = String(tell(one, "root.id"));
        const { jobs, weeklyHours } = toJobs(id, histories, describe, today);
        const isAway = away?.ids.has(id) ?? false;
        return { ...describe.person(one, hidden), isAway, jobs, weeklyHours };
      });
      context.limited(employeeFields.limitedBy(hidden));
      yield cursor ? { records, cursor } : records;
    }
  },
  table: employeeFields,
});

/** How people of this company are described. */
async function prepare(context: ReadContext) {
  const { fields, words, read } = await openFields(context);
  const departments = (await listsOf(context)).get("department") ?? [];
  const own = listCustom(fields.values());
  const custom = own.slice(0, mostCustom);
  const unwanted = employeeFields.unwanted((field) => context.isWanted(field));
  const wanted = fieldIds.filter((id) => !unwanted.has(id));
  const known = wanted.flatMap((id) => fields.get(id) ?? []);
  const byCategory = Map.groupBy([...known, ...custom], ({ category }) => category);
  const asked = [...new Set([...wanted, ...custom.map(({ id }) => id)])];
  return {
    asked,
    words,
    departments,
    /** What is said of a person, and the names of what the service user does not see: rights go by category. */
    person(record: object, hidden: Set<string>): object {
      const values = read(record, asked);
      if (own.length > custom.length) hidden.add("custom");
      for (const same of byCategory.values())
        if (same.every(({ id }) => values[id] === undefined))
          for (const one of same) hidden.add(custom.includes(one) ? "custom" : one.id);
      return {
        ...values,
        "work.department": inList(values["work.department"], departments),
        custom: toCustom(values, custom),
      };
    },
  };
}

const ourNames = new Set(["nationality", "original_start_date", "weekly_working_hours"]);

/** By their names; of lists the words. */
function toCustom(values: Readonly<Record<string, unknown>>, custom: readonly Field[]): object {
  const told = custom.map(({ id, name }) => {
    const value = values[id] ?? null;
    return {
      label: name,
      key: id,
      value: isRecord(value) && "name" in value ? value["name"] : value,
    };
  });
  return byLabels(told, ourNames);
}
