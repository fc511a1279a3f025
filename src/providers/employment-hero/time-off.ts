import { defineReader } from "../contract.ts";
import { addDays } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { recordsAt } from "../kit/paging.ts";
import { called, day, flag, number, oneOf, readValue, text, wordIn } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { openZone } from "../kit/zone.ts";
import { lookUp, openForEverybody, regions } from "./client.ts";

const categoriesById = lookUp("leavecategory", ["id"]);
const categoriesByName = lookUp("leavecategory", ["name"]);

/** Leave that crosses the ends of a range is not found by it: so much more is asked for on each side. */
const longestLeaveDays = 366;

const unknown = { otherwise: null };
const category = {
  id: text,
  leaveUnitType: oneOf({ Hours: "hours", Days: "days" }, unknown),
  leaveCategoryType: oneOf(
    {
      PersonalCarersLeave: "sick",
      StatutorySickLeave: "sick",
      OccupationalSickLeave: "sick",
      StatutoryParentalBereavementLeave: "bereavement",
    },
    unknown,
  ),
  isStandard: called("leaveCategoryType", oneOf({ Standard: true }, { otherwise: false })),
  // A company names its categories itself.
  name: wordIn({
    annual: "vacation",
    holiday: "vacation",
    vacation: "vacation",
    sick: "sick",
    medical: "sick",
    hospitalisation: "sick",
    bereavement: "bereavement",
    compassionate: "bereavement",
    jury: "jury_duty",
  }),
  isBalanceUntracked: flag,
} as const;
type PolicyType = "vacation" | "sick" | "bereavement" | "jury_duty" | null;

const leave = defineSource({
  id: text,
  employeeId: text,
  leaveCategoryId: text,
  leaveCategory: text,
  fromDate: day,
  toDate: day,
  notes: text,
  /** Of Australia, in hours; the other countries count in the unit of the category. */
  totalHours: number,
  totalUnits: number,
  status: oneOf(
    { Approved: "approved", Pending: "pending", Rejected: "rejected", Declined: "rejected" },
    unknown,
  ),
  isCancelled: called("status", oneOf({ Cancelled: true }, { otherwise: false })),
  // What the read has put in.
  category,
});

const entryFields = defineFields("time-off-entries", leave, {
  remote_id: "id",
  employee_remote_id: "employeeId",
  start_date: "fromDate",
  end_date: "toDate",
  amount: leave.first("totalHours", "totalUnits"),
  unit: leave.from(["totalHours", "category.leaveUnitType"], (hours, unit) =>
    hours === null ? unit : "hours",
  ),
  status: "status",
  employee_note: "notes",
  policy_remote_id: "leaveCategoryId",
  policy_name: "leaveCategory",
  policy_type: leave.from(["category"], toPolicyType),
}).says({
  unit: "hours in Australia, else that of the category; leave in weeks is left out",
  policy_type: "by the kind of the category, of a standard one by its name",
});

/** It takes no paging. What is cancelled is none, and weeks are no unit of ours: their days are not told. */
export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, session, { range }) {
    const { client, path } = await openForEverybody(context, session);
    const query = {
      FromDate: addDays(range.start, -longestLeaveDays),
      ToDate: addDays(range.end, longestLeaveDays),
    };
    const found = recordsAt()(await client.get(`${path}/leaverequest`, { query }));
    const categories = await categoriesById(context);
    yield found.map((one) => ({
      ...one,
      category: categories.get(keyOf(one["leaveCategoryId"])),
    }));
  },
  table: entryFields,
  map: (raw, context) => {
    const unit = leave.read(raw, "totalHours") ?? leave.read(raw, "category.leaveUnitType");
    return leave.read(raw, "isCancelled") || unit === null ? null : entryFields.map(raw, context);
  },
});

const balance = defineSource({
  employeeId: text,
  leaveCategoryName: text,
  accruedAmount: number,
  accruedAmountInHours: number,
  unitType: oneOf({ Hours: "hours", Days: "days" }, unknown),
  category,
});

const balanceFields = defineFields("time-off-balances", balance, {
  employee_remote_id: "employeeId",
  // Negative where more was taken than accrued.
  balance: balance.from(
    ["category.isBalanceUntracked", "unitType", "accruedAmount", "accruedAmountInHours"],
    (isUntracked, unit, amount, hours) => {
      if (isUntracked) return null;
      return unit === null ? hours : amount;
    },
  ),
  unit: balance.from(["unitType"], (unit) => unit ?? "hours"),
  policy_remote_id: "category.id",
  policy_name: "leaveCategoryName",
  policy_type: balance.from(["category"], toPolicyType),
}).says({
  balance:
    "of a category that counts in weeks the hours that the system makes of it; null of one whose balance is not kept",
  unit: "hours for a category that counts in weeks",
  policy_remote_id: "of the category with the name; null where two have it",
  policy_type: "by the kind of the category, of a standard one by its name",
});

/** One report has everybody. */
export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context, session) {
    const { client, path, region } = await openForEverybody(context, session);
    const { toLocal } = openZone(regions[region].zone);
    const query = { AsAtDate: toLocal(context.clock.now()).slice(0, "YYYY-MM-DD".length) };
    const found = recordsAt()(await client.get(`${path}/report/leavebalances`, { query }));
    const categories = await categoriesByName(context);
    yield found.map((one) => ({
      ...one,
      category: categories.get(keyOf(one["leaveCategoryName"])),
    }));
  },
  table: balanceFields,
});

function keyOf(value: unknown): string {
  return String(readValue(text, value));
}

type Category = { leaveCategoryType: PolicyType; isStandard: boolean | null; name: PolicyType };

function toPolicyType(of: Category | null): PolicyType {
  return of && (of.isStandard ? of.name : of.leaveCategoryType);
}
