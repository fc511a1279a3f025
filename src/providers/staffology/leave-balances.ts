import { z } from "zod";
import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { readStaff } from "./staff.ts";
import { number, part, text } from "./wire-values.ts";

type Balance = SourceRecord<"time-off-balances">;
type Amounts = Required<Pick<Balance, "balance" | "used" | "unit">>;

const leaveSettings = part({
  holidayType: text,
  allowanceRemaining: number,
  allowanceUsed: number,
  accruedHoursBalance: number,
  accruedHoursPaid: number,
  enhancedDaysBalance: number,
  enhancedDaysAllowance: number,
  enhancedDaysTaken: number,
});
const employee = z.object({ id: z.string(), leaveSettings });
type LeaveSettings = NonNullable<z.output<typeof leaveSettings>>;

/** The holidays that are left stand in the record of each employee. */
export const timeOffBalances = defineReader<"time-off-balances", unknown>({
  isPagedByOffset: true,
  fetch: readStaff,
  map: toTimeOffBalance,
});

export function toTimeOffBalance(raw: unknown): Balance | null {
  const { id, leaveSettings: settings } = employee.parse(raw);
  if (!settings) return null;
  return {
    employee_remote_id: id,
    ...toAmounts(settings),
    policy_remote_id: "Holiday",
    policy_name: "Holiday",
    policy_type: "vacation",
  };
}

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
