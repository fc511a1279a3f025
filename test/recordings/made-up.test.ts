import { describe, expect, test } from "vitest";
import {
  LeftInRecording,
  scrubRecording,
  type SeenExchange,
  type SeenRecording,
} from "../../src/recordings/index.ts";

const key = Buffer.alloc(32, 1);
const code = [
  'if (person.state === "EMPLOYED") read("/people/all"); const table = { salary: 1 };',
  'if (name.startsWith("custom_")) read(name, answer.field);',
  "const { total, next } = answer; read(answer.slips, answer.ref, answer.per, answer.echo, answer.of.it);",
];
const origin = "https://acme.example";
const firstDay = /^(?:\d{4}-\d{2}-\d{2}|[\d/]{10}|\/Date\(\d+)/;

const claims = Buffer.from(JSON.stringify({ sub: "anna.berg" })).toString("base64url");
const seen: SeenRecording = {
  provider: "acme",
  mode: "xhr",
  today: "2026-11-25",
  formValues: { address: origin, login: "anna.berg@acme.example", password: "correct horse" },
  secretFields: ["password"],
  settingFields: [],
  addressFields: ["address"],
  answers: [],
  origins: [origin],
  signIn: [
    exchange({
      method: "POST",
      path: "/sign-in",
      sent: "login=anna.berg%40acme.example&password=correct%20horse",
      headers: { "content-type": "application/json", "set-cookie": "session=s-31337-abc" },
      body: { token: `eyJhbGciOiJub25lIn0.${claims}.c2lnbmF0dXJl` },
    }),
  ],
  steps: [
    {
      resource: "employees",
      range: { start: "2026-09-26", end: "2026-11-25" },
      pages: 1,
      records: 2,
      exchanges: [
        exchange({
          path: "/people/all",
          query: [["since", "2026-09-26"]],
          body: {
            total: 2,
            next: `${origin}/people/all?page=2`,
            people: [
              person({
                id: 4711,
                name: "Anna Berg",
                born: "1980-02-29",
                boss: 4712,
                salary: 61_500.5,
              }),
              person({
                id: 4712,
                name: "Øyvind Åse",
                born: "29/02/1984",
                boss: null,
                salary: 40_000.25,
              }),
            ],
          },
        }),
        exchange({ path: "/people/4711", body: { id: 4711, note: "since 2001, Anna Berg" } }),
      ],
    },
  ],
};

function exchange(
  given: Partial<Omit<SeenExchange, "body">> & { path: string; body: unknown },
): SeenExchange {
  return {
    method: "GET",
    query: [],
    sent: null,
    status: 200,
    headers: { "content-type": "application/json", "x-request-id": "secret-header" },
    ...given,
    body: typeof given.body === "string" ? given.body : JSON.stringify(given.body),
  };
}

interface Person {
  id: number;
  name: string;
  born: string;
  boss: number | null;
  salary: number;
}

function person({ id, name, born, boss, salary }: Person) {
  return {
    id,
    name,
    born,
    boss_id: boss,
    email: `${name.slice(0, 4).trim()}@acme.example`,
    state: "EMPLOYED",
    startsAt: "08:30",
    nationalId: 190_280_12_345,
    phone: "+47 912 34 567",
    pay: { salary, bonus: 1_000, whole: salary + 1_000 },
    lines: [{ amount: salary / 2 }, { amount: salary / 2 }],
    gross: salary,
    country: "Norway",
  };
}

type Scrubbed = ReturnType<typeof person> & { id: number };

function scrub(given: SeenRecording = seen, under: Uint8Array = key) {
  const recording = scrubRecording(given, { key: under, code });
  const [list, one] = recording.steps[0]!.exchanges;
  const { people, next, total } = JSON.parse(list!.body) as {
    people: Scrubbed[];
    next: string;
    total: number;
  };
  return { recording, list, one, people, next, total, text: JSON.stringify(recording) };
}

describe("a recording", () => {
  test("has no value of the system, nor anything that was secret", () => {
    const { text } = scrub();
    const originals = [
      "Anna",
      "Berg",
      "Øyvind",
      "anna.berg",
      "correct horse",
      "31337",
      "1980-02-29",
      "29/02/1984",
      "61500",
      "19028012345",
      "912 34",
      "acme.example",
      "secret-header",
      claims,
      "c2lnbmF0dXJl",
    ];
    expect(originals.filter((original) => text.includes(original))).toEqual([]);
  });

  test("keeps what the code spells, countries, times of the day, and counts", () => {
    const { people, total, list } = scrub();
    const [anna] = people;
    expect(anna).toMatchObject({ state: "EMPLOYED", startsAt: "08:30", country: "Norway" });
    expect({ total, path: list!.path }).toEqual({ total: 2, path: "/people/all" });
  });

  test("has the same shape: letters, digits and marks stand where they stood", () => {
    const [anna, oyvind] = scrub().people;
    expect(anna!.name).toMatch(/^[A-Z][a-z]{3} [A-Z][a-z]{3}$/);
    expect(oyvind!.name).toMatch(/^\p{Lu}\p{Ll}{5} \p{Lu}\p{Ll}{2}$/u);
    expect(anna!.email).toMatch(/^[A-Z][a-z]{3}@[a-z]{4}\.[a-z]{7}$/);
    expect(anna!.phone).toMatch(/^\+\d{2} \d{3} \d{2} \d{3}$/);
  });

  test("still joins: ids lead from one answer to another, and to the next request", () => {
    const { people, one, next } = scrub();
    expect(people[0]!.boss_id).toBe(people[1]!.id);
    expect(one!.path).toBe(`/people/${people[0]!.id}`);
    expect(next).toBe("{origin}/people/all?page=2");
  });

  test("shifts all dates by one length, so that what lies between them stays", () => {
    const { people, recording, list } = scrub();
    const born = Date.parse(people[0]!.born);
    const day = 86_400_000;
    const shift = Date.parse("1980-02-29") - born;
    expect(shift % (7 * day)).toBe(0);
    expect(Date.parse("2026-11-25") - Date.parse(recording.today)).toBe(shift);
    expect(Date.parse("2026-09-26") - Date.parse(list!.query[0]![1])).toBe(shift);
    const [dayOfMonth, month, year] = people[1]!.born.split("/");
    expect(Date.parse("1984-02-29") - Date.parse(`${year}-${month}-${dayOfMonth}`)).toBe(shift);
  });

  test("has amounts by one factor, which still add up to the cent", () => {
    const { people } = scrub();
    for (const { pay, lines, gross } of people) {
      expect(cents(pay.whole)).toBe(cents(pay.salary) + cents(pay.bonus));
      expect(cents(gross)).toBe(lines.reduce((sum, { amount }) => sum + cents(amount), 0));
    }
    const [anna, oyvind] = people;
    expect(anna!.pay.salary / 61_500.5).toBeCloseTo(oyvind!.pay.salary / 40_000.25, 3);
  });

  test("is the same under the same key, and another one under another", () => {
    expect(scrub().text).toBe(scrub().text);
    expect(scrub(seen, Buffer.alloc(32, 2)).people[0]!.name).not.toBe(scrub().people[0]!.name);
  });

  test("has the place of the address and a made-up secret in the form", () => {
    const { formValues } = scrub().recording;
    expect(formValues).toMatchObject({ address: "{origin}", password: "recorded-secret" });
  });

  test("makes other texts of other ones, however short they are", () => {
    const numbers = Array.from({ length: 90 }, (_, index) => ({ badge: `B${index + 10}` }));
    const step = {
      ...seen.steps[0]!,
      exchanges: [exchange({ path: "/people/all", body: numbers })],
    };
    const { steps } = scrubRecording({ ...seen, steps: [step] }, { key, code });
    const badges = (JSON.parse(steps[0]!.exchanges[0]!.body) as { badge: string }[]).map(
      ({ badge }) => badge,
    );
    expect(new Set(badges).size).toBe(90);
  });

  test.each([
    ["markup", "text/html", '<form><input name="csrf" value="tok-998877"><b>Anna Berg</b></form>'],
    ["a table", "text/csv", "name;salary\nAnna Berg;tok-998877\n"],
  ])("makes up %s too", (_what, type, body) => {
    const step = {
      ...seen.steps[0]!,
      exchanges: [exchange({ path: "/people/all", headers: { "content-type": type }, body })],
    };
    const { steps } = scrubRecording({ ...seen, steps: [step] }, { key, code });
    const made = steps[0]!.exchanges[0]!.body;
    expect(made).not.toContain("Anna");
    expect(made).not.toContain("998877");
    expect(made.length).toBe(body.length);
  });

  test.each([
    ["thousands with points", "1.234,56", "234,56", "1.000,00"],
    ["no mark between thousands", "1234,56", "234,56", "1000,00"],
    ["thousands with commas", "1,234.56", "234.56", "1,000.00"],
    ["thousands with spaces", "1 234,56", "234,56", "1 000,00"],
  ])(
    "has amounts of texts that add up and are written as they were: %s",
    (_what, gross, tax, net) => {
      const slips = [
        { gross, net, lines: lines(gross, tax) },
        { gross: net, net, lines: lines(net, "0,00") },
      ];
      const made = JSON.parse(scrubBody(JSON.stringify({ slips }))) as { slips: typeof slips };
      for (const { gross: all, net: rest, lines: both } of made.slips) {
        const [pay, taken] = both.map(({ amount }) => centsOf(amount));
        expect(pay).toBe(centsOf(all));
        expect(pay! - taken!).toBe(centsOf(rest));
        const isLarge = centsOf(all) >= 100_000;
        expect(marksOf(all)).toBe(isLarge ? marksOf(gross) : marksOf(tax));
      }
    },
  );

  const slipXml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<!-- Anna Berg --><slips><slip staff='E-1000'>",
    '<line kind="PAY" text="Plus &amp; more">1.234,56</line><line kind="PAY" text="Bonus">200</line>',
    '<line kind="TAX" text="Tax">234,56</line><line kind="OWN" text="Own">99,99</line>',
    '<line kind="BOSS" text="Share"><![CDATA[400,01]]></line>',
    '<total gross="1.434,56" net="1.100,01"/></slip></slips>',
  ].join("\n");

  test("of XML is XML: declaration, tags and entities stay, and lines of one kind add up", () => {
    const made = scrubBody(slipXml, "application/xml", [`kind === "PAY" || "TAX" || "OWN"`]);
    expect(made).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<!----><slips><slip staff='[A-Z]-\d{4}'>/,
    );
    expect(made).toMatch(/text="[A-Z][a-z]{3} &amp; [a-z]{4}"/);
    const amounts = Array.from(
      made.matchAll(/kind="(\w+)"[^>]*>(?:<!\[CDATA\[)?([\d.,]+)/g),
      ([, kind, amount]) => ({
        kind,
        cents: centsOf(amount!),
      }),
    );
    const [, gross, net] = /gross="(.*)" net="(.*)"/.exec(made)!.map(String);
    const sumOf = (wanted: string) =>
      amounts.reduce((sum, { kind, cents: one }) => (kind === wanted ? sum + one : sum), 0);
    expect(sumOf("PAY")).toBe(centsOf(gross!));
    expect(centsOf(gross!) - sumOf("TAX") - sumOf("OWN")).toBe(centsOf(net!));
    const left = ["E-1000", "Plus", "Bonus", "Anna", "1.234,56", ">200<", "400,01"];
    expect(left.filter((text) => made.includes(text))).toEqual([]);
  });

  test("of a table has its amounts by one factor, and each cell in its place", () => {
    const table = 'ref;paid;"note"\r\nE-1000;1.234,56;"O""Brien; A."\r\nE-1001;2.469,12;\r\n';
    const made = scrubBody(table, "text/csv", ['"ref;paid;note"']);
    const found =
      /^ref;paid;"note"\r\n[A-Z]-\d{4};([\d.,]+);"[A-Z]""[A-Z][a-z]{4}; [A-Z]\."\r\n[A-Z]-\d{4};([\d.,]+);\r\n$/.exec(
        made,
      );
    const [first, second] = [centsOf(found![1]!), centsOf(found![2]!)];
    expect(Math.abs(first * 2 - second)).toBeLessThanOrEqual(1);
    expect(first).not.toBe(123_456);
  });

  test.each(["Summer2024", "anna1985", "2024", "0815123", "EMPLOYED", "two words", "2026-11-25"])(
    "has nothing of a password like %s, where it is typed, sent and answered",
    (password) => {
      const sent = `login=x&password=${encodeURIComponent(password)}`;
      const body = { echo: password, of: [{ it: password }] };
      const { formValues, signIn } = scrubRecording(
        {
          ...seen,
          formValues: { ...seen.formValues, password },
          signIn: [
            exchange({ method: "POST", path: "/sign-in", sent, body }),
            exchange({ method: "POST", path: "/sign-in", sent: JSON.stringify(body), body }),
          ],
        },
        { key, code },
      );
      const echoed = { echo: "recorded-secret", of: [{ it: "recorded-secret" }] };
      expect(formValues["password"]).toBe("recorded-secret");
      expect(signIn.map(({ sent: made }) => made)).toEqual([
        expect.stringMatching(/&password=recorded-secret$/),
        JSON.stringify(echoed),
      ]);
      for (const { body: made } of signIn) expect(JSON.parse(made)).toEqual(echoed);
    },
  );

  test("has another number of the company than the one that was typed, wherever it stands", () => {
    const company = { ref: "4711", id: 4711, person: 4712 };
    const { steps, formValues } = scrubRecording(
      {
        ...seen,
        formValues: { ...seen.formValues, company: "4711" },
        steps: [
          { ...seen.steps[0]!, exchanges: [exchange({ path: "/4711/people", body: company })] },
        ],
      },
      { key, code },
    );
    const [{ path, body }] = steps[0]!.exchanges as [SeenExchange];
    const made = formValues["company"]!;
    expect(made).toMatch(/^[1-9]\d{3}$/);
    expect(made).not.toBe("4711");
    expect({ path, ...(JSON.parse(body) as object) }).toMatchObject({
      path: `/${made}/people`,
      ref: made,
      id: Number(made),
    });
  });

  test("keeps words of the code in any script, with quotes and without", () => {
    const per = { per: "AÑO", año: "MES", name: "DÍA" };
    const made = scrubBody(JSON.stringify(per), "application/json", [
      'oneOf({ AÑO: "YEAR", "MES": "MONTH" }); const { año } = answer;',
    ]);
    expect(JSON.parse(made)).toMatchObject({ per: "AÑO", año: "MES" });
    expect(made).not.toContain("DÍA");
  });

  test("has no number of a person or of an account, though its name is that of a count or a unit", () => {
    const numbers = { personal_code: 38_501_010_002, bank_code: 37_040_044, status_count: 123_456 };
    const person = {
      ...numbers,
      work_days: 21,
      weekly_hours: 1_950,
      id: 4_711_815,
      unitOf: 4_711_815,
    };
    const { text, bodies } = scrubAnswers([{ people: [person, person] }]);
    expect(Object.values(numbers).filter((one) => text.includes(String(one)))).toEqual([]);
    const [made] = Object.values(bodies[0]!)[0] as [typeof person];
    expect(made).toMatchObject({
      work_days: 21,
      weekly_hours: 1_950,
      id: 4_711_815,
      unitOf: 4_711_815,
    });
    expect(String(made.personal_code)).toMatch(/^[1-9]\d{10}$/);
  });

  test("has other numbers in a list than those that were there, but for ids that lead on", () => {
    const { text, bodies } = scrubAnswers([{ people: [withLists(4_711), withLists(4_712)] }]);
    const originals = ["3211", "3257", "3399", "4915112345678", "815815", "815817"];
    expect(originals.filter((original) => text.includes(original))).toEqual([]);
    const [made] = Object.values(bodies[0]!)[0] as [ReturnType<typeof withLists>];
    expect(made.reports).toEqual([4_711, 4_712]);
    expect(made.team_ids).toEqual([made.team_id]);
    const [first = 0, second = 0] = made.net_by_month;
    expect(first / 3_211).toBeCloseTo(second / 3_257, 2);
  });

  test("has another first name than one that is a code but for its case, and keeps codes", () => {
    const made = scrubBody(
      "first,paid in,country,of\nBob,EUR,DE,eur\nAll,gbp,de,Bob\n",
      "text/csv",
    );
    expect(made.split("\n").slice(1).join()).toMatch(
      /^[A-Z][a-z]{2},EUR,DE,eur,[A-Z][a-z]{2},gbp,de,/,
    );
    expect(made).not.toMatch(/Bob|All/);
  });

  test.each([
    ["1985-02-03-0987", /^\d{4}-\d{2}-\d{2}-\d{4}$/, "0987"],
    ["4711 1985-02-03", /^\d{4} \d{4}-\d{2}-\d{2}$/, "4711"],
  ])("has no tail of a number such as %s, which begins with a day", (number, shape, tail) => {
    const [made] = JSON.parse(scrubBody(JSON.stringify([number]))) as [string];
    expect(made).toMatch(shape);
    expect(made).not.toContain(tail);
  });

  test.each([
    "1985-02-03T09:00:00.1234567+01:00",
    "1985-02-03 09:00:00 +0100",
    "1985-02-03T090000Z",
    "/Date(476236800000+0000)/",
    "02/03/1985 9:00",
  ])("shifts the day of %s, and nothing else of it", (time) => {
    const [made] = JSON.parse(scrubBody(JSON.stringify([time]))) as [string];
    expect(made).not.toBe(time);
    expect(made.replace(firstDay, "")).toBe(time.replace(firstDay, ""));
  });

  test("has no name of a member that is a value: an address, what was typed, or what stands as one elsewhere", () => {
    const people = [
      { staffNumber: "EMP-0042-Byron", surname: "Lovelace", mail: "ada.byron@example.com" },
      { staffNumber: "EMP-0043-Somer", surname: "Somerville", mail: "mary@example.com" },
    ];
    const answers = [
      { people, user_info: { "ada.byron@example.com": {}, "mary@example.com": {} } },
      { keys: { topsecretkey: { ok: true } }, days: [hours(1), hours(2)], "Hamilton-Margaret": 1 },
    ];
    const { text, bodies } = scrubAnswers(answers, {
      login: "ada.byron@example.com",
      password: "topsecretkey",
    });
    const originals = ["ada.byron", "mary@", "EMP-0042", "Lovelace", "topsecretkey", "Hamilton"];
    expect(originals.filter((original) => text.includes(original))).toEqual([]);
    const [first, second] = bodies as [(typeof answers)[0], object];
    const [ada] = first.people!;
    expect(Object.keys(ada!)).toEqual(["staffNumber", "surname", "mail"]);
    expect(Object.keys(daysOf(second)[0]!)).toEqual([ada!.surname, ada!.staffNumber, ada!.mail]);
  });

  test("keeps the names of fields that the code reads, of tokens, and of annotations of OData", () => {
    const answer = {
      total: 1,
      access_token: "tok-998877",
      people: [noted("a"), noted("b")],
      field: "custom_9001",
      custom_9001: "y",
    };
    const { bodies } = scrubAnswers([answer]);
    expect(bodies).toMatchObject([
      {
        total: 1,
        access_token: expect.any(String),
        field: "custom_9001",
        custom_9001: expect.any(String),
        people: [{ "boss@odata.bind": expect.any(String), "@odata.etag": expect.any(String) }, {}],
      },
    ]);
  });

  test("is not made when what was typed is left, though no value of an answer was it", () => {
    const body = "<b><x topsecretkey='1'/></b>";
    const headers = { "content-type": "text/xml" };
    const step = {
      ...seen.steps[0]!,
      exchanges: [exchange({ path: "/people/all", headers, body })],
    };
    const formValues = { ...seen.formValues, password: "topsecretkey" };
    expect(() => scrubRecording({ ...seen, formValues, steps: [step] }, { key, code })).toThrow(
      "what was typed as password",
    );
  });

  test("is not made when a value is left, such as one that is the name of a field elsewhere", () => {
    const left = exchange({ path: "/people/all", body: '{"Anna Berg is here": 1}' });
    const said = exchange({ path: "/people/all", body: "plain: a=Annabella", headers: {} });
    const named = exchange({ path: "/people/all", body: { x: "Annabella!" } });
    const step = { ...seen.steps[0]!, exchanges: [left, said, named] };
    expect(() => scrubRecording({ ...seen, steps: [step] }, { key, code })).not.toThrow(
      LeftInRecording,
    );
  });
});

function lines(gross: string, tax: string) {
  return [
    { kind: "pay", amount: gross },
    { kind: "tax", amount: tax },
  ];
}

function scrubBody(body: string, type = "application/json", more: readonly string[] = []): string {
  const answer = exchange({ path: "/people/all", headers: { "content-type": type }, body });
  const step = { ...seen.steps[0]!, exchanges: [answer] };
  const options = { key, code: [...code, ...more] };
  return scrubRecording({ ...seen, steps: [step] }, options).steps[0]!.exchanges[0]!.body;
}

function withLists(id: number) {
  return {
    id,
    net_by_month: [3_211, 3_257, 3_399],
    phones: [4_915_112_345_678],
    reports: [4_711, 4_712],
    team_ids: [815_815],
    team_id: 815_815,
    boss: [815_817, "Berg"],
  };
}

function hours(one: number) {
  return { Lovelace: one, "EMP-0042-Byron": one, "ada.byron@example.com": one };
}

function daysOf(answer: object): object[] {
  return Object.values(answer).find(Array.isArray) as object[];
}

function noted(name: string) {
  return { "boss@odata.bind": name, "@odata.etag": name };
}

/** Each answer is that of another path. */
function scrubAnswers(answers: readonly object[], typed: Record<string, string> = {}) {
  const exchanges = answers.map((body, index) =>
    exchange({ path: `/people/all/${"abc"[index]}`, body }),
  );
  const formValues = { ...seen.formValues, ...typed };
  const steps = [{ ...seen.steps[0]!, exchanges }];
  const made = scrubRecording({ ...seen, formValues, signIn: [], steps }, { key, code });
  const bodies = made.steps[0]!.exchanges.map(({ body }) => JSON.parse(body) as object);
  return { text: JSON.stringify(made), bodies };
}

/** Of a text whose last two digits are cents, or that has none. */
function centsOf(amount: string): number {
  const isWhole = /^\d+$/.test(amount);
  return Number(amount.replaceAll(/[^\d-]/g, "")) * (isWhole ? 100 : 1);
}

function marksOf(amount: string): string {
  return amount.replaceAll(/\d/g, "");
}

function cents(amount: number): number {
  return Math.round(amount * 100);
}
