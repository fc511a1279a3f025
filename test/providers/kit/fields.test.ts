import { describe, expect, test } from "vitest";
import {
  always,
  defineFields,
  definePart,
  each,
  onlyOne,
  together,
} from "../../../src/providers/kit/fields.ts";
import {
  called,
  day,
  given,
  list,
  number,
  oneOf,
  text,
} from "../../../src/providers/kit/readers.ts";
import { defineSource, part } from "../../../src/providers/kit/source.ts";
import type { SourceEmployment } from "../../../src/providers/source-records.ts";

const contract = defineSource({ since: day, salary: number });
const person = defineSource(
  {
    id: text,
    name: { first: text, last: text },
    born: day,
    mail: text,
    privateMail: text,
    state: oneOf({ working: "active", away: "leave" }),
    rank: called("Job.Title", text),
    pay: { rate: number, since: day },
    contracts: given<readonly object[]>(),
    account: { iban: text, holder: text },
  },
  { required: ["name"] },
);

const pay = definePart<SourceEmployment>()(person, {
  effective_date: "pay.since",
  pay_rate: "pay.rate",
  currency: always("eur"),
});
const job = definePart<SourceEmployment>()(contract, {
  effective_date: "since",
  pay_rate: "salary",
});

const fields = defineFields("employees", person, {
  remote_id: "id",
  first_name: "name.first",
  last_name: person.or("name.last", ""),
  date_of_birth: "born",
  work_email: person.first("mail", "privateMail"),
  employment_status: person.from(["state", "born"], (state, born, { today }) =>
    born !== null && born > today ? "pending" : state,
  ),
  job_title: "rank",
  employments: onlyOne(person, "pay", pay),
  bank_account: { iban: "account.iban", holder_name: "account.holder" },
});

const ann = {
  id: 7,
  name: { first: "Ann", last: "Lee" },
  born: "1990-01-02",
  mail: "",
  privateMail: "ann@home.example",
  state: "Working",
  "Job.Title": "Clerk",
  pay: { rate: 12, since: "2020-05-01" },
  account: { iban: "DE1", holder: null },
  shoeSize: 41,
};
const today = "2026-03-02";

