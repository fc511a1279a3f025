import { defineReader } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { called, day, flag, given, number, oneOf, text } from "../kit/readers.ts";
import { eachAtOnce } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { openEmployer, parseStubs, requestsAtOnce, whatIsThere } from "./staffology-client.ts";
import { listStaff } from "./staff.ts";

/** The leave of so many people is one page: each costs a request, and one more for each leave. */
const peopleOnPage = 20;

const leave = defineSource({
  id: text,
  employeeId: given<string>(),
  type: text,
  kind: called(
    "type",
    oneOf(
      {
        Holiday: "vacation",
        Sick: "sick",
        Bereavement: "bereavement",
        BereavementNorthernIreland: "bereavement",
      },
      { otherwise: null },
    ),
  ),
  from: day,
  to: day,
  workingDays: number,
  workingDaysOverride: number,
  isReversed: flag,
});

const fields = defineFields("time-off-entries", leave, {
  remote_id: "id",
  employee_remote_id: "employeeId",
  start_date: "from",
  end_date: "to",
  amount: leave.first("workingDaysOverride", "workingDays"),
  unit: always("days"),
  // What is here was recorded by payroll.
  status: always("approved"),
  policy_remote_id: "type",
  policy_name: "type",
  policy_type: "kind",
});

/** Staffology takes no range of days for it. */
export const timeOffEntries = defineReader<"time-off-entries", object>({
  isPagedByOffset: true,
  async *fetch(context, session) {
    const { client, path } = openEmployer(context, session);
    const read = async (employeeId: string): Promise<object[]> => {
      const address = `${path}/employees/${employeeId}/leave`;
      const stubs = parseStubs((await client.get(address, whatIsThere)) ?? []);
      const found: object[] = [];
      for (const { id } of stubs) {
        const one = await client.get(`${address}/${id}`, whatIsThere);
        if (one !== null) found.push({ ...one, employeeId });
      }
      return found;
    };
    for await (const { stubs, cursor } of listStaff(context, session, peopleOnPage)) {
      const records = await eachAtOnce(stubs, requestsAtOnce, ({ id }) => read(id));
      yield { records: records.flat(), cursor };
    }
  },
  table: fields,
  // Leave that was taken back is none.
  map: (raw, context) => (leave.read(raw, "isReversed") ? null : fields.map(raw, context)),
});
