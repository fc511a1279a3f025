import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import { rawRequest, sendRaw, type RawReply } from "../support/raw-http.ts";
import { expectRefusal, refusal, refusedWith } from "../support/refusals.ts";

const base = "/2023-03-01/xhr";

let harness: Harness;
let token: string;

beforeAll(async () => {
  harness = await createHarness();
  token = (await harness.connect()).token;
});
afterAll(() => harness.close());

async function get(target: string): Promise<RawReply | undefined> {
  const { replies } = await sendRaw(
    harness.baseUrl,
    rawRequest("GET", target, { headers: [["Authorization", `Bearer ${token}`]] }),
  );
  return replies[0];
}

describe("a percent-encoding in the path", () => {
  test.each([
    "%",
    "%%",
    "%z",
    "%zz",
    "%1",
    "%2g",
    "%ff",
    "%c3%28",
    "%c0%af",
    "%e2%82",
    "%ed%a0%80",
    "%f8%a1%a1%a1%a1",
    "%u0041",
    "a%",
  ])("that is wrong (%s) is a 400 that names the path", async (text) => {
    expect(expectRefusal(await get(`/${text}`), 400)["validation_error"]).toMatch(/^path: /);
    expect(expectRefusal(await get(`${base}/payruns/${text}`), 400)["validation_error"]).toMatch(
      /^path: /,
    );
  });

  test("of a known path is the known path", async () => {
    expect((await get("/%70rovider%73"))?.status).toBe(200);
    expect((await get("/%2570roviders"))?.status).toBe(404);
  });

  test.each([
    ["a NUL", "%00", "\0"],
    ["a line break", "%0d%0a", "\r\n"],
    ["a slash", "a%2fb", "a/b"],
    ["dots", "%2e%2e", ".."],
    ["a percent sign", "%25", "%"],
    ["a percent sign twice encoded", "%2500", "%00"],
    ["UTF-8", "%C3%A9%F0%9F%98%80", "\u00e9\u{1f600}"],
    ["a quote", "%27%22%3B--", "'\";--"],
    ["a question mark", "%3Fa=b", "?a=b"],
    ["a control character", "%7f%1b", "\x7f\x1b"],
  ])(
    "of %s in a path parameter is an id like any other that was never issued",
    async (_name, text, id) => {
      expect(expectRefusal(await get(`${base}/payruns/${text}`), 404)["id"]).toBe(id);
    },
  );
});

describe("a percent-encoding in the query", () => {
  test.each([
    "%",
    "%zz",
    "%ff",
    "%c0%af",
    "%ed%a0%80",
    "%00",
    "%0d%0a",
    "%u0041",
    "+",
    "%27%22",
    "\u007e",
  ])("%s in a parameter that is not known is ignored", async (text) => {
    expect((await get(`/providers?a=${text}&${text}=b`))?.status).toBe(200);
  });

  test.each([
    "%",
    "%zz",
    "%ff",
    "%c0%af",
    "%00",
    "2026-01-01%00",
    "2026-01-01%0a",
    "%EF%BC%92026-01-01",
    "2026%2D01%2D0%31%20",
    "+2026-01-01",
  ])("%s in a date is a 400 that names the date", async (text) => {
    expect(
      expectRefusal(await get(`${base}/payruns?start_date=${text}&end_date=2026-01-31`), 400)[
        "validation_error"
      ],
    ).toMatch(/^start_date: /);
  });

  test.each([
    "%",
    "%zz",
    "%ff",
    "%00",
    "active%00",
    "%61ctivE",
    "active,leave",
    "__proto__",
    "constructor",
  ])("%s in a status is a 400 that names the status", async (text) => {
    expect(
      expectRefusal(await get(`${base}/employees?employment_status=${text}`), 400)[
        "validation_error"
      ],
    ).toMatch(/^employment_status: /);
  });

  test("of a valid value is the value", async () => {
    expect(
      (await get(`${base}/payruns?start%5Fdate=2026%2D01%2D01&end_date=%32026-01-31`))?.status,
    ).toBe(202);
    expect((await get(`${base}/employees?employment_status=%61ctive`))?.status).toBe(202);
  });

  test.each([
    "start_date[]=2026-01-01",
    "start_date[0]=2026-01-01",
    "start_date.x=2026-01-01",
    "START_DATE=2026-01-01",
    " start_date=2026-01-01".replace(" ", "%20"),
    "__proto__[start_date]=2026-01-01",
    "start_date;=2026-01-01",
  ])("%s is not start_date", async (parameter) => {
    expect(
      expectRefusal(await get(`${base}/payruns?${parameter}&end_date=2026-01-31`), 400)[
        "validation_error"
      ],
    ).toMatch(/^start_date: /);
  });

  test.each([
    [50, 200],
    [1_000, 400],
  ])("of %i parameters is read once, and more than fifty are refused", async (count, status) => {
    const many = Array.from({ length: count }, (_, index) => `p${index}=%20`).join("&");
    expect((await get(`/providers?${many}`))?.status).toBe(status);
  });
});

test("a token in the query is not a credential", async () => {
  for (const name of ["access_token", "token", "authorization", "Authorization"]) {
    const { replies } = await sendRaw(
      harness.baseUrl,
      rawRequest("GET", `${base}/company?${name}=${token}`),
    );
    expect(refusal(replies[0])).toEqual(refusedWith(401));
  }
});
