/** One line of the adapter that is wrong. */
export interface Fault {
  what: string;
  /** Stands in the adapter once. */
  from: string;
  to: string;
  /** The check that notices it, or why none can. */
  noticed: { by: string; as: RegExp } | { not: string };
}

/** Faults that a person makes, each with what the checks say of it. */
export const faults: readonly Fault[] = [
  {
    what: "payslips of every pay run",
    from: '"/payslips", { run }',
    to: '"/payslips", {}',
    noticed: { by: "payslips", as: /the pay runs 201 and 202 have the same payslip/ },
  },
  {
    what: "amounts in the major unit",
    from: 'kit.toMinorUnits(amount, "eur")',
    to: "Math.round(Number(amount))",
    noticed: { by: "money", as: /gross_pay of payslips 20212 has to be 246050, and it is 2461/ },
  },
  {
    what: "amounts that are multiplied, and not rounded",
    from: 'kit.toMinorUnits(amount, "eur")',
    to: "Number(amount) * 99.5",
    noticed: { by: "sums", as: /an amount of a payslip is [\d.]+, which is no whole number/ },
  },
  {
    what: "no pay",
    from: "pay_rate: Number(person.salary.amount),",
    to: "pay_rate: null,",
    noticed: { by: "money", as: /pay_rate of employees 11 has to be 54000, and it is null/ },
  },
  {
    what: "pay of an hour as of a month",
    from: 'hour: "HOUR"',
    to: 'hour: "MONTH"',
    noticed: { by: "money", as: /pay_period of employees 12 has to be "HOUR", and it is "MONTH"/ },
  },
  {
    what: "gross and net pay the other way round",
    from: "net_pay: money(slip.net),",
    to: "net_pay: money(slip.gross),",
    noticed: {
      by: "sums",
      as: /earnings, deductions, taxes, reimbursements of payslips contradict/,
    },
  },
  {
    what: "the employer's taxes as the employee's",
    from: "employer_tax: true",
    to: "employer_tax: false",
    noticed: { by: "sums", as: /net pay is gross pay without deductions and the employee's taxes/ },
  },
  {
    what: "deductions left out",
    from: 'deductions: plain(slip, "deduction"),',
    to: "",
    noticed: {
      by: "sums",
      as: /the lists of 5 of 5 payslips do not make their totals, where deductions count as empty/,
    },
  },
  {
    what: "deductions called unknown",
    from: 'deductions: plain(slip, "deduction"),',
    to: "deductions: null,",
    noticed: { by: "money", as: /deductions of payslips 20212 has to have 1 items/ },
  },
  {
    what: "the days of payment of other pay runs",
    from: "find(({ id }) => String(id) === run)",
    to: 'map((one) => ({ ...one, id: Number(run), paid: "2026-02-05" })).at(0)',
    noticed: {
      by: "payslips",
      as: /start_date, end_date, payment_date of a payslip of pay run 202/,
    },
  },
  {
    what: "local times as those of UTC",
    from: "clockOf.toInstant(clock)?.toISOString() ?? null",
    to: "new Date(`${clock}Z`).toISOString()",
    noticed: { by: "times", as: /start_time of timesheets 301 has to be "2026-03-02T08:00:00Z"/ },
  },
  {
    what: "one offset, in winter and in summer",
    from: "clockOf.toInstant(clock)?.toISOString() ?? null",
    to: "new Date(`${clock}+01:00`).toISOString()",
    noticed: { by: "times", as: /start_time of timesheets 303 has to be "2026-03-30T06:00:00Z"/ },
  },
  {
    what: "a day by way of the machine's midnight",
    from: "date_of_birth: person.born ?? null,",
    to: "date_of_birth: person.born ? new Date(`${person.born}T00:00`).toISOString().slice(0, 10) : null,",
    noticed: { by: "own-zone", as: /employees are others on a machine in Pacific\/Auckland/ },
  },
  {
    what: "minutes as hours",
    from: "shift.minutes / 60",
    to: "shift.minutes",
    noticed: { by: "records", as: /timesheets have values that break the model: start_time/ },
  },
  {
    what: "hours off as days",
    from: 'h: "hours"',
    to: 'h: "days"',
    noticed: {
      by: "times",
      as: /unit of time-off-entries 402 has to be "hours", and it is "days"/,
    },
  },
  {
    what: "leave that is asked for as granted",
    from: 'asked: "pending"',
    to: 'asked: "approved"',
    noticed: { by: "values", as: /status of time-off-entries 402 has to be "pending"/ },
  },
  {
    what: "pay runs by their period, and not by the day of payment",
    from: '"/payruns", { ...daysOf(range), by: "payment" }',
    to: '"/payruns", { ...daysOf(range), by: "period" }',
    noticed: { by: "ranges", as: /payruns from 2026-02-01 to 2026-04-30: 1 are missing/ },
  },
  {
    what: "absences that lie inside of the range alone",
    from: 'by: "overlap"',
    to: 'by: "inside"',
    noticed: { by: "ranges", as: /time-off-entries from 2026-02-27 to 2026-02-27: 1 are missing/ },
  },
  {
    what: "shifts by the days of the provider",
    from: "kit.addDays(range.end, 1)",
    to: "range.end",
    noticed: { by: "ranges", as: /timesheets from .*: 1 are missing/ },
  },
  {
    what: "the id of the contract for that of the person",
    from: "employee_remote_id: String(shift.person),",
    to: "employee_remote_id: String(shift.contract),",
    noticed: { by: "references", as: /a record of timesheets is of the employee 912/ },
  },
  {
    what: "the last page left out",
    from: "if (page >= pages) return;",
    to: "if (page >= pages - 1) return;",
    noticed: { by: "whole-lists", as: /the fake has 5 payslips, and 4 were read/ },
  },
  {
    what: "an answer of any status taken for data",
    from: "if (status !== 200) throw",
    to: "if (status > 499) throw",
    noticed: {
      by: "broken-request",
      as: /request 1 of the 1 of a read of company was answered with/,
    },
  },
  {
    what: "a refused right taken for an empty list",
    from: 'throw new kit.AuthError("insufficient_permission");',
    to: "return { items: [], pages: 1 } as Body;",
    noticed: {
      by: "refused-requests",
      as: /request 1 of the \d+ of a read of employees was refused .* complete with 0 of 4 records/,
    },
  },
  {
    what: "a refused right taken for an ended session",
    from: 'throw new kit.AuthError("insufficient_permission");',
    to: 'throw new kit.AuthError("reauthentication_required");',
    noticed: { by: "refused-requests", as: /throw AuthError insufficient_permission/ },
  },
  {
    what: "a page that comes again and again",
    from: "if (JSON.stringify(items) === before) throw",
    to: "if (before === undefined) throw",
    noticed: {
      by: "repeated-page",
      as: /was the first one again, .* complete with 2 of 4 records/,
    },
  },
  {
    what: "pages by a count that nobody knows of",
    from: "isPagedByOffset: true,",
    to: "isPagedByOffset: false,",
    noticed: { by: "moved-list", as: /moved to page 1 .* 3 of 4 employees count as all/ },
  },
  {
    what: "one account for everybody",
    from: "accountOfSession: ({ user }) => [String(user)],",
    to: 'accountOfSession: () => ["payday"],',
    noticed: { by: "accounts", as: /somebody else signed in and got the same account/ },
  },
  {
    what: "an account that is another one at each sign-in",
    from: "accountOfSession: ({ user }) => [String(user)],",
    to: "accountOfSession: ({ token }) => [String(token)],",
    noticed: { by: "accounts", as: /the same person signed in twice and got two accounts/ },
  },
  {
    what: "the password in the log",
    from: 'context.log.debug({ user: answer["user"] }, "signed in");',
    to: 'context.log.debug({ user: answer["user"], password }, "signed in");',
    noticed: { by: "privacy", as: /a line of the log has the form's password/ },
  },
  {
    what: "the answer in an error",
    from: "with ${status}`",
    to: "with ${status}: ${JSON.stringify(read())}`",
    noticed: { by: "privacy", as: /the message of an error has last_name of employees/ },
  },
  {
    what: "a second try with the password",
    from: 'ask<Session>(context, path, { method: "POST", json: typed });',
    to: 'ask<Session>(context, path, { method: "POST", json: typed }).catch(() => ask<Session>(context, path, { method: "POST", json: typed }));',
    noticed: { by: "password-once", as: /the form's password was sent 2 times in one sign-in/ },
  },
  {
    what: "the password in the session",
    from: '{ session: { token: answer["token"], user: answer["user"] } }',
    to: '{ session: { token: answer["token"], user: answer["user"], password } }',
    noticed: { by: "kept-secret", as: /the session has the form's password/ },
  },
  {
    what: "a log-out that ends nothing",
    from: '"/login", { token, method: "DELETE" }',
    to: '"/me", { token }',
    noticed: { by: "log-out", as: /after `logOut` the fake has 1 sessions that work/ },
  },
  {
    what: "one half of an address",
    from: "[person.street, person.floor]",
    to: "[person.street]",
    noticed: { not: "nobody in the fake has a floor, so nothing of it is lost" },
  },
  {
    what: "the name of a policy for another field of it",
    from: "policy_name: balance.kind,",
    to: "policy_name: policies[balance.kind],",
    noticed: { not: "the fake does not say what policy_name of time-off-balances is" },
  },
];
