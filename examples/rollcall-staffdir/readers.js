import { accountOf } from "./sign-in.js";
import { askStaffDir } from "./staffdir-client.js";

/**
 * @typedef {{
 *   id: number, given: string | null, family: string | null, email?: string | null, phone?: string | null,
 *   title?: string | null, team?: { id: number, name: string } | null, born?: string | null, tax?: string | null,
 *   since?: string | null, until?: string | null,
 * }} Person
 */

/**
 * One file for each resource is the better way as soon as there are more.
 * @param {import("@rollcall/provider").Kit} kit
 * @returns {import("@rollcall/provider").ProviderMode["resources"]}
 */
export function createReaders(kit) {
  return {
    company: kit.defineReader({
      async *fetch(context) {
        yield [await ask(kit, context, "/company")];
      },
      map: toCompany,
    }),
    employees: kit.defineReader({
      async *fetch(context) {
        // Where the read goes on, when an earlier run of it was cut short.
        let after = context.cursor?.after;
        do {
          const page = await ask(kit, context, "/people", { after: toNumber(after) });
          context.limited(page.hidden ?? []);
          // Each page names the version that changes go on from. That of the first page misses nothing.
          if (after === undefined) context.continueFrom({ version: page.version });
          if (page.next !== null && page.next === after)
            throw new kit.ProviderBug("StaffDir gave the same page twice");
          after = page.next;
          yield after === null ? page.people : { records: page.people, cursor: { after } };
        } while (after !== null);
      },
      async *changes(context, _session, { version }) {
        const answer = await ask(kit, context, "/people/changes", { since: toNumber(version) });
        context.limited(answer.hidden ?? []);
        context.continueFrom({ version: answer.version });
        yield { changed: answer.changed, removed: answer.removed.map(String) };
      },
      changesNameRemovals: true,
      map: toEmployee,
    }),
  };
}

/**
 * With the newest session. The cursor is kept sealed, and comes back as it was.
 * @param {import("@rollcall/provider").Kit} kit
 * @param {import("@rollcall/provider").ReadContext} context
 * @param {string} path
 * @param {Record<string, string | undefined>} [query]
 */
function ask(kit, context, path, query = {}) {
  return context.withSession((session) =>
    askStaffDir(kit, context, accountOf(session), { path, query }),
  );
}

/**
 * StaffDir counts by numbers. A cursor that is none counts as absent.
 * @param {unknown} value
 */
function toNumber(value) {
  return typeof value === "number" ? String(value) : undefined;
}

/**
 * @param {{ id: number, name: string }} company
 * @returns {import("@rollcall/provider").SourceRecord<"company">}
 */
export function toCompany({ id, name }) {
  return { remote_id: String(id), legal_name: name, display_name: name };
}

/**
 * A field that is left out is null.
 * @param {Person} person
 * @param {import("@rollcall/provider").MapContext} context
 * @returns {import("@rollcall/provider").SourceRecord<"employees">}
 */
export function toEmployee(person, { today }) {
  const { id, given, family, team } = person;
  return {
    remote_id: String(id),
    first_name: given,
    last_name: family ?? "",
    work_email: person.email ?? null,
    mobile_phone_number: person.phone ?? null,
    job_title: person.title ?? null,
    date_of_birth: person.born ?? null,
    tax_id: person.tax ?? null,
    start_date: person.since ?? null,
    termination_date: person.until ?? null,
    employment_status: toStatus(person, today),
    groups: team ? [{ remote_id: String(team.id), name: team.name, type: "team" }] : [],
  };
}

/**
 * @param {Person} person
 * @param {string} today
 */
function toStatus({ since, until }, today) {
  if (until && until < today) return "inactive";
  return since && since > today ? "pending" : "active";
}
