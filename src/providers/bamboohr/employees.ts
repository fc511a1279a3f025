import { defineReader, type ReadContext } from "../contract.ts";
import { AuthError, OperationNotSupported } from "../errors.ts";
import { BambooClient } from "./bamboohr-client.ts";
import { readChanges } from "./changed-people.ts";
import { toEmployee, type RawEmployee } from "./map-employee.ts";
import { joinPeople, readPeople } from "./people.ts";
import { readCompanyTables } from "./company-tables.ts";

/** A change that BambooHR's clock and ours date differently is read twice rather than never. */
const overlapMs = 300_000;

/**
 * Without the list of employees, people stand on pages that are counted by an offset: then somebody is gone only when
 * two reads agree.
 */
export function createEmployeeReader(options: { isPagedByOffset: boolean }) {
  return defineReader<"employees", RawEmployee>({
    ...options,
    async *fetch(context, session) {
      const client = new BambooClient(context, session);
      const startedAt = context.clock.now().getTime();
      const since = new Date(startedAt - overlapMs).toISOString().replace(/\.\d+Z$/, "Z");
      context.continueFrom({ since, told: [] });
      const people = await readPeople(client);
      if (!people) throw new AuthError("insufficient_permission");
      const tables = await readCompanyTables(client, people);
      context.limited([...new Set([...people.limited, ...tables.limited])]);
      for (const page of people.pages) yield joinPeople(page, people, tables);
    },
    async *changes(context, session, since) {
      yield* readChangedPeople(context, new BambooClient(context, session), since);
    },
    changesNameRemovals: true,
    map: toEmployee,
  });
}

async function* readChangedPeople(
  context: ReadContext,
  client: BambooClient,
  cursor: Readonly<Record<string, unknown>>,
) {
  const { since, changed, removed, next } = await readChanges(client, cursor, context.clock.now());
  context.continueFrom(next);
  if (changed.length === 0) {
    yield { changed: [], removed };
    return;
  }
  const people = await readPeople(client, changed);
  if (!people) throw new AuthError("insufficient_permission");
  const found = new Set(people.pages.flat());
  // Somebody who changed and cannot be found: only a full read says what became of them.
  if (!changed.every((id) => found.has(id)))
    throw new OperationNotSupported("somebody who changed is not on the list");
  const tables = await readCompanyTables(client, people, since);
  context.limited([...new Set([...people.limited, ...tables.limited])]);
  yield { changed: people.pages.flatMap((page) => joinPeople(page, people, tables)), removed };
}
