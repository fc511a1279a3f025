import { z } from "zod";
import { defineProvider, defineReader, type Session } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { listEmployees } from "../../src/providers/sandbox/employee-record.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";

type Employee = SourceRecord<"employees">;

const perPage = 500;
/** The people of the sandbox beside those that are hired for the size. */
const othersInSandbox = 37;
const made = new Map<number, readonly Employee[]>();

/** As many employees of the sandbox as the user name says. They are made once, so that a read of them takes no time. */
// oxlint-disable-next-line import/no-default-export
export default defineProvider({
  apiVersion: 1,
  name: "instant",
  title: "Instant",
  isSimulated: true,
  modes: {
    xhr: {
      form: z.object({ username: formField({ title: "Employees" }) }),
      login: async (_context, { username }) => ({ session: { employees: Number(username) } }),
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Bench", email: "bench@example.com", phone_number: null }),
      resources: {
        employees: defineReader<"employees", Employee>({
          async *fetch(_context, session) {
            const employees = employeesOf(session);
            for (let start = 0; start < employees.length; start += perPage)
              yield employees.slice(start, start + perPage);
          },
          map: (record) => record,
        }),
      },
    },
  },
  limits: { concurrency: 8 },
});

function employeesOf(session: Session): readonly Employee[] {
  const count = Number(session["employees"]);
  const known = made.get(count);
  if (known) return known;
  const hires = count - othersInSandbox;
  const company = { hires, recordsEvery: 48, today: "2026-01-01", hour: 0 };
  const employees = [...listEmployees(company)].slice(0, count);
  made.set(count, employees);
  return employees;
}
