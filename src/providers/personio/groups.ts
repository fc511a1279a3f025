import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { toId, toText, type JsonObject } from "./json-values.ts";
import { readNamedByEmployees, readUnlessHidden } from "./named-by-employees.ts";
import { toGroup, toGroups } from "./map-employee.ts";
import { askInRead } from "./personio-client.ts";
import { readCursorList } from "./read-lists.ts";

type Group = SourceRecord<"groups">;

/** A unit of v2, or a group as employees name it. */
type RawGroup =
  { type: "department" | "team" | "cost_centre"; unit: JsonObject } | { named: Group };

/** Departments, teams and cost centres. */
export const groups = defineReader<"groups", RawGroup>({
  async *fetch(context) {
    const ask = askInRead(context);
    for (const type of ["department", "team"] as const) {
      const units = await readCursorList(ask, {
        path: "/v2/org-units",
        query: { type },
        isBeta: true,
      });
      yield units.map((unit) => ({ type, unit }));
    }
    const costCentres = await readUnlessHidden(ask, { path: "/v2/cost-centers", isBeta: true });
    yield costCentres
      ? costCentres.map((unit) => ({ type: "cost_centre", unit }))
      : (await readNamedByEmployees(ask, listCostCentres)).map((named) => ({ named }));
  },
  map: toGroupRecord,
});

function toGroupRecord(raw: RawGroup): Group | null {
  if ("named" in raw) return raw.named;
  const { id, name } = raw.unit;
  const known = toId(id);
  return known === null ? null : toGroup(raw.type, { id: known, name: toText(name) });
}

function listCostCentres(attributes: JsonObject): Group[] {
  return toGroups(attributes).filter(({ type }) => type === "cost_centre");
}
