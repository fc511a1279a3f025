import { defineReader } from "../contract.ts";
import { employeeFields } from "./map-employee.ts";
import { readStaff } from "./staff.ts";
import { api } from "./staffology-client.ts";

export const employees = defineReader<"employees", object>({
  isPagedByOffset: true,
  async *fetch(context, session) {
    const { employerId } = api.parse(session);
    for await (const { records, cursor } of readStaff(context, session))
      yield { records: records.map((employee) => ({ ...employee, employerId })), cursor };
  },
  table: employeeFields,
});
