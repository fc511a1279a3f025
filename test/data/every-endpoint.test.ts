import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resources, scopesOfMode, type Mode, type Resource } from "../../src/model/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import {
  anyUrl,
  countFetches,
  dataEndpointCases,
  fetchData,
  listCasesOf,
  locate,
  retryAfter,
  version,
  type DataEndpointCase,
} from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider({ lacks: resources });

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
});
afterAll(() => harness.close());

const address = ["street_address", "locality", "administrative_area", "country", "post_code"];
const policy = [
  "policy_id",
  "policy_remote_id",
  "policy_name",
  "policy_type",
  "remote_created_at",
  "remote_modified_at",
];
const employee =
  "id remote_id employee_number first_name last_name display_full_name nationality job_title work_email personal_email mobile_phone_number tax_id gender ethnicity marital_status " +
  "date_of_birth employment_status employment_type start_date termination_date remote_created_at avatar home_location work_location manager bank_account employments " +
  "employment_history compensation_history custom_fields groups dependents emergency_contacts";

/** The fields of each resource as the specification lists them. */
const fields: Record<Resource, readonly string[]> = {
  company: ["id", "remote_id", "display_name", "legal_name", "tax_id", "address"],
  employees: employee.split(" "),
  groups: ["id", "remote_id", "name", "type"],
  payruns: ["id", "remote_id", "state", "type", "start_date", "end_date", "payment_date"],
  payslips: (
    "id remote_id employee_id employee_remote_id payrun_id payrun_remote_id payrun_type currency gross_pay net_pay start_date end_date payment_date " +
    "earnings contributions deductions taxes reimbursements"
  ).split(" "),
  timesheets:
    "id remote_id employee_id employee_remote_id start_time end_time hours_worked remote_created_at remote_modified_at".split(
      " ",
    ),
  "time-off-entries": [
    ..."id remote_id employee_id employee_remote_id start_date end_date amount unit status employee_note".split(
      " ",
    ),
    ...policy,
  ],
  "time-off-balances": ["employee_id", "employee_remote_id", "balance", "used", "unit", ...policy],
  "work-locations": ["id", "remote_id", "name", "type", "address"],
};

/** The fields of the objects inside a record, by the field that holds them. */
const innerFields: Record<string, readonly string[]> = {
  address,
  home_location: address,
  work_location: ["id", "remote_id", "name", "type", "address"],
  manager: ["id", "remote_id", "first_name", "last_name", "work_email"],
  bank_account: ["account_number", "bank_name", "bic", "holder_name", "iban", "sort_code"],
  employments: [
    "currency",
    "effective_date",
    "employment_type",
    "job_title",
    "pay_frequency",
    "pay_period",
    "pay_rate",
  ],
  employment_history: [
    "job_title",
    "effective_date",
    "group_id",
    "group_remote_id",
    "group_name",
    "manager_id",
    "manager_remote_id",
  ],
  compensation_history: [
    "pay_rate",
    "pay_period",
    "pay_frequency",
    "employment_type",
    "currency",
    "effective_date",
    "notes",
  ],
  groups: ["id", "remote_id", "name", "type"],
  dependents: ["name", "relationship"],
  emergency_contacts: [
    "first_name",
    "last_name",
    "relationship",
    "mobile_phone_number",
    "primary_contact",
  ],
  earnings: ["name", "amount", "hours"],
  contributions: ["name", "amount"],
  deductions: ["name", "amount"],
  taxes: ["name", "amount", "employer_tax"],
  reimbursements: ["name", "amount"],
};

type Data = Record<string, unknown>;

/** Every field is always there, and no other, down to the innermost object. */
function expectFields(record: Data, expected: readonly string[], path: string): void {
  expect([path, ...Object.keys(record).sort()]).toEqual([path, ...[...expected].sort()]);
  for (const [field, value] of Object.entries(record)) {
    const inner = innerFields[field];
    if (inner && value !== null)
      for (const item of [value].flat()) expectFields(item as Data, inner, `${path}.${field}`);
  }
}

const names = (cases: readonly DataEndpointCase[]): [string, DataEndpointCase][] =>
  cases.map((endpoint) => [`${endpoint.mode}/${endpoint.path}`, endpoint]);

