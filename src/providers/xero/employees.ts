import { defineReader, type ReadContext } from "../contract.ts";
import { listChanges, readByList, type Listed } from "../kit/list-changes.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { fieldOf } from "../kit/source.ts";
import { readAustralian } from "./australian-client.ts";
import { toPerson } from "./australian-records.ts";
import { countryOf } from "./country.ts";
import { employeeFields } from "./map-employee.ts";
import { readRoster } from "./roster.ts";
import { calendarsById, ratesById } from "./settings.ts";
import { readListOf, readOne, requestsAtOnce, type Country } from "./xero-client.ts";

const changesWith = (requestsOfEach: number) =>
  listChanges({
    requestsOfEach,
    // The limit of the applications that may ask least.
    leastDayRequests: 1_000,
    ofDay: (record, today) => {
      const { employment_status: status, employment_type: type } = employeeFields.map(record, {
        today,
      });
      return [status, type];
    },
  });

/** What is asked for of each person, beside the salaries. */
function wantedOf(context: ReadContext, country: Country) {
  return {
    isAccountWanted: context.isWanted("bank_account"),
    // In Britain the list has the tax id.
    isTaxWanted: country === "NZ" && context.isWanted("tax_id"),
  };
}

async function countRequestsOfEach(context: ReadContext): Promise<number> {
  const country = await countryOf(context);
  if (country === "AU") return 1;
  const { isAccountWanted, isTaxWanted } = wantedOf(context, country);
  return 1 + Number(isAccountWanted) + Number(isTaxWanted);
}

/** One to three requests for each person, so that a full read takes a minute for 20 to 60 people. */
export const employees = defineReader<"employees", object>({
  ...readByList({
    changesOf: async (context) => changesWith(await countRequestsOfEach(context)),
    readList: readRoster,
    readDetails: readDetails,
  }),
  isPagedByOffset: true,
  table: employeeFields,
});

async function* readDetails(
  context: ReadContext,
  people: readonly Listed[],
  cursor: ReadContext["cursor"],
) {
  const country = await countryOf(context);
  const { isAccountWanted, isTaxWanted } = wantedOf(context, country);
  const calendars = await calendarsById(context);
  const recordOf = new Map(people.map(({ id, record }) => [id, record]));
  yield* oneByOne([...recordOf.keys()], { atOnce: requestsAtOnce, cursor }, async (id) => {
    const record = recordOf.get(id);
    if (country === "AU") return [await readAustralianPerson(context, id, record)];
    const list = { employeeId: id, path: "SalaryAndWages", field: "salaryAndWages" };
    const salaries = await readListOf(context, list);
    const path = `/Employees/${encodeURIComponent(id)}`;
    // Who has no payment method yet may have no such path.
    const paymentMethod = isAccountWanted
      ? await readOne(context, `${path}/PaymentMethods`, "paymentMethod")
      : null;
    const tax = isTaxWanted ? await readOne(context, `${path}/Tax`, "employeeTax") : null;
    const calendar = calendars.get(String(fieldOf(record, "payrollCalendarID"))) ?? null;
    const person = { ...record, country };
    const paid = salaries.map((salary) => ({ ...salary, person, calendar }));
    return [{ ...person, salaries: paid, paymentMethod, tax, calendar }];
  });
}

/** All of a person in one request. Who was deleted meanwhile is what the list said. */
async function readAustralianPerson(
  context: ReadContext,
  id: string,
  listed: object | undefined,
): Promise<object> {
  const found = await readAustralian(context, `/Employees/${encodeURIComponent(id)}`, "Employees");
  return toPerson(found ?? listed ?? {}, {
    calendars: await calendarsById(context),
    rates: await ratesById(context),
  });
}
