import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { openEmployer, parseStubs, whatIsThere } from "./staffology-client.ts";
import { lastPart, stub } from "./wire-values.ts";

interface RawGroup {
  employerId: string;
  type: "department" | "cost_centre";
  group: unknown;
}

export const groups = defineReader<"groups", RawGroup>({
  async *fetch(context, session) {
    const { client, employerId, path } = openEmployer(context, session);
    const departments = parseStubs(await client.get(`${path}/departments`));
    yield departments.map((group) => ({ employerId, type: "department", group }));
    const costCentres = await client.get(`${path}/costcentres`, whatIsThere);
    yield parseStubs(costCentres ?? []).map((group) => ({
      employerId,
      type: "cost_centre",
      group,
    }));
  },
  map: toGroup,
});

export function toGroup({ employerId, type, group }: RawGroup): SourceRecord<"groups"> {
  const { id, name, url } = stub.parse(group);
  const code = findCode(url) ?? id;
  const isDepartment = type === "department";
  return {
    remote_id: departmentId(employerId, isDepartment ? code : `costcentres/${code}`),
    name: name ?? code,
    type,
  };
}

/** An employee names its department by this code alone. */
export function departmentId(employerId: string, code: string): string {
  return `${employerId}/${code}`;
}

/** The address of a department or a cost centre has its code in the query, or ends with it. */
function findCode(url: string | null): string | null {
  const inQuery = URL.parse(url ?? "", "https://api.staffology.co.uk")?.searchParams.get("code");
  return inQuery || lastPart(url) || null;
}
