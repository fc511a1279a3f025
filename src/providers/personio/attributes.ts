import { toText } from "./json-values.ts";
import type { Ask } from "./personio-client.ts";
import { requireList } from "./read-lists.ts";

const pay = ["hire_date", "fix_salary", "fix_salary_interval", "hourly_salary"];

/** Which attributes of Personio a field is made of. Without one of them the field is limited. */
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  first_name: ["first_name"],
  last_name: ["last_name"],
  work_email: ["email"],
  gender: ["gender"],
  employment_status: ["status"],
  employment_type: ["employment_type"],
  job_title: ["position"],
  start_date: ["hire_date"],
  termination_date: ["termination_date"],
  remote_created_at: ["created_at"],
  manager: ["supervisor"],
  work_location: ["office"],
  groups: ["department", "team", "cost_centers"],
  employments: ["position", "employment_type", ...pay],
  employment_history: ["position", "hire_date", "department", "supervisor"],
  compensation_history: ["employment_type", ...pay],
};

/**
 * The fields of employees that the credential may not read, wholly or in part. Personio leaves such an attribute out
 * of a record without a word, as it does with one that is empty.
 */
export async function readLimitedFields(ask: Ask): Promise<string[]> {
  const body = await ask({ path: "/v1/company/employees/attributes" });
  const readable = new Set(requireList(body["data"]).map(({ key }) => toText(key)));
  return Object.entries(attributesOf)
    .filter(([, attributes]) => attributes.some((attribute) => !readable.has(attribute)))
    .map(([field]) => field);
}
