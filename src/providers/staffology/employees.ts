import { defineReader } from "../contract.ts";
import { toEmployee } from "./map-employee.ts";
import { readStaff } from "./staff.ts";
import { parseSession } from "./staffology-session.ts";

export const employees = defineReader<"employees", { employerId: string; employee: unknown }>({
  isPagedByOffset: true,
  async *fetch(context, session) {
    const { employerId } = parseSession(session);
    for await (const { records, cursor } of readStaff(context, session))
      yield { records: records.map((employee) => ({ employerId, employee })), cursor };
  },
  map: ({ employerId, employee }) => toEmployee(employerId, employee),
});