describe("a table of fields", () => {
  test("maps a record", () => {
    expect(fields.map(ann, { today })).toEqual({
      remote_id: "7",
      first_name: "Ann",
      last_name: "Lee",
      date_of_birth: "1990-01-02",
      work_email: "ann@home.example",
      employment_status: "active",
      job_title: "Clerk",
      employments: [{ effective_date: "2020-05-01", pay_rate: 12, currency: "eur" }],
      bank_account: { iban: "DE1", holder_name: null },
    });
  });

  test("has null for what is absent, and for a part of which nothing is known", () => {
    expect(fields.map({ id: "1", name: {} }, { today })).toEqual({
      remote_id: "1",
      first_name: null,
      last_name: "",
      date_of_birth: null,
      work_email: null,
      employment_status: null,
      job_title: null,
      employments: null,
      bank_account: null,
    });
  });

  test("gives what else a function needs", () => {
    const born = { ...ann, born: "2030-01-01" };
    expect(fields.map(born, { today }).employment_status).toBe("pending");
  });

  test("makes null of what cannot be read, and says which field and where", () => {
    const told: [string, string][] = [];
    const wrong = {
      ...ann,
      born: "soon",
      state: "elsewhere",
      account: { iban: ["DE1"], holder: "Ann" },
      pay: { rate: "much", since: "2020-05-01" },
    };
    const mapped = fields.map(wrong, { today, onUnreadable: (...told_) => told.push(told_) });
    expect(mapped).toMatchObject({
      date_of_birth: null,
      employment_status: null,
      bank_account: { iban: null, holder_name: "Ann" },
      employments: [{ pay_rate: null }],
    });
    expect(told.toSorted()).toEqual([
      ["account.iban", "bank_account"],
      ["born", "date_of_birth"],
      ["born", "employment_status"],
      ["pay.rate", "employments"],
      ["state", "employment_status"],
    ]);
  });

  test("names record and field of a required one that is missing", () => {
    expect(() => fields.map({ ...ann, id: "" }, { today })).toThrow(
      expect.objectContaining({
        message: "a record of employees has no remote_id (id)",
        fields: ["remote_id"],
      }),
    );
    expect(() => fields.map({ ...ann, name: null }, { today })).toThrow(
      "the source of a record of employees has no name",
    );
  });

  test("maps each record of a list", () => {
    const ofContracts = each(person, "contracts", job);
    const read = (contracts: unknown) =>
      ofContracts.read({ ...ann, contracts }, { today }, () => undefined);
    expect(read([{ since: "2020-01-01", salary: 5 }])).toEqual([
      { effective_date: "2020-01-01", pay_rate: 5 },
    ]);
    expect(read(undefined)).toBeNull();
  });

  test("gives all that is read of a record", () => {
    expect(contract.parts({ since: "2020-01-01", salary: "x", other: 1 })).toEqual({
      since: "2020-01-01",
      salary: null,
    });
  });

  test("joins texts, as far as they are there", () => {
    const whole = person.joined(["name.first", "name.last"], " ");
    const read = (name: object) => whole.read({ name }, { today }, () => undefined);
    expect(read({ first: "Ann", last: "Lee" })).toBe("Ann Lee");
    expect(read({ last: "Lee" })).toBe("Lee");
    expect(read({})).toBeNull();
  });

  test("has several lists as one, which is empty without any of them", () => {
    const both = together(each(person, "contracts", job), onlyOne(person, "pay", pay));
    const read = (record: object) => both.read(record, { today }, () => undefined);
    expect(read({ ...ann, contracts: [{ since: "2020-01-01", salary: 5 }] })).toEqual([
      { effective_date: "2020-01-01", pay_rate: 5 },
      { effective_date: "2020-05-01", pay_rate: 12, currency: "eur" },
    ]);
    expect(read({})).toEqual([]);
    expect(both.paths).toEqual(["contracts", "pay.since", "pay.rate"]);
  });

  test("says where each field comes from, and what a request has to ask for", () => {
    expect(fields.origins).toContainEqual({ field: "bank_account.iban", paths: ["account.iban"] });
    expect(fields.origins).toContainEqual({
      field: "employments",
      paths: ["pay.since", "pay.rate"],
    });
    expect(person.names).toEqual([
      "id",
      "name",
      "born",
      "mail",
      "privateMail",
      "state",
      "Job.Title",
      "pay",
      "contracts",
      "account",
    ]);
  });

  test("says how each field is made, those of parts and of the items of lists too", () => {
    const table = defineFields("employees", person, {
      remote_id: "id",
      last_name: person.or("name.last", ""),
      job_title: "rank",
      work_email: person.first("mail", "privateMail"),
      employment_status: "state",
      display_full_name: person.joined(["name.first", "name.last"], " "),
      nationality: always(null),
      start_date: person.from(["born"], (born) => born),
      bank_account: { iban: "account.iban" },
      employments: together(each(person, "contracts", job), onlyOne(person, "pay", pay)),
    }).says({ start_date: "the day of birth", "bank_account.iban": "as it is typed" });
    const told = table.described.map(({ field, from, read, isNull, note = "" }) =>
      [field, from.join(", "), read, isNull, note].join(" | "),
    );
    const rule = "a rule of the adapter";
    expect(told).toEqual([
      "remote_id | id | text | never | ",
      "last_name | name.last | text; an empty text without it | never | ",
      "job_title | Job.Title | text | without it | ",
      "work_email | mail, privateMail | text; the first that is there | without all of them | ",
      "employment_status | state | one of working = active, away = leave | without it | ",
      "display_full_name | name.first, name.last | as one text | without all of them | ",
      "nationality |  | nothing | always | ",
      `start_date | born | ${rule} | by a rule | the day of birth`,
      "bank_account.iban | account.iban | text | without it | as it is typed",
      "employments | contracts, pay.since, pay.rate | all of them as one list, which may be empty | never | ",
      "employments[].effective_date | since, pay.since | day | without it | ",
      "employments[].pay_rate | salary, pay.rate | number | without it | ",
      "employments[].currency |  | always eur | never | ",
    ]);
  });

  test("refuses to say something of a field that it lacks", () => {
    expect(() => fields.says({ "groups[].name": "of the team" })).toThrow(
      "the table has no groups[].name to say something of",
    );
  });

  test.each([
    [["mail"], []],
    [["mail", "privateMail"], ["work_email"]],
    [["born"], ["date_of_birth", "employment_status"]],
    [
      ["account", "pay"],
      ["employments", "employment_history", "compensation_history", "bank_account"],
    ],
    [["Job.Title"], ["job_title"]],
  ])("without %j loses %j", (hidden, lost) => {
    expect(fields.limitedBy(hidden)).toEqual(lost);
  });

  test.each([
    [["title"], ["employments", "employment_history"]],
    [["salary"], ["employments", "compensation_history"]],
    [["department", "boss"], ["employment_history"]],
    [["contracts"], ["employments", "employment_history", "compensation_history"]],
    [["badge"], []],
  ])("without %j loses the lists of an employee in which that stands, %j", (hidden, lost) => {
    const one = defineSource({ title: text, salary: number, department: text, boss: text });
    const part = definePart<SourceEmployment>()(one, {
      job_title: "title",
      pay_rate: "salary",
      group_remote_id: "department",
      manager_remote_id: "boss",
    });
    const table = defineFields("employees", person, {
      remote_id: "id",
      last_name: person.or("name.last", ""),
      employments: each(person, "contracts", part),
    });
    expect(table.limitedBy(hidden)).toEqual(lost);
  });

  test("tells of what cannot be read inside of a list, by its path", () => {
    const lines = list(
      part({ amount: number, of: { rate: number }, inner: list(part({ hours: number })) }),
    );
    const slip = defineSource({ lines });
    const heard: string[] = [];
    const line = { amount: "1.234,5", of: { rate: "x" }, inner: [{ hours: "y" }, { hours: 2 }] };
    const read = slip.read({ lines: [line, { amount: 1 }] }, "lines", (path) => heard.push(path));
    expect(heard).toEqual(["lines.amount", "lines.of.rate", "lines.inner.hours"]);
    expect(read?.map(({ amount }) => amount)).toEqual([null, 1]);
  });

  test("reads what is inside of each thing of a list", () => {
    const team = defineSource({ members: list(part({ id: text, since: day })) });
    const read = (members: unknown) => team.read({ members }, "members");
    expect(read([{ id: 7, since: "soon", name: "Ann" }, {}])).toEqual([
      { id: "7", since: null },
      { id: null, since: null },
    ]);
    expect(read([{ id: 7 }, "Ann"])).toBeNull();
  });

  test("leaves over what the shape does not name", () => {
    expect(person.others(ann)).toEqual({ shoeSize: 41 });
    expect(person.others(ann, ["shoeSize"])).toEqual({});
  });

  test("refuses a path that the source lacks, as the compiler does", () => {
    // @ts-expect-error -- the source has no such path
    const misspelt = { remote_id: "ident", last_name: "name.last" } as const satisfies Parameters<
      typeof defineFields<"employees", typeof person.shape>
    >[2];
    expect(() => defineFields("employees", person, misspelt as never)).toThrow(
      "the source has no ident",
    );
  });
});