describe("202, then 200", () => {
  test.each(names(dataEndpointCases))(
    "%s is pending with Retry-After and a message until the data is there, and then has every field of the specification",
    async (_name, endpoint) => {
      const { token } = await harness.connect({ mode: endpoint.mode });
      const { url, query } = await locate(harness, token, endpoint);

      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const pending = await harness.http.get(url, { bearer: token, query });
        expect([pending.status, pending.body]).toEqual([
          202,
          { message: expect.stringMatching(/./) },
        ]);
        expect(retryAfter(pending)).toBeLessThanOrEqual(300);
        expect(pending.headers["cache-control"]).toBe("private, no-store");
      }

      await harness.drain();
      const ready = await harness.http.get(url, { bearer: token, query });
      expect(ready.status).toBe(200);
      expect(ready.headers["content-type"]).toMatch(/^application\/json(;|$)/);
      expect(ready.headers["cache-control"]).toBe("private, no-store");
      expect(ready.headers["retry-after"]).toBeUndefined();
      expect(Array.isArray(ready.body)).toBe(endpoint.isList);
      const records = [ready.body as Data | Data[]].flat();
      expect(records.length).toBeGreaterThan(0);
      for (const record of records)
        expectFields(record, fields[endpoint.resource], endpoint.resource);
    },
  );

  test("the shared sandbox token has data at every xhr endpoint", async () => {
    const ask = async ({ path, query }: DataEndpointCase): Promise<number> =>
      (await harness.http.get(`${version}/xhr/${path}`, { bearer: harness.sandboxToken, query }))
        .status;
    for (const endpoint of listCasesOf("xhr")) expect(await ask(endpoint)).toBe(202);
    await harness.drain();
    for (const endpoint of listCasesOf("xhr")) expect(await ask(endpoint)).toBe(200);
  });
});

describe("query parameters that the specification does not name", () => {
  test.each(names(dataEndpointCases))(
    "%s ignores them, and what was fetched without them answers",
    async (_name, endpoint) => {
      const { token, tokenId } = await harness.connect({ mode: endpoint.mode });
      const { url, query } = await locate(harness, token, endpoint);
      const plain = await fetchData(harness, token, url, query);
      const fetches = await countFetches(harness, tokenId);
      const isDated = "start_date" in query;
      const more = `unknown=1&unknown=2&limit=0&access_token=x&employment_status[]=active&%00=%00${isDated ? "" : "&start_date=never&end_date=never"}`;
      const known = new URLSearchParams(query).toString();
      const reply = await harness.http.get(`${url}?${known}&${more}`, { bearer: token });
      expect(reply.status).toBe(200);
      expect(reply.bytes.equals(plain.bytes)).toBe(true);
      expect(await countFetches(harness, tokenId)).toBe(fetches);
    },
  );
});

const urlsOf = (mode: Mode): string[] => [
  ...dataEndpointCases.filter((endpoint) => endpoint.mode === mode).map(anyUrl),
  `${version}/${mode}/identity`,
];
const everyUrl = [...urlsOf("xhr"), ...urlsOf("official")];

describe("401", () => {
  const unknown = mintCredential("at", "dev");
  const basic = `Basic ${Buffer.from("a:b").toString("base64")}`;
  const plain = /^Bearer$/;
  const invalid = /^Bearer error="invalid_token"$/;
  test.each<[string, Record<string, string | string[]>, RegExp]>([
    ["no credential", {}, plain],
    ["another scheme", { authorization: basic }, plain],
    ["an unknown token", { authorization: `Bearer ${unknown}` }, invalid],
    [
      "a token with a wrong checksum",
      { authorization: `Bearer ${unknown.slice(0, -1)}${unknown.endsWith("0") ? "1" : "0"}` },
      invalid,
    ],
    ["a word that is no token", { authorization: "Bearer x" }, invalid],
    [
      "a code in the place of a token",
      { authorization: `Bearer ${mintCredential("ac", "dev")}` },
      invalid,
    ],
    [
      "more than one credential",
      { authorization: [`Bearer ${unknown}`, `Bearer ${unknown}`] },
      /^Bearer( |$)/,
    ],
  ])(
    "%s is refused on every endpoint, before its parameters are looked at",
    async (_name, headers, challenge) => {
      for (const url of everyUrl) {
        const reply = await harness.http.get(url, { headers });
        expect([url, reply.status]).toEqual([url, 401]);
        expect(reply.body).toEqual({
          error: "authentication_error",
          message: expect.stringMatching(/./),
          code: "reauthentication_required",
        });
        expect(reply.headers["www-authenticate"]).toMatch(challenge);
      }
    },
  );

  test("a second credential counts also when the first one is good", async () => {
    const { token } = await harness.connect();
    const reply = await harness.http.get(`${version}/xhr/company`, {
      headers: { authorization: [`Bearer ${token}`, `Bearer ${token}`] },
    });
    expect(reply.status).toBe(401);
  });

  test("a token in the query string is not read", async () => {
    const { token } = await harness.connect();
    const reply = await harness.http.get(`${version}/xhr/company`, {
      query: { access_token: token, token, authorization: `Bearer ${token}` },
    });
    expect(reply.status).toBe(401);
  });

  test("the scheme's letters may be of either case", async () => {
    const { token } = await harness.connect();
    for (const scheme of ["bearer", "BEARER"]) {
      expect(
        (
          await harness.http.get(`${version}/xhr/company`, {
            headers: { authorization: `${scheme} ${token}` },
          })
        ).status,
      ).toBe(202);
    }
  });
});

