import type { Resource } from "../model/index.ts";
import { knownMeanings, type MeaningName, type Scenario } from "../providers/index.ts";
import { show } from "./expected-records.ts";
import type { ReadRecord } from "./trial.ts";

/** What a record is looked at beside. */
export interface Beside {
  today: string;
  /** All records of its resource. */
  all: readonly ReadRecord[];
  /** Approved absences, where the adapter reads them and the range of the fake has today. */
  absences?: readonly ReadRecord[] | undefined;
}

/** A question that systems answer differently, and the answer of every adapter. */
export interface Meaning {
  question: string;
  answer: string;
  /** What it is about. Whoever does not read this has nothing to answer. */
  resource?: Resource;
  shown: ShownByRecord | ShownInScenario;
}

export interface ShownByRecord {
  /** Fields that the answer has to say, so that they come from the fake and not from the adapter. */
  says: readonly string[];
  /** What of a record is not as the meaning has it; undefined when the record shows the meaning. */
  findFault(record: ReadRecord, beside: Beside): string | undefined;
  /** What is against the meaning in any record of the resource. */
  findFaultOfAny?(record: ReadRecord): string | undefined;
}

/** The check of the meaning runs the adapter in this scenario. */
export interface ShownInScenario {
  scenario: Extract<Scenario, "missing-rights" | "changes" | "no-rights">;
}

/** One place for the questions: `docs/meanings.md` and the check `meanings` are made of it. */
export const meanings: Readonly<Record<MeaningName, Meaning>> = {
  minor_units: {
    question: "Money in a currency without two decimals",
    answer:
      "minor units of ISO 4217: whole yen, thousandths of a dinar. `currency` is null outside of the enumeration, and then a payslip has `currency_code`",
    resource: "payslips",
    shown: { says: ["gross_pay"], findFault: findFaultOfMoney },
  },
  overdrawn_leave: {
    question: "More leave taken than granted",
    answer: "the balance is negative, `used` is what was taken",
    resource: "time-off-balances",
    shown: {
      says: ["balance"],
      findFault: ({ balance, used }, { all }) => {
        if (!isNumber(balance) || balance >= 0) return `its balance is ${show(balance)}`;
        const isToldOfNobody = all.every((other) => other["used"] === null);
        const isTaken = isNumber(used) ? used > 0 : isToldOfNobody;
        return isTaken ? undefined : `what was taken, \`used\`, is ${show(used)}`;
      },
    },
  },
  rehired: {
    question: "Somebody who left and came back",
    answer:
      "`start_date` is the first day of the time without a gap that covers today; `employments` has every time, the first day ever is in `custom_fields.original_start_date`",
    resource: "employees",
    shown: { says: ["start_date"], findFault: findFaultOfRehired },
  },
  future_leaver: {
    question: "Somebody who will leave",
    answer: "active with a `termination_date` that is to come",
    resource: "employees",
    shown: {
      says: ["termination_date"],
      findFault: ({ employment_status: status, termination_date: last }, { today }) => {
        if (!isText(last) || last <= today) return `its termination_date is ${show(last)}`;
        return findOther("employment_status", status, ["active", "leave"]);
      },
    },
  },
  future_starter: {
    question: "Somebody who will start",
    answer: "`pending` until the `start_date`",
    resource: "employees",
    shown: {
      says: ["start_date"],
      findFault: ({ employment_status: status, start_date: first }, { today }) => {
        if (!isText(first) || first <= today) return `its start_date is ${show(first)}`;
        return findOther("employment_status", status, ["pending"]);
      },
    },
  },
  away_today: {
    question: "Away today",
    answer:
      "`employment_status` is `leave` on a whole day of approved leave, by one request for everybody",
    resource: "employees",
    shown: {
      says: [],
      findFault: ({ remote_id: id, employment_status: status }, { absences }) => {
        const other = findOther("employment_status", status, ["leave"]);
        if (other !== undefined || !absences) return other;
        const isAbsent = absences.some(({ employee_remote_id: whose }) => whose === id);
        return isAbsent ? undefined : "no approved time off entry of today is theirs";
      },
    },
  },
  lost_right: {
    question: "A right that is lost and given back",
    answer:
      "nobody is `updated` who is what they were before: the last list without the loss counts",
    resource: "employees",
    shown: { scenario: "missing-rights" },
  },
  deleted: {
    question: "Who was deleted at the source",
    answer:
      "removed with the next complete list; where the system counts or names who is there, with the next poll",
    resource: "employees",
    shown: { scenario: "changes" },
  },
  no_email: {
    question: "No email address",
    answer: "null, in the identity the empty text; a login that is no address is never one",
    resource: "employees",
    shown: {
      says: [],
      findFault: ({ work_email: work, personal_email: own }) =>
        findOther("work_email", work, [null]) ?? findOther("personal_email", own, [null]),
      findFaultOfAny: (record) =>
        ["work_email", "personal_email"].flatMap((field) => {
          const address = record[field];
          return isText(address) && !address.includes("@") ? [`its ${field} is no address`] : [];
        })[0],
    },
  },
  nationality: {
    question: "Nationality",
    answer:
      "ISO 3166 alpha-2 where a code or the name of a country tells it, else null, and the text stays in `custom_fields`",
    resource: "employees",
    shown: {
      says: ["nationality"],
      findFault: (record) => {
        const { nationality } = record;
        if (isText(nationality) || isText(customOf(record)["nationality"])) return undefined;
        return "its nationality is null, and custom_fields.nationality has no text";
      },
      findFaultOfAny: ({ nationality }) =>
        isText(nationality) && !knownMeanings.isNationality(nationality)
          ? "its nationality is no code of ISO 3166 alpha-2"
          : undefined,
    },
  },
  weekly_hours: {
    question: "Hours a week",
    answer:
      "`custom_fields.weekly_working_hours`; hours alone do not decide between full and part time",
    resource: "employees",
    shown: {
      says: ["custom_fields"],
      findFault: (record) => {
        const hours = customOf(record)["weekly_working_hours"];
        const isSo = isNumber(hours) && hours > 0;
        return isSo ? undefined : `custom_fields.weekly_working_hours is ${show(hours)}`;
      },
    },
  },
  legal_entities: {
    question: "Several legal entities",
    answer: "`custom_fields.company` with `remote_id` and `name`",
    resource: "employees",
    shown: {
      says: ["custom_fields"],
      findFault: (record, { all }) => {
        const own = companyOf(record);
        if (!own) return "custom_fields.company has no remote_id and name";
        const isOne = all.every((other) => [undefined, own].includes(companyOf(other)));
        return isOne ? "everybody is of the same company" : undefined;
      },
    },
  },
  half_day: {
    question: "Half days of leave",
    answer: "a part of a day, in the unit that the system gives, never converted",
    resource: "time-off-entries",
    shown: {
      says: ["amount", "unit"],
      findFault: ({ amount, unit }) =>
        findOther("unit", unit, ["days"]) ??
        (isNumber(amount) && amount % 1 !== 0 ? undefined : `its amount is ${show(amount)}`),
    },
  },
  leave_in_hours: {
    question: "Leave in hours",
    answer: "hours, never converted to days",
    resource: "time-off-entries",
    shown: {
      says: ["amount", "unit"],
      findFault: ({ amount, unit }) =>
        findOther("unit", unit, ["hours"]) ??
        (isNumber(amount) && amount > 0 ? undefined : `its amount is ${show(amount)}`),
    },
  },
  holiday_in_leave: {
    question: "A public holiday within leave",
    answer: "the amount is what the system takes off, which is less than the days of work",
    resource: "time-off-entries",
    shown: {
      says: ["amount"],
      findFault: ({ amount, unit, start_date: start, end_date: end }) => {
        const other = findOther("unit", unit, ["days"]);
        if (other !== undefined) return other;
        if (!isNumber(amount) || !isText(start) || !isText(end)) return "it has no days";
        const days = knownMeanings.countWeekdays(start, end);
        // Half a day less is no holiday.
        if (amount <= days - 1) return undefined;
        return `its amount is ${amount}, and from ${start} to ${end} there are ${days} days from Monday to Friday`;
      },
    },
  },
  biweekly: {
    question: "Pay every two weeks",
    answer: "`pay_frequency` is `biweekly`; nothing is multiplied",
    resource: "employees",
    shown: isPaid("biweekly"),
  },
  semimonthly: {
    question: "Pay twice a month",
    answer: "`pay_frequency` is `semimonthly`; nothing is multiplied",
    resource: "employees",
    shown: isPaid("semimonthly"),
  },
  nothing_readable: {
    question: "Who signs in and may read nothing",
    answer: "refused at the sign-in, with the right that is missing",
    shown: { scenario: "no-rights" },
  },
};

