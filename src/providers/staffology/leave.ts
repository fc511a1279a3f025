import { z } from "zod";
import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { eachAtOnce } from "../kit/rest.ts";
import { openEmployer, parseStubs, requestsAtOnce, whatIsThere } from "./staffology-client.ts";
import { listStaff } from "./staff.ts";
import { day, flag, number, text } from "./wire-values.ts";

type Entry = SourceRecord<"time-off-entries">;

interface RawLeave {
  employeeId: string;
  leave: unknown;
}

/** The leave of so many people is one page: each costs a request, and one more for each leave. */
const peopleOnPage = 20;

const leave = z.object({
  id: z.string(),
  type: text,
  from: day,
  to: day,
  workingDays: z.number(),
  workingDaysOverride: number,
  isReversed: flag,
});

/** Staffology takes no range of days for it. */
export const timeOffEntries = defineReader<"time-off-entries", RawLeave>({
  isPagedByOffset: true,
  async *fetch(context, session) {
    const { client, path } = openEmployer(context, session);
    const read = async (employeeId: string): Promise<RawLeave[]> => {
      const address = `${path}/employees/${employeeId}/leave`;
      const stubs = parseStubs((await client.get(address, whatIsThere)) ?? []);
      const found: RawLeave[] = [];
      for (const { id } of stubs) {
        const one = await client.get(`${address}/${id}`, whatIsThere);
        if (one !== null) found.push({ employeeId, leave: one });
      }
      return found;
    };
    for await (const { stubs, cursor } of listStaff(context, session, peopleOnPage)) {
      const records = await eachAtOnce(stubs, requestsAtOnce, ({ id }) => read(id));
      yield { records: records.flat(), cursor };
    }
  },
  map: toTimeOffEntry,
});

/** Null for leave that was taken back. What is here was recorded by payroll, so it is approved. */
export function toTimeOffEntry({ employeeId, leave: raw }: RawLeave): Entry | null {
  const { id, type, from, to, workingDays, workingDaysOverride, isReversed } = leave.parse(raw);
  if (isReversed) return null;
  return {
    remote_id: id,
    employee_remote_id: employeeId,
    start_date: from,
    end_date: to,
    amount: workingDaysOverride ?? workingDays,
    unit: "days",
    status: "approved",
    policy_remote_id: type,
    policy_name: type,
    policy_type: toPolicyType(type),
  };
}

function toPolicyType(type: string | null): Entry["policy_type"] {
  switch (type) {
    case "Holiday":
      return "vacation";
    case "Sick":
      return "sick";
    case "Bereavement":
    case "BereavementNorthernIreland":
      return "bereavement";
    default:
      return null;
  }
}