describe("403", () => {
  test.each<Mode>(["xhr", "official"])(
    "a disconnected token has no data any more at any %s endpoint, stored or not",
    async (mode) => {
      const { token } = await harness.connect({ mode });
      const company = `${version}/${mode}/company`;
      await fetchData(harness, token, company);
      expect(
        (await harness.http.post(`${version}/management/disconnect`, { bearer: token })).status,
      ).toBe(200);
      for (const url of urlsOf(mode)) {
        const reply = await harness.http.get(url, { bearer: token });
        expect([url, reply.status]).toEqual([url, 403]);
        expect(reply.body).toEqual({ message: expect.stringMatching(/./) });
        expect(reply.headers["www-authenticate"]).toBeUndefined();
      }
    },
  );

  test("a token of the other environment is refused on every endpoint", async () => {
    const bearer = mintCredential("at", "prod");
    for (const url of everyUrl) {
      const reply = await harness.http.get(url, { bearer });
      expect([url, reply.status]).toEqual([url, 403]);
      expect(reply.body).toEqual({ message: expect.stringMatching(/./) });
    }
  });

  const scopeCases = [
    ...dataEndpointCases,
    ...(["xhr", "official"] as const).map((mode) => ({
      mode,
      path: "identity",
      scope: `${version}/${mode}/identity`,
    })),
  ];
  test.each(scopeCases.map(({ scope, mode, path }) => [scope, mode, path] as const))(
    "a token with every scope but %s lacks that one, and is told so",
    async (scope, mode, path) => {
      const { token, tokenId } = await harness.connect({
        mode,
        scopes: scopesOfMode(mode).filter((granted) => granted !== scope),
      });
      const reply = await harness.http.get(anyUrl({ mode, path }), { bearer: token });
      expect(reply.status).toBe(403);
      expect(reply.body).toEqual({ message: expect.stringMatching(/./) });
      expect(reply.headers["www-authenticate"]).toBe(
        `Bearer error="insufficient_scope", scope="${scope}"`,
      );
      expect(await countFetches(harness, tokenId)).toBe(0);
    },
  );

  test.each<[Mode, Mode]>([
    ["xhr", "official"],
    ["official", "xhr"],
  ])("a token of mode %s lacks every scope of mode %s", async (mode, other) => {
    const { token } = await harness.connect({ mode });
    for (const url of urlsOf(other))
      expect([url, (await harness.http.get(url, { bearer: token })).status]).toEqual([url, 403]);
  });

  test("stored data is not served to a token without the scope", async () => {
    const { token } = await harness.connect({ scopes: [`${version}/xhr/employee` as never] });
    const url = `${version}/xhr/employee`;
    await harness.http.get(url, { bearer: token, query: { id: "x" } });
    await harness.drain();
    expect((await harness.http.get(url, { bearer: token, query: { id: "x" } })).status).toBe(404);
    expect((await harness.http.get(`${version}/xhr/employees`, { bearer: token })).status).toBe(
      403,
    );
  });
});

describe("501", () => {
  test.each(names(dataEndpointCases))(
    "%s is not there for a provider whose adapter lacks it, and no job is made",
    async (_name, { mode, path, query }) => {
      const { token, tokenId } = await harness.connect({ mode, provider: "stub" });
      const reply = await harness.http.get(anyUrl({ mode, path }), { bearer: token, query });
      expect(reply.status).toBe(501);
      expect(reply.body).toEqual({ message: expect.stringMatching(/./) });
      expect(await countFetches(harness, tokenId)).toBe(0);
    },
  );
});

describe("404", () => {
  test.each(["payruns", "payruns/x"])("there is no official/%s", async (path) => {
    const { token } = await harness.connect({ mode: "official" });
    const url = `${version}/official/${path}`;
    const reply = await harness.http.get(`${url}?start_date=2026-01-01&end_date=2026-01-31`, {
      bearer: token,
    });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ message: expect.stringMatching(/./), id: url });
  });

  test.each(["2023-03-02/xhr/company", "xhr/company", "2023-03-01/developer/company"])(
    "there is no /%s",
    async (path) => {
      const { token } = await harness.connect();
      const reply = await harness.http.get(`/${path}`, { bearer: token });
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual({ message: expect.stringMatching(/./), id: `/${path}` });
    },
  );
});
