import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countFetches, dataEndpointCases, fetchData, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** Every endpoint that takes a range of dates. */
const dated = dataEndpointCases
  .filter(({ query }) => "start_date" in query)
  .map(({ mode, path }) => ({ mode, url: `${version}/${mode}/${path}` }));

test("payruns, timesheets and time-off-entries take a range, the latter two in both modes", () => {
  expect(dated.map(({ url }) => url.slice(version.length)).sort()).toEqual([
    "/official/time-off-entries",
    "/official/timesheets",
    "/xhr/payruns",
    "/xhr/time-off-entries",
    "/xhr/timesheets",
  ]);
});

describe("400", () => {
  const bad = {
    "an empty value": "",
    "another order": "01-02-2026",
    slashes: "2026/01/02",
    "no leading zeros": "2026-1-1",
    "no separators": "20260102",
    "a day that February never has": "2024-02-30",
    "a leap day in a common year": "2023-02-29",
    "a leap day in a century that is none": "1900-02-29",
    "the last day of a short month": "2026-04-31",
    "month zero": "2026-00-10",
    "month thirteen": "2026-13-01",
    "day zero": "2026-01-00",
    "the word infinity": "infinity",
    "the word -infinity": "-infinity",
    "the word today": "today",
    "the word now": "now",
    "the word null": "null",
    "a time": "2026-01-02T00:00:00Z",
    "a time behind a space": "2026-01-02 00:00",
    "a zone": "2026-01-02Z",
    "a year of five digits": "12026-01-02",
    "a signed year": "+002026-01-02",
    "a negative year": "-2026-01-02",
    "an era": "2026-01-02 BC",
    "a week": "2026-W02",
    "a month": "2026-01",
    "a second": "1767312000",
    "a space before": " 2026-01-02",
    "a space behind": "2026-01-02 ",
    "a line end": "2026-01-02\n",
    "a zero byte": "2026-01-02\0",
    "other digits": "٢٠٢٦-٠١-٠٢",
    "another dash": "2026‑01‑02",
    "a quote": "2026-01-02'",
    "a year before 1900": "1899-12-31",
    "a year after 2100": "2101-01-01",
    "year zero": "0000-01-01",
  };

  const badQueries: [string, string, string][] = Object.entries(bad).flatMap(([name, value]) => {
    const encoded = encodeURIComponent(value);
    return [
      [`a start_date that is ${name}`, `start_date=${encoded}&end_date=2100-12-31`, "start_date"],
      [`an end_date that is ${name}`, `start_date=1900-01-01&end_date=${encoded}`, "end_date"],
    ] satisfies [string, string, string][];
  });

  test.each<[string, string, string]>([
    ["no start_date", "end_date=2026-01-31", "start_date"],
    ["no end_date", "start_date=2026-01-01", "end_date"],
    ["a name in another case", "Start_Date=2026-01-01&end_date=2026-01-31", "start_date"],
    ["the name of an array", "start_date[]=2026-01-01&end_date=2026-01-31", "start_date"],
    [
      "a repeated start_date",
      "start_date=2026-01-01&start_date=2026-01-02&end_date=2026-01-31",
      "start_date",
    ],
    [
      "a start_date repeated with one value",
      "start_date=2026-01-01&start_date=2026-01-01&end_date=2026-01-31",
      "start_date",
    ],
    [
      "a repeated end_date",
      "start_date=2026-01-01&end_date=2026-01-30&end_date=2026-01-31",
      "end_date",
    ],
    ["a reversed range", "start_date=2026-01-31&end_date=2026-01-01", "start_date"],
    [
      "a range that is reversed by a day",
      "start_date=2026-01-02&end_date=2026-01-01",
      "start_date",
    ],
    [
      "a range that is reversed over a year's end",
      "start_date=2026-01-01&end_date=2025-12-31",
      "start_date",
    ],
    ...badQueries,
  ])("%s is refused by name on every endpoint, and no job is made", async (_name, query, field) => {
    const byMode = await connections();
    for (const { mode, url } of dated) {
      const reply = await harness.http.get(`${url}?${query}`, { bearer: byMode[mode].token });
      expect([url, reply.status]).toEqual([url, 400]);
      expect(reply.body).toEqual({
        message: expect.stringMatching(/./),
        validation_error: expect.stringContaining(field),
      });
    }
    expect(await countFetches(harness, byMode.xhr.tokenId)).toBe(0);
    expect(await countFetches(harness, byMode.official.tokenId)).toBe(0);
  });

  test.each([
    [
      "start_date=2026-01-01&start_date=2026-01-01&end_date=2026-01-31",
      "start_date: comes more than once",
    ],
    [
      "start_date=2026-13-01&end_date=2026-01-31",
      "start_date: '2026-13-01' is not a date; it has to be one as YYYY-MM-DD",
    ],
    [
      "start_date=%3Cscript%3E&end_date=2026-01-31",
      "start_date: is not a date; it has to be one as YYYY-MM-DD",
    ],
    ["end_date=2026-01-31", "start_date: is required, as YYYY-MM-DD"],
    [
      "start=2026-01-01&end_date=2026-01-31",
      "start_date: is required, as YYYY-MM-DD; start is unknown and ignored: did you mean start_date?",
    ],
    [
      "start_date=1899-12-31&end_date=2026-01-31",
      "start_date: lies between the years 1900 and 2100",
    ],
    ["start_date=2026-02-01&end_date=2026-01-31", "start_date: is after end_date"],
  ])("%s: what is wrong is said, and nothing else", async (query, validationError) => {
    const { token } = (await connections()).xhr;
    expect(
      (await harness.http.get(`${dated[0]?.url}?${query}`, { bearer: token })).body,
    ).toHaveProperty("validation_error", validationError);
  });

  test("both dates missing are both named", async () => {
    const byMode = await connections();
    for (const { mode, url } of dated) {
      const { status, body } = await harness.http.get(url, { bearer: byMode[mode].token });
      expect(status).toBe(400);
      expect(body).toMatchObject({
        validation_error: expect.stringMatching(/start_date.*end_date|end_date.*start_date/),
      });
    }
  });
});

