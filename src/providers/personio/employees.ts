import { addSeconds } from "../../platform/clock.ts";
import { defineReader, type Cursor, type ReadContext } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { withJobs } from "./jobs.ts";
import {
  employeeFields,
  limitedWithout,
  limitedWithoutAbsences,
  person,
  toPerson,
  withoutUnwanted,
} from "./map-employee.ts";
import {
  api,
  countOf,
  dataOf,
  employeesPath,
  listOfFirst,
  type JsonObject,
} from "./personio-client.ts";

import { readAway } from "./time-off.ts";

/** Our clock and Personio's may differ, and Personio shows a change late. */
const overlapSeconds = 600;
/** Personio gives no more at once. */
export const people = listOfFirst(employeesPath, 100);

export const employees = defineReader<"employees", JsonObject>({
  async *fetch(context) {
    const client = api.inRead(context);
    const state = await readState(context, client);
    context.limited(state.limited);
    context.continueFrom(toSince(state));
    for await (const { items, next } of client.pages(people, context.cursor)) {
      const records = await complete(context, items as readonly JsonObject[], state.away);
      yield next ? { records, cursor: next } : records;
    }
  },
  async *changes(context, _session, since) {
    const client = api.inRead(context);
    const state = await readState(context, client);
    // The records that did not change were read with other rights.
    if (state.limited.join() !== since["limited"])
      throw new OperationNotSupported("the attributes that may be read are others than before");
    context.limited(state.limited);
    context.continueFrom(toSince(state));
    const query = { updated_since: String(since["updatedSince"]) };
    const updated = (await client.all({ ...people, query })) as JsonObject[];
    const turned = findTurned(state, since);
    const completed = (some: readonly JsonObject[]) =>
      complete(context, some, state.away, state.total ?? 0);
    const isNew = (one: JsonObject): boolean =>
      (person.read(one, "created_at") ?? state.updatedSince) >= query.updated_since.slice(0, 10);
    if (state.total === since["total"] && turned.size === 0 && !updated.some(isNew))
      return yield { changed: await completed(updated) };
    // Somebody may be gone, and who went away or came back may not have been updated.
    const everybody = (await client.all(people)) as JsonObject[];
    const changed = [...updated, ...everybody.filter((one) => turned.has(idOf(one)))];
    yield {
      changed: await completed(changed),
      present: everybody.map(idOf),
    };
  },
  isPagedByOffset: true,
  table: employeeFields,
  map: (raw, context) => employeeFields.map(toPerson(raw, context.today), context),
});

/** What is known of all people before their records are read. */
interface State {
  /** Personio takes a time without a zone. */
  updatedSince: string;
  limited: readonly string[];
  /** How many people there are. Personio tells of nobody that was deleted. */
  total: number | null;
  /** The ids of those who are on leave today; of nobody without the right. */
  away: ReadonlySet<string>;
}

async function readState(context: ReadContext, client: RestClient): Promise<State> {
  const startedAt = addSeconds(context.clock.now(), -overlapSeconds);
  const limited = await readLimitedFields(client);
  const first = await client.get(employeesPath, { query: { limit: 1, offset: 0 } });
  const away = await readAway(context);
  return {
    updatedSince: startedAt.toISOString().slice(0, 19),
    limited: away ? limited : [...new Set([...limited, ...limitedWithoutAbsences])],
    total: countOf(first),
    away: away ?? new Set(),
  };
}

function toSince({ updatedSince, limited, total, away }: State): Cursor {
  return { updatedSince, limited: limited.join(), total, away: [...away].toSorted().join() };
}

/** The ids of those who went on leave since then, and of those who came back. */
function findTurned({ away }: State, since: Cursor): ReadonlySet<string> {
  const before = typeof since["away"] === "string" ? since["away"].split(",") : [];
  return new Set(before.filter((id) => id !== "")).symmetricDifference(away);
}

async function complete(
  context: ReadContext,
  records: readonly JsonObject[],
  away: State["away"],
  peopleInAll?: number,
): Promise<JsonObject[]> {
  const withThem = await withJobs(
    context,
    records.map((one) => withoutUnwanted(one, (field) => context.isWanted(field))),
    peopleInAll,
  );
  return withThem.map((one) => ({ ...one, isAway: away.has(idOf(one)) }));
}

function idOf(record: JsonObject): string {
  return person.read(record, "id") ?? "";
}

const attribute = defineSource({ key: text });

/** Personio leaves an attribute that may not be read out of a record without a word, as it does with an empty one. */
export async function readLimitedFields(client: RestClient): Promise<string[]> {
  const readable = dataOf(await client.get(`${employeesPath}/attributes`));
  return limitedWithout(new Set(readable.map((one) => attribute.read(one, "key") ?? "")));
}