function findFaultOfMoney(record: ReadRecord): string | undefined {
  const { currency, currency_code: code, gross_pay: gross } = record;
  if (currency !== null || !isText(code))
    return `its currency is ${show(currency)}, and its currency_code ${show(code)}`;
  if (knownMeanings.toMinorUnits(1, code) === 100) return `${code} has two decimals`;
  return Number.isSafeInteger(gross) ? undefined : `its gross_pay is ${show(gross)}`;
}

function findFaultOfRehired(record: ReadRecord): string | undefined {
  const { start_date: start } = record;
  const original = customOf(record)["original_start_date"];
  if (!isText(original)) return "custom_fields has no original_start_date";
  if (!isText(start) || original >= start)
    return `its start_date is ${show(start)}, and the first day ever ${original}`;
  const days = employmentsOf(record).map(({ effective_date: day }) => String(day));
  const isWhole = days.includes(start) && days.some((day) => day < start && day >= original);
  return isWhole
    ? undefined
    : `its employments begin on ${days.join(", ")}: one has to begin on its start_date, and one before`;
}

function isPaid(frequency: string): ShownByRecord {
  return {
    says: ["employments"],
    findFault: (record) => {
      const found = employmentsOf(record).map(({ pay_frequency: often }) => often);
      return found.includes(frequency)
        ? undefined
        : `the pay_frequency of its employments is ${found.map(show).join(", ") || "not there"}`;
    },
  };
}

function employmentsOf({ employments }: ReadRecord): readonly ReadRecord[] {
  return Array.isArray(employments) ? (employments as ReadRecord[]) : [];
}

function customOf({ custom_fields: custom }: ReadRecord): ReadRecord {
  return (custom ?? {}) as ReadRecord;
}

/** Its id, where it has a name, too. */
function companyOf(record: ReadRecord): string | undefined {
  const { remote_id: id, name } = (customOf(record)["company"] ?? {}) as ReadRecord;
  return isText(id) && isText(name) ? id : undefined;
}

function findOther(
  field: string,
  value: unknown,
  wanted: readonly (string | null)[],
): string | undefined {
  return wanted.some((one) => one === value) ? undefined : `its ${field} is ${show(value)}`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
