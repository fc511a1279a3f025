import { request as ask } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConnectVisitor, linkPath } from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";

const exchange = "/2023-03-01/management/token";
const formType = { "content-type": "application/x-www-form-urlencoded" };
const tooMany = "has more than 50 parameters";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** `p0=1&p1=1…`: distinct names, which cost the most to compare. */
const parameters = (count: number): string =>
  Array.from({ length: count }, (_, index) => `p${index}=1`).join("&");

describe("the form of an exchange", () => {
  test("of 50 parameters is read, and unknown ones are ignored", async () => {
    const fields = exchangeBody(await signIn(harness.services));
    const own = new URLSearchParams(fields).toString();
    const body = `${own}&${parameters(50 - Object.keys(fields).length)}`;
    const { status } = await harness.http.post(exchange, { headers: formType, body });
    expect(status).toBe(200);
  });

  test.each([
    ["51 parameters", parameters(51)],
    ["64 kB of distinct parameters", parameters(6_500)],
    ["64 kB of one parameter", "a=&".repeat(21_000)],
    ["64 kB of nothing", "&".repeat(65_000)],
  ])("of %s is a 400 of the specified shape", async (_name, body) => {
    const reply = await harness.http.post(exchange, { headers: formType, body });
    const description = `the form ${tooMany}`;
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        error: "invalid_request",
        error_description: description,
        message: description,
        validation_error: `invalid_request: ${description}`,
      },
    ]);
  });
});

describe("a query", () => {
  test("of 50 parameters is read, and unknown ones are ignored", async () => {
    expect((await harness.http.get(`/providers?${parameters(50)}`)).status).toBe(200);
  });

  test.each(["/providers", "/2023-03-01/xhr/timesheets", "/docs/search", "/nothing"])(
    "of 51 parameters is a 400 on %s",
    async (path) => {
      const { statusCode, body } = await ask(`${harness.baseUrl}${path}?${parameters(51)}`);
      expect([statusCode, await body.json()]).toEqual([
        400,
        { message: "The request is not valid.", validation_error: `query: ${tooMany}` },
      ]);
    },
  );

  test("of a sign-in link has as few, and is refused in a page", async () => {
    const { client } = await harness.createClient();
    const visitor = new ConnectVisitor(harness.baseUrl);
    const { status, headers } = await visitor.ask("GET", `${linkPath(client)}&${parameters(50)}`);
    expect([status, headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
  });
});

describe("a form of the sign-in", () => {
  test.each(["/connect", "/connect/00000000-0000-7000-8000-000000000000/sign-in"])(
    "of 51 fields is a 400 on %s",
    async (path) => {
      const reply = await harness.http.post(path, { headers: formType, body: parameters(51) });
      expect([reply.status, reply.headers["content-type"]]).toEqual([
        400,
        "text/html; charset=utf-8",
      ]);
      expect(harness.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
    },
  );
});
