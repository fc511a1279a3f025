import { defineReader } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { given, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { openEmployer, parseStubs, whatIsThere } from "./staffology-client.ts";
import { lastPart } from "./wire-values.ts";

type GroupType = "department" | "cost_centre";

const listed = defineSource({
  id: text,
  name: text,
  url: text,
  // What the read has put in.
  employerId: given<string>(),
  type: given<GroupType>(),
});

export const groupFields = defineFields("groups", listed, {
  remote_id: listed.from(["employerId", "type", "url", "id"], (employerId, type, url, id) =>
    departmentId(
      employerId ?? "",
      `${type === "cost_centre" ? "costcentres/" : ""}${findCode(url) ?? id}`,
    ),
  ),
  name: listed.from(["name", "url", "id"], (name, url, id) => name ?? findCode(url) ?? id),
  type: "type",
}).says({
  remote_id: "the employer and the code: it is in the address of the group",
  name: "the code without a name",
});

export const groups = defineReader<"groups", object>({
  async *fetch(context, session) {
    const { client, employerId, path } = openEmployer(context, session);
    const departments = parseStubs(await client.get(`${path}/departments`));
    yield departments.map((one) => ({ ...one, employerId, type: "department" }));
    const costCentres = await client.get(`${path}/costcentres`, whatIsThere);
    yield parseStubs(costCentres ?? []).map((one) => ({ ...one, employerId, type: "cost_centre" }));
  },
  table: groupFields,
});

/** An employee names its department by this code alone. */
export function departmentId(employerId: string, code: string): string {
  return `${employerId}/${code}`;
}

/** The address of a department or a cost centre has its code in the query, or ends with it. */
function findCode(url: string | null): string | null {
  const inQuery = URL.parse(url ?? "", "https://api.staffology.co.uk")?.searchParams.get("code");
  return inQuery || lastPart(url) || null;
}
