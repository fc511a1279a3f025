import { defineReader } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { number, text } from "../kit/readers.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import { readStaff } from "./staff.ts";

type Amounts = Required<Pick<SourceRecord<"time-off-balances">, "balance" | "used" | "unit">>;

const leaveSettings = {
  holidayType: text,
  allowanceRemaining: number,
  allowanceUsed: number,
  accruedHoursBalance: number,
  accruedHoursPaid: number,
  enhancedDaysBalance: number,
  enhancedDaysAllowance: number,
  enhancedDaysTaken: number,
};
type LeaveSettings = Parts<typeof leaveSettings>;

const employee = defineSource({ id: text, leaveSettings });

const amount = <Name extends keyof Amounts>(name: Name) =>
  employee.from(["leaveSettings"], (settings) => settings && toAmounts(settings)[name]);

const fields = defineFields("time-off-balances", employee, {
  employee_remote_id: "id",
  balance: amount("balance"),
  used: amount("used"),
  unit: amount("unit"),
  policy_remote_id: always("Holiday"),
  policy_name: always("Holiday"),
  policy_type: always("vacation"),
}).says({
  balance: "by the type of holidays; null for those that accrue in pounds",
  used: "by the type of holidays; null for those that accrue in pounds",
  unit: "hours where they accrue in hours or in days, else days; null for those that accrue in pounds",
});

/** The holidays that are left stand in the record of each employee. */
export const timeOffBalances = defineReader<"time-off-balances", unknown>({
  isPagedByOffset: true,
  fetch: readStaff,
  table: fields,
  map: (raw, context) =>
    employee.read(raw, "leaveSettings") === null ? null : fields.map(raw, context),
});

/** Holidays that are counted in pounds are no time. Accrued days are kept in hours. */
function toAmounts(settings: LeaveSettings): Amounts {
  switch (settings.holidayType) {
    case "Days":
      return { balance: settings.allowanceRemaining, used: settings.allowanceUsed, unit: "days" };
    case "Accrual_Hours":
    case "Accrual_Days":
      return {
        balance: settings.accruedHoursBalance,
        used: settings.accruedHoursPaid,
        unit: "hours",
      };
    case "Avg_Enhanced_Days":
      return { ...toEnhancedDays(settings), unit: "days" };
    default:
      return { balance: null, used: null, unit: null };
  }
}

/** The balance has what was adjusted by hand. */
function toEnhancedDays({
  enhancedDaysBalance: balance,
  enhancedDaysAllowance: allowance,
  enhancedDaysTaken: taken,
}: LeaveSettings) {
  const isKnown = allowance !== null && taken !== null;
  // Halves and quarters of days, without the noise of a difference of floats.
  const left = isKnown ? Number((allowance - taken).toFixed(4)) : null;
  return { balance: balance ?? left, used: taken };
}
