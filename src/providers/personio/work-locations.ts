import { defineReader } from "../contract.ts";
import { AuthError } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { readLimitedFields } from "./attributes.ts";
import { toId, toObject, toText, type JsonObject } from "./json-values.ts";
import { toOffice } from "./map-employee.ts";
import { readNamedByEmployees, readUnlessHidden } from "./named-by-employees.ts";
import { askInRead, type Ask } from "./personio-client.ts";

type WorkLocation = SourceRecord<"work-locations">;

/** A workplace of v2, or an office as employees name it. */
type RawLocation = { workplace: JsonObject } | { named: WorkLocation };

/** Many accounts have no list of workplaces: then the offices of the employees. */
export const workLocations = defineReader<"work-locations", RawLocation>({
  async *fetch(context) {
    const ask = askInRead(context);
    const workplaces = await readUnlessHidden(ask, { path: "/v2/workplaces", isBeta: true });
    yield workplaces
      ? workplaces.map((workplace) => ({ workplace }))
      : (await readOffices(ask)).map((named) => ({ named }));
  },
  map: (raw) => ("named" in raw ? raw.named : toWorkplace(raw.workplace)),
});

/** Personio leaves an attribute that may not be read out without a word: then there would be no offices. */
async function readOffices(ask: Ask): Promise<WorkLocation[]> {
  const limited = await readLimitedFields(ask);
  if (limited.includes("work_location")) throw new AuthError("insufficient_permission");
  return readNamedByEmployees(ask, listOffices);
}

function toWorkplace({ id, name }: JsonObject): WorkLocation {
  return { remote_id: toId(id), name: toText(name), type: "office" };
}

function listOffices(attributes: JsonObject): WorkLocation[] {
  const office = toOffice(toObject(attributes["office"])?.["value"]);
  return office ? [office] : [];
}
