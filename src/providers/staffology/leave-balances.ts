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
  averageDaysBalance: number,
  averageDaysAllowance: number,
  averageDaysTaken: number,
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
  balance:
    "by the type of holidays, enhanced and average days together; null for those that accrue in pounds",
  used: "by the type of holidays, enhanced and average days together; null for those that accrue in pounds",
  unit: "hours where they accrue in hours, else days; null for those that accrue in pounds",
});

/** The holidays that are left stand in the record of each employee. */
export const timeOffBalances = defineReader<"time-off-balances", unknown>({
  isPagedByOffset: true,
  fetch: readStaff,
  table: fields,
  map: (raw, context) =>
    employee.read(raw, "leaveSettings") === null ? null : fields.map(raw, context),
});

/**
 * Holidays that are counted in pounds are no time. Of days that accrue the allowance has those that are there: hours are
 * paid in place of holidays that accrue in hours.
 */
function toAmounts(settings: LeaveSettings): Amounts {
  switch (settings.holidayType) {
    case "Days":
    case "Accrual_Days":
      return { balance: settings.allowanceRemaining, used: settings.allowanceUsed, unit: "days" };
    case "Accrual_Hours":
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

/** The allowance is of enhanced days and of others, which are paid by the average. */
function toEnhancedDays(settings: LeaveSettings) {
  const enhanced = toLeft({
    balance: settings.enhancedDaysBalance,
    allowance: settings.enhancedDaysAllowance,
    taken: settings.enhancedDaysTaken,
  });
  const average = toLeft({
    balance: settings.averageDaysBalance,
    allowance: settings.averageDaysAllowance,
    taken: settings.averageDaysTaken,
  });
  return {
    balance: add(enhanced, average),
    used: add(settings.enhancedDaysTaken, settings.averageDaysTaken),
  };
}

type Days = Record<"balance" | "allowance" | "taken", number | null>;

/** The balance has what was adjusted by hand. */
function toLeft({ balance, allowance, taken }: Days): number | null {
  return balance ?? (allowance === null || taken === null ? null : toDays(allowance - taken));
}

/** Where nothing is told of average days, there are none. */
function add(enhanced: number | null, average: number | null): number | null {
  return enhanced === null ? null : toDays(enhanced + (average ?? 0));
}

/** Halves and quarters of days, without the noise of a sum of floats. */
function toDays(days: number): number {
  return Number(days.toFixed(4));
}
