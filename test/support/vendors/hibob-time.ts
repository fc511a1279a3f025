import { personId, type HibobCompany, type Wire } from "./hibob-people.ts";

const out = (requestId: number, number: number, more: Wire): Wire => ({
  requestId,
  employeeId: personId(number),
  employeeDisplayName: `Person ${number}`,
  policyTypeDisplayName: "Holiday",
  type: "days",
  startPortion: "all_day",
  endPortion: "all_day",
  status: "Approved",
  visibility: "Public",
  ...more,
});
const days = (startDate: string, endDate: string | null): Wire => ({ startDate, endDate });

/** Absences of those who work there. */
export function createOuts(): Wire[] {
  return [
    // A week with a public holiday in it.
    out(9_001, 2, { ...days("2026-03-12", "2026-03-20"), totalCost: 6 }),
    out(9_002, 3, { ...days("2026-03-16", "2026-03-16"), startPortion: "morning" }),
    out(9_003, 4, {
      type: "hours",
      date: "2026-03-16",
      hoursOnDate: 3,
      minutes: 30,
      policyTypeDisplayName: "Doctor",
    }),
    out(9_004, 7, {
      ...days("2026-04-01", "2026-04-02"),
      status: "Pending",
      policyTypeDisplayName: "Sick leave",
    }),
    out(9_005, 10, {
      ...days("2026-02-02", "2026-02-06"),
      type: "hoursOnRange",
      dailyHours: 2,
      visibility: "Private",
      policyTypeDisplayName: "Compassionate",
    }),
    out(9_006, 12, {
      ...days("2026-03-02", null),
      type: "openEnded",
      policyTypeDisplayName: "Sick leave",
    }),
    out(9_007, 13, {
      ...days("2025-12-29", "2026-01-05"),
      type: "portionOnRange",
      dayPortion: "afternoon",
    }),
    out(9_008, 14, {
      ...days("2026-02-10", "2026-02-10"),
      totalCost: 1.5,
      policyTypeDisplayName: "Doctor",
    }),
    out(9_010, 15, { ...days("2026-03-13", "2026-03-16"), endPortion: "morning" }),
    out(9_012, 17, days("2026-03-03", "2026-03-04")),
  ];
}

const change = (on: string, changeType: string, of: Wire): { on: string; change: Wire } => ({
  on,
  change: { ...of, changeType, status: undefined, visibility: undefined },
});

/** Of six months. */
export function createChanges(): HibobCompany["changes"] {
  // Of a policy that is not there any more.
  const ofLeaver = out(9_009, 20, {
    ...days("2026-01-12", "2026-01-16"),
    policyTypeDisplayName: "Training",
    durationUnit: "hours",
    totalCost: 20,
  });
  const doctor = out(9_003, 4, { type: "hours", date: "2026-03-16", hoursOnDate: 3, minutes: 30 });
  const moved = out(9_011, 17, days("2026-03-02", "2026-03-03"));
  const later = out(9_012, 17, days("2026-03-03", "2026-03-04"));
  const refused = out(9_013, 18, days("2026-02-16", "2026-02-17"));
  const cancelled = out(9_014, 18, days("2026-02-18", "2026-02-19"));
  return [
    change("2025-08-01", "Created", out(9_015, 20, days("2026-02-20", "2026-02-20"))),
    change("2026-01-02", "Pending", ofLeaver),
    change("2026-01-03", "Created", ofLeaver),
    change("2026-01-04", "Created", {
      ...doctor,
      durationUnit: "hours",
      totalCost: 3.25,
      policyTypeDisplayName: "Doctor",
    }),
    change("2026-01-05", "Created", { ...moved, durationUnit: "days", totalCost: 2 }),
    change("2026-01-06", "Created", {
      ...later,
      durationUnit: "days",
      totalCost: 2,
      previousRequestId: 9_011,
      originalRequestId: 9_011,
    }),
    change("2026-01-07", "Pending", refused),
    change("2026-01-09", "Canceled", { ...cancelled, durationUnit: "days", totalCost: 2 }),
    // The feed is in no order.
    change("2026-01-08", "Created", { ...cancelled, durationUnit: "days", totalCost: 2 }),
  ];
}

const balance = (left: number, taken: number): Wire => ({
  totalBalanceAsOfDate: left,
  totalRoundedBalanceAsOfDate: Math.round(left),
  totalTaken: taken,
  policy: "UK policy",
});

export function createBalances(): HibobCompany["balances"] {
  return {
    [personId(2)]: { Holiday: balance(12.5, -7.5), Doctor: balance(4.25, 3.25) },
    [personId(3)]: { Holiday: balance(-2, 27) },
    [personId(4)]: { Holiday: { ...balance(5, 0), totalTaken: null }, "Sick leave": balance(3, 0) },
  };
}

const entry = (id: number, number: number, more: Wire): Wire => ({
  id,
  employeeId: personId(number),
  clockInDate: "2026-03-02",
  clockInTime: null,
  clockOutDate: null,
  clockOutTime: null,
  type: "work",
  duration: null,
  ...more,
});

/** The zone is that of the company's clocks, which is not told. */
export function createEntries(): Wire[] {
  return [
    entry(1, 2, { clockInTime: "2026-03-02T09:00:00", clockOutTime: "2026-03-02T12:30:00" }),
    entry(2, 2, {
      clockInTime: "2026-03-02T12:30:00",
      clockOutTime: "2026-03-02T13:00:00",
      type: "break",
    }),
    entry(3, 3, { clockInDate: "2026-03-03", duration: 455 }),
    entry(4, 4, { clockInDate: "2026-03-16", clockInTime: "2026-03-16T08:00:00" }),
    // After the clocks went on.
    entry(5, 2, {
      clockInDate: "2026-03-30",
      clockInTime: "2026-03-30T09:00:00",
      clockOutTime: "2026-03-30T17:15:00",
      type: "Work",
    }),
    entry(6, 20, { clockInDate: "2026-01-05", duration: 60, type: null }),
    // In UTC it is of the day before.
    entry(7, 3, {
      clockInDate: "2026-02-01",
      clockInTime: "2026-02-01T00:15:00",
      clockOutTime: "2026-02-01T02:15:00",
    }),
  ];
}