describe("200", () => {
  test.each([
    ["a single day", "2026-01-15", "2026-01-15"],
    ["a leap day", "2024-02-29", "2024-02-29"],
    ["the leap day of a century that has one", "2000-02-29", "2000-02-29"],
    ["a range over a leap day", "2024-02-28", "2024-03-01"],
    ["the first day that there is", "1900-01-01", "1900-01-01"],
    ["the last day that there is", "2100-12-31", "2100-12-31"],
    ["every day that there is", "1900-01-01", "2100-12-31"],
  ])("%s is served on every endpoint", async (_name, start, end) => {
    const byMode = {
      xhr: await harness.connect(),
      official: await harness.connect({ mode: "official" }),
    };
    const query = { start_date: start, end_date: end };
    for (const { mode, url } of dated)
      expect([
        url,
        (await harness.http.get(url, { bearer: byMode[mode].token, query })).status,
      ]).toEqual([url, 202]);
    await harness.drain();
    for (const { mode, url } of dated) {
      const reply = await harness.http.get(url, { bearer: byMode[mode].token, query });
      expect([url, reply.status]).toEqual([url, 200]);
      expect(reply.body).toBeInstanceOf(Array);
    }
  });

  test.each<[string, (record: Dated, start: string, end: string) => boolean]>([
    [
      "timesheets",
      ({ start_time: time }, start, end) =>
        start <= (time ?? "").slice(0, 10) && (time ?? "").slice(0, 10) <= end,
    ],
    [
      "time-off-entries",
      ({ start_date: from, end_date: to }, start, end) =>
        (from ?? "") <= end && (to ?? "") >= start,
    ],
  ])(
    "%s of a part of a range are those of the whole range that belong to the part",
    async (path, belongs) => {
      const { token } = await harness.connect();
      const url = `${version}/xhr/${path}`;
      const read = async (start: string, end: string): Promise<Dated[]> =>
        (await fetchData(harness, token, url, { start_date: start, end_date: end }))
          .body as Dated[];
      const [start, end] = ["2025-11-10", "2025-11-21"];
      const whole = await read("2025-10-01", "2025-12-31");
      const part = await read(start, end);
      expect(part.length).toBeGreaterThan(0);
      expect(part.length).toBeLessThan(whole.length);
      expect(part).toEqual(whole.filter((record) => belongs(record, start, end)));
    },
  );
});

interface Dated {
  start_date?: string;
  end_date?: string;
  start_time?: string;
}

let refused:
  | {
      xhr: Awaited<ReturnType<Harness["connect"]>>;
      official: Awaited<ReturnType<Harness["connect"]>>;
    }
  | undefined;

/** A pair that is asked for nothing but refused requests. */
async function connections(): Promise<NonNullable<typeof refused>> {
  refused ??= {
    xhr: await harness.connect(),
    official: await harness.connect({ mode: "official" }),
  };
  return refused;
}
