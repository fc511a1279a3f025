import type {
  DateRange,
  Kit,
  ProviderContext,
  ProviderDefinition,
  ReadContext,
  Session,
} from "../../../packages/provider/provider.js";
import type { Absence, Balance, Payrun, Payslip, Person, Shift } from "./payday-data.ts";

// An adapter as a stranger writes it, with most of what an adapter can get wrong: sign-in, pages, ranges of days,
// clock times, pay. The faults of payday-faults.ts are lines of this file.

const origin = "https://api.payday.example";
const zone = "Europe/Berlin";
const statuses = { asked: "pending", granted: "approved", refused: "rejected" } as const;
const periods = { hour: "HOUR", month: "MONTH", year: "YEAR" } as const;
const units = { h: "hours", d: "days" } as const;
const policies = { holiday: "vacation", illness: "sick" } as const;

interface Asked {
  token?: unknown;
  method?: "GET" | "POST" | "DELETE";
  query?: Record<string, string | number | undefined>;
  json?: object;
}

export const payday = (kit: Kit): ProviderDefinition => {
  const clockOf = kit.openZone(zone);

  async function ask<Body>(context: ProviderContext, path: string, asked: Asked): Promise<Body> {
    const { token, method, query, json } = asked;
    const { status, json: read } = await context.http(origin).request({
      method,
      url: origin + path,
      headers: token === undefined ? {} : { "x-session": token as string },
      query,
      json,
    });
    if (status === 403) throw new kit.AuthError("insufficient_permission");
    if (status === 401)
      throw new kit.AuthError(
        token === undefined ? "incorrect_username_or_password" : "reauthentication_required",
      );
    if (status !== 200) throw new kit.ProviderBug(`Payday answered ${path} with ${status}`);
    return read() as Body;
  }

  async function* readPages<Item>(
    context: ReadContext,
    { token }: Session,
    path: string,
    query: Asked["query"] = {},
  ) {
    let before = "";
    for (let page = Number(context.cursor?.["page"] ?? 1); ; page += 1) {
      const asked = { token, query: { ...query, page } };
      const { items, pages } = await ask<{ items: Item[]; pages: number }>(context, path, asked);
      if (JSON.stringify(items) === before) throw new kit.ProviderBug(`${path} repeats itself`);
      before = JSON.stringify(items);
      yield page < pages ? { records: items, cursor: { page: page + 1 } } : items;
      if (page >= pages) return;
    }
  }

  async function* readItems<Item>(
    context: ReadContext,
    { token }: Session,
    path: string,
    query: Asked["query"] = {},
  ) {
    yield (await ask<{ items: Item[] }>(context, path, { token, query })).items;
  }

  const money = (amount: string): number => kit.toMinorUnits(amount, "eur");
  const moment = (clock: string) => clockOf.toInstant(clock)?.toISOString() ?? null;
  const lines = (slip: Payslip, kind: string) =>
    slip.lines
      .filter((line) => line.kind === kind)
      .map((line) => ({ name: line.text, amount: money(line.amount), hours: line.hours ?? null }));
  const plain = (slip: Payslip, kind: string) =>
    lines(slip, kind).map(({ name, amount }) => ({ name, amount }));

  return kit.defineProvider({
    apiVersion: 1,
    name: "payday",
    title: "Payday",
    modes: {
      xhr: {
        form: kit.z.object({
          user: kit.formField({ title: "Work email" }),
          password: kit.formField({ title: "Password", isSecret: true }),
        }),
        async login(context, { user = "", password = "" }) {
          const typed = { name: user.trim().toLowerCase(), password };
          const path = "/login";
          const answer = await ask<Session>(context, path, { method: "POST", json: typed });
          context.log.debug({ user: answer["user"] }, "signed in");
          return { session: { token: answer["token"], user: answer["user"] } };
        },
        account: ({ user = "" }) => ({ login: user.trim().toLowerCase() }),
        accountOfSession: ({ user }) => [String(user)],
        async check(context, { token }) {
          const me = await ask<{ mayReadPay: boolean }>(context, "/me", { token });
          return { unsupported: [], forbidden: me.mayReadPay ? [] : ["payruns", "payslips"] };
        },
        async identity(context, { token }) {
          const me = await ask<{ name: string; mail: string }>(context, "/me", { token });
          return { name: me.name, email: me.mail, phone_number: null };
        },
        async logOut(context, { token }) {
          await ask(context, "/login", { token, method: "DELETE" });
        },
        resources: {
          company: kit.defineReader<"company", { id: number; name: string; country: "DE" }>({
            async *fetch(context, { token }) {
              yield [await ask(context, "/company", { token })];
            },
            map: ({ id, name, country }) => ({
              remote_id: String(id),
              legal_name: name,
              address: { country },
            }),
          }),
          employees: kit.defineReader<"employees", Person>({
            isPagedByOffset: true,
            fetch: (context, session) => readPages(context, session, "/people"),
            map: (person, { today }) => ({
              remote_id: String(person.id),
              first_name: person.given ?? null,
              last_name: person.family,
              work_email: person.mail ?? null,
              job_title: person.title ?? null,
              date_of_birth: person.born ?? null,
              start_date: person.from ?? null,
              termination_date: person.left ?? null,
              employment_status: person.left && person.left < today ? "inactive" : "active",
              manager: person.boss ? { remote_id: String(person.boss) } : null,
              groups: person.team
                ? [{ remote_id: String(person.team.id), name: person.team.name, type: "team" }]
                : [],
              home_location: {
                street_address: [person.street, person.floor].filter(Boolean).join(", ") || null,
              },
              employments: person.salary
                ? [
                    {
                      effective_date: person.salary.since,
                      pay_rate: Number(person.salary.amount),
                      pay_period: periods[person.salary.per],
                      currency: "eur",
                    },
                  ]
                : [],
            }),
          }),
          payruns: kit.defineReader<"payruns", Payrun>({
            fetch: (context, session, { range }) =>
              readItems(context, session, "/payruns", { ...daysOf(range), by: "payment" }),
            map: (run) => ({
              remote_id: String(run.id),
              state: run.isPaid ? "paid" : "pending",
              start_date: run.from,
              end_date: run.to,
              payment_date: run.paid,
            }),
          }),
          payslips: kit.defineReader<"payslips", { slip: Payslip; run: Payrun }>({
            async *fetch(context, session, { payrunRemoteId: run }) {
              const all = { from: "2000-01-01", to: "2100-01-01", by: "payment" };
              const runs: Payrun[] = [];
              for await (const page of readItems<Payrun>(context, session, "/payruns", all))
                runs.push(...page);
              const found = runs.find(({ id }) => String(id) === run);
              if (!found) throw new kit.OperationNotSupported("the pay run is not there");
              for await (const page of readPages<Payslip>(context, session, "/payslips", { run })) {
                const records = "records" in page ? page.records : page;
                yield records.map((slip) => ({ slip, run: found }));
              }
            },
            map: ({ slip, run }) => ({
              remote_id: String(slip.id),
              employee_remote_id: String(slip.person),
              payrun_remote_id: String(run.id),
              currency: "eur",
              gross_pay: money(slip.gross),
              net_pay: money(slip.net),
              start_date: run.from,
              end_date: run.to,
              payment_date: run.paid,
              earnings: lines(slip, "pay"),
              deductions: plain(slip, "deduction"),
              taxes: [
                ...plain(slip, "tax").map((line) => ({ ...line, employer_tax: false })),
                ...plain(slip, "employer-tax").map((line) => ({ ...line, employer_tax: true })),
              ],
              reimbursements: plain(slip, "expense"),
            }),
          }),
          timesheets: kit.defineReader<"timesheets", Shift>({
            fetch: (context, session, { range }) => {
              // Payday asks by its own days, which begin before those of UTC or after them.
              const from = range && kit.addDays(range.start, -1);
              const to = range && kit.addDays(range.end, 1);
              return readItems(context, session, "/shifts", { from, to });
            },
            map: (shift) => ({
              remote_id: String(shift.id),
              employee_remote_id: String(shift.person),
              start_time: moment(shift.from),
              end_time: moment(shift.to),
              hours_worked: shift.minutes / 60,
            }),
          }),
          "time-off-entries": kit.defineReader<"time-off-entries", Absence>({
            fetch: (context, session, { range }) =>
              readItems(context, session, "/absences", { ...daysOf(range), by: "overlap" }),
            map: (absence) => ({
              remote_id: String(absence.id),
              employee_remote_id: String(absence.person),
              start_date: absence.from,
              end_date: absence.to,
              amount: absence.amount,
              unit: units[absence.unit],
              status: statuses[absence.state],
              policy_name: absence.kind,
              policy_type: policies[absence.kind],
            }),
          }),
          "time-off-balances": kit.defineReader<"time-off-balances", Balance>({
            fetch: (context, session) => readItems(context, session, "/balances"),
            map: (balance) => ({
              employee_remote_id: String(balance.person),
              balance: balance.left,
              used: balance.taken,
              unit: "days",
              policy_name: balance.kind,
              policy_type: policies[balance.kind],
            }),
          }),
        },
      },
    },
  });
};

function daysOf(range: DateRange | undefined): { from?: string; to?: string } {
  return range ? { from: range.start, to: range.end } : {};
}
