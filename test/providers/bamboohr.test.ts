import { describe, expect, test } from "vitest";
import { attempt } from "../../src/conformance/expect-failure.ts";
import { Trial, type ReadRecord } from "../../src/conformance/trial.ts";
import type { Mode, Resource } from "../../src/model/index.ts";
import { bamboohr } from "../../src/providers/bamboohr/index.ts";
import type { Cursor, SignInContext } from "../../src/providers/contract.ts";
import type { FakeSystem } from "../../src/providers/conformance.ts";
import { FieldError } from "../../src/providers/errors.ts";
import { registerBuiltIn } from "../../src/providers/built-in.ts";
import type { ProviderRegistry } from "../../src/providers/registry.ts";
import { openDescription } from "../support/described-vendor.ts";
import {
  bambooCode,
  bambooKey,
  FakeBamboo,
  type BambooAnswer,
  type FakeBambooOptions,
  type SeenBambooRequest,
} from "../support/vendors/fake-bamboohr.ts";

const companyDomain = "lindgren";
const datasetPath = /datasets\/employee\/data/;
const calculatorPath = /time_off\/calculator/;
const msOfDay = 86_400_000;

interface Stage {
  trial: Trial;
  fake: FakeBamboo;
  system: FakeSystem;
}

/** The adapter beside its fake, run by the code of the service. */
async function onStage(
  { mode = "official", ...options }: FakeBambooOptions & { mode?: Mode },
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const fake = await FakeBamboo.start(options);
  const system: FakeSystem = {
    baseUrl: fake.origin,
    formValues: { companyDomain, key: bambooKey },
    code: bambooCode,
    close: () => fake.stop(),
  };
  const conformance = { mode, start: async () => system };
  const adapter = bamboohr.modes[mode]!;
  const subject = { definition: bamboohr, mode, adapter, conformance };
  const trial = new Trial(subject, system, AbortSignal.timeout(20_000));
  try {
    await work({ trial, fake, system });
  } finally {
    await trial.close();
    await fake.stop();
  }
}

/** How a read of a signed-in account ends, in one word. */
async function outcomeOf(trial: Trial, resource: Resource): Promise<string> {
  const outcome = await attempt(() => trial.read(resource));
  if ("result" in outcome) return `${outcome.result.records.length} records`;
  return outcome.failure.kind === "auth" ? outcome.failure.code : outcome.failure.kind;
}

function pick(records: readonly ReadRecord[], remoteId: string): ReadRecord {
  return records.find((record) => record["remote_id"] === remoteId) ?? {};
}

const lastCursor = ({ watch }: Trial): Cursor => watch.pages.at(-1)?.cursor ?? {};
const day = (days: number): string =>
  new Date(Date.now() + days * msOfDay).toISOString().slice(0, 10);

/** The description gives two paths to OAuth2 alone, which BambooHR also opens to keys. */
function asDescribed(request: SeenBambooRequest): SeenBambooRequest {
  const isNewer = /^\/api\/v1\/(?:employees|hris\/org\/locations)\?/.test(request.path);
  return isNewer
    ? { ...request, headers: { ...request.headers, authorization: "Bearer token" } }
    : request;
}

/** Reads everything once, and gives what one of the changes costs from then on. */
async function afterFullRead(
  work: (stage: Stage & { poll: () => Promise<readonly ReadRecord[]> }) => Promise<void>,
  now = twoMinutesAgo,
) {
  await onStage({ now }, async (stage) => {
    const { trial } = stage;
    await trial.signIn();
    await trial.read("employees");
    let since = trial.watch.next;
    const poll = async () => {
      const { records } = await trial.read("employees", { start: since ? { since } : {} });
      since = trial.watch.next;
      return records;
    };
    await work({ ...stage, poll });
  });
}

const idsAsked = (fake: FakeBamboo): string[] =>
  fake.requests
    .filter(({ path }) => calculatorPath.test(path))
    .map(({ path }) => path.split("/")[4] ?? "");

/** What changes is changed at a moment that is over. */
const twoMinutesAgo = (): Date => new Date(Date.now() - 120_000);
const yesterday = (): Date => new Date(Date.now() - msOfDay);

const modesOf = async (applications: Parameters<ProviderRegistry["offerWith"]>[0]) => {
  const registry = (await registerBuiltIn()).offerWith(applications);
  return Object.keys(registry.find("bamboohr")?.modes ?? {});
};

/** Everybody as one mode reads them. */
const readPeopleIn = async (mode: Mode) => {
  let people: readonly ReadRecord[] = [];
  await onStage({ mode, people: 7, pageSize: 3 }, async ({ trial, fake }) => {
    await trial.signIn();
    people = (await trial.read("employees")).records;
    expect(fake.countOf(/\/api\/v1\/employees\?/) > 1).toBe(mode === "official");
  });
  // A key that may not list people may not read places either.
  return people.map(({ work_location, ...person }) => ({
    ...person,
    place: (work_location as { remote_id: string }).remote_id,
  }));
};

describe("is offered", () => {
  test("in both modes with the operator's application, else by key alone", async () => {
    const application = { clientId: "id", clientSecret: "secret" };
    expect(await modesOf({ bamboohr: application })).toEqual(["xhr", "official"]);
    expect(await modesOf({})).toEqual(["xhr"]);
  });

  test("without pay runs and payslips", () => {
    for (const { resources } of Object.values(bamboohr.modes))
      expect(Object.keys(resources)).not.toContain("payruns");
  });
});

describe("the sign-in", () => {
  test.each<[string, BambooAnswer]>([
    ["a redirect", { status: 302, headers: { location: "https://www.bamboohr.com/" } }],
    ["404", { status: 404, headers: { "content-type": "text/html" } }],
    ["a page", { status: 200, headers: { "content-type": "text/html" } }],
  ])("takes %s for a domain that there is not", async (_name, answer) => {
    await onStage({ mode: "xhr" }, async ({ trial, fake }) => {
      fake.interfere = () => answer;
      const outcome = await attempt(() => trial.signIn());
      expect(outcome).toMatchObject({ failure: { kind: "field", field: "companyDomain" } });
    });
  });

  test.each([
    ["/meta/fields", { status: 408 }, "down"],
    ["/meta/fields", { status: 400, body: { error: { code: "BadRequest" } } }, "bug"],
    ["/employees?", { status: 408 }, "down"],
  ])("blames no field when %s is answered with %j", async (part, answer, kind) => {
    await onStage({ mode: "xhr" }, async ({ trial, fake }) => {
      fake.interfere = ({ path }) => (path.includes(part) ? answer : undefined);
      const outcome = await attempt(() => trial.signIn());
      expect(outcome).toMatchObject({ failure: { kind } });
    });
  });

  test.each(["xhr", "official"] as const)("%s refuses another company", async (mode) => {
    const previousSession =
      mode === "xhr"
        ? { domain: companyDomain, key: "k", canListEmployees: true }
        : { domain: companyDomain, accessToken: "a", expiresAt: day(1), account: [] };
    const values = { companyDomain: "another", key: "k" };
    const context = { previousSession } as unknown as SignInContext;
    await expect(bamboohr.modes[mode]!.login(context, values)).rejects.toThrow(FieldError);
  });

  test("knows who a key belongs to", async () => {
    await onStage({ mode: "xhr" }, async ({ trial }) => {
      expect((await trial.signIn()).identity).toEqual({
        name: "Łucja O'Brien-Ñandú",
        email: "person.1@example.com",
        phone_number: "+1 801 555 0001",
      });
    });
  });

  test.each([
    ["the company", [], "Lindgren"],
    ["the domain", ["/api/v1/company_information"], companyDomain],
  ])("names %s for a key without an employee", async (_name, forbidden, name) => {
    await onStage({ mode: "xhr", owner: "0", forbidden }, async ({ trial }) => {
      const { identity } = await trial.signIn();
      expect(identity).toEqual({ name, email: "", phone_number: null });
    });
  });

  test("tells which resources the account may not read or does not have", async () => {
    const forbidden = ["/api/v1/company_information", "/api/v1/time_off/requests"];
    await onStage({ forbidden }, async ({ trial, fake }) => {
      const message = "Time tracking is not enabled for this account";
      fake.interfere = ({ path }) =>
        path.includes("time_tracking")
          ? { status: 403, headers: { "x-bamboohr-error-message": message } }
          : undefined;
      const { unsupported, forbidden: refused } = await trial.signIn();
      expect(unsupported).toEqual(["timesheets"]);
      expect(refused?.toSorted()).toEqual(["company", "time-off-entries"]);
    });
  });

  test.each<[Mode, string]>([
    ["xhr", "/api/v1_2/datasets"],
    ["official", "/api/v1/employees"],
  ])("tells in %s that the account may not read people without %s", async (mode, path) => {
    await onStage({ mode, people: 2, forbidden: [path] }, async ({ trial }) => {
      expect(await trial.signIn()).toMatchObject({ unsupported: [], forbidden: ["employees"] });
    });
  });

  test("goes on when BambooHR takes the question of a probe for wrong", async () => {
    await onStage({ people: 2 }, async ({ trial, fake }) => {
      fake.interfere = ({ path }) =>
        path.includes("timesheet_entries") ? { status: 400, body: { status: 400 } } : undefined;
      expect(await trial.signIn()).toMatchObject({ unsupported: [], forbidden: [] });
    });
  });

  test("leads to the page of the company, with the scopes of the resources alone", () => {
    const { oauth2 } = bamboohr.modes.official!;
    expect(oauth2?.authorizationUrl({ companyDomain: "https://Lindgren.bamboohr.com/" })).toBe(
      "https://lindgren.bamboohr.com/authorize.php?request=authorize",
    );
    expect(oauth2?.scopes(["company"])).toEqual([
      "openid",
      "offline_access",
      "public.user",
      "employee",
      "company:info",
      "field",
    ]);
    expect(oauth2?.scopes(["timesheets", "time-off-entries"])).toEqual(
      expect.arrayContaining(["time_tracking", "time_off"]),
    );
  });

  test("goes on with the newest refresh token, which works once", async () => {
    await onStage({ people: 3 }, async ({ trial, fake }) => {
      await trial.signIn();
      for (const _time of [1, 2]) {
        fake.endToken();
        expect(await outcomeOf(trial, "company")).toBe("1 records");
      }
      expect(trial.renewals).toBe(2);
    });
  });
});

describe("a request", () => {
  test.each(["xhr", "official"] as const)(
    "of %s is one that BambooHR describes, and asks for JSON",
    async (mode) => {
      const options = { mode, people: 7, pageSize: 3, keyOpensAll: true };
      await onStage(options, async ({ trial, fake }) => {
        const described = await openDescription("bamboohr");
        const violations: string[] = [];
        fake.onRequest = async (request) => {
          if (request.headers["accept"] !== "application/json") violations.push(request.path);
          if (!request.path.startsWith("/token.php"))
            violations.push(...(await described.check(asDescribed(request))));
        };
        await trial.signIn();
        for (const resource of trial.resources) await trial.read(resource);
        const since = trial.watch.next ?? {};
        fake.change();
        await trial.read("employees", { start: { since } });
        expect(violations).toEqual([]);
        expect(fake.requests.length).toBeGreaterThan(30);
      });
    },
  );

  test.each<[string, BambooAnswer, string]>([
    ["401 on this path alone", { status: 401 }, "insufficient_permission"],
    [
      "403",
      { status: 403, headers: { "x-bamboohr-error-message": "Insufficient Permissions" } },
      "insufficient_permission",
    ],
    [
      "403 of a part that is switched off",
      { status: 403, headers: { "x-bamboohr-error-message": "Disabled for this account" } },
      "not-supported",
    ],
    [
      "403 of either",
      { status: 403, body: { detail: "Insufficient permissions or API access is not turned on" } },
      "insufficient_permission",
    ],
    ["404", { status: 404 }, "not-supported"],
    ["400", { status: 400, body: { error: { code: "BadRequest" } } }, "bug"],
    ["422", { status: 422, body: { status: 422, detail: "no" } }, "bug"],
    ["408", { status: 408 }, "down"],
    ["503", { status: 503 }, "down"],
    ["598", { status: 598 }, "down"],
    ["429", { status: 429, headers: { "retry-after": "30" } }, "rate-limited"],
  ])("that is answered with %s", async (_name, answer, expected) => {
    await onStage({ people: 3 }, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path }) => (path.includes("company_information") ? answer : undefined);
      expect(await outcomeOf(trial, "company")).toBe(expected);
    });
  });

  test("that is refused once with a short wait is made again", async () => {
    await onStage({}, async ({ trial, fake }) => {
      await trial.signIn();
      const before = fake.requests.length;
      fake.interfere = () =>
        fake.requests.length === before + 5
          ? { status: 429, headers: { "retry-after": "3" } }
          : undefined;
      expect(await outcomeOf(trial, "employees")).toBe("60 records");
    });
  });
});

describe("employees", () => {
  test("are the same from the list and, for a key that may not list them, from the dataset", async () => {
    const listed = await readPeopleIn("official");
    expect(await readPeopleIn("xhr")).toEqual(listed);
    expect(listed[0]).toMatchObject({
      remote_id: "1",
      employee_number: "N-1",
      display_full_name: "Łucja O'Brien-Ñandú",
      marital_status: "other",
      ethnicity: "mixed",
      employment_status: "active",
      home_location: { administrative_area: "UT", country: "US" },
      groups: [
        { remote_id: "department-11", name: "Logistics", type: "department" },
        { remote_id: "division-11", name: "North", type: null },
      ],
      custom_fields: { "Shirt size": null },
      avatar: null,
      place: "21",
    });
    expect(pick(listed, "3")).toMatchObject({ employment_status: "pending" });
    expect(pick(listed, "5")).toMatchObject({ employment_status: "inactive" });
    expect(pick(listed, "4")).toMatchObject({
      manager: { remote_id: "1", work_email: expect.stringContaining("@") },
      employments: [
        { effective_date: "2022-05-01", pay_rate: null, currency: "usd" },
        { effective_date: "2021-01-01", pay_rate: 19.5, pay_period: "HOUR", currency: "cad" },
        { effective_date: "2020-03-01", employment_type: "other" },
      ],
    });
  });

  test.each([[""], ["0000-00-00"]])("have null for a custom field that is %j", async (written) => {
    await onStage({ people: 3 }, async ({ trial, fake }) => {
      Object.assign(fake.people[0]!, { customShirtSize: written });
      await trial.signIn();
      const { records } = await trial.read("employees");
      expect(pick(records, "1")).toMatchObject({ custom_fields: { "Shirt size": null } });
    });
  });

  test("have null where the account may not read, and the fields are told", async () => {
    const restricted = ["homeEmail", "birthDate", "ssn", "lastName", "customShirtSize"];
    const forbidden = ["/api/v1/employees/all/tables/compensation", "/api/v1/employeedependents"];
    await onStage({ people: 7, restricted, forbidden }, async ({ trial }) => {
      await trial.signIn();
      const { records } = await trial.read("employees");
      const limited = trial.watch.limited.toSorted();
      expect(limited).toEqual([
        "compensation_history",
        "custom_fields",
        "date_of_birth",
        "dependents",
        "display_full_name",
        "employments",
        "last_name",
        "personal_email",
        "tax_id",
      ]);
      for (const record of records)
        expect(record).toMatchObject({ personal_email: null, date_of_birth: null, tax_id: null });
      expect(records).toHaveLength(7);
    });
  });

  test.each<[Mode, string, string[], string[]]>([
    ["official", "/api/v1/meta/lists", ["employment_history"], ["groups", "work_location"]],
    ["xhr", "/api/v1/meta/lists", ["employment_history", "groups", "work_location"], ["gender"]],
    ["official", "/api/v1/meta/countries", ["home_location", "nationality"], ["groups"]],
  ])("by %s without %s have told %j, and not %j", async (mode, forbidden, lost, others) => {
    await onStage({ mode, people: 3, forbidden: [forbidden] }, async ({ trial }) => {
      await trial.signIn();
      expect(await outcomeOf(trial, "employees")).toBe("3 records");
      expect(trial.watch.limited).toEqual(expect.arrayContaining(lost));
      for (const other of others) expect(trial.watch.limited).not.toContain(other);
    });
  });

  test("whose dataset is not for the account come from the list, with what it lacks told", async () => {
    await onStage({ people: 7, forbidden: ["/api/v1_2/datasets"] }, async ({ trial }) => {
      await trial.signIn();
      const { records } = await trial.read("employees");
      expect(records).toHaveLength(7);
      expect(trial.watch.limited).toEqual(
        expect.arrayContaining(["employee_number", "tax_id", "home_location", "custom_fields"]),
      );
    });
  });

  test("work at places that are not archived", async () => {
    await onStage({ people: 3 }, async ({ trial }) => {
      await trial.signIn();
      const { records } = await trial.read("work-locations");
      expect(records.map(({ name }) => name)).toEqual(["Lindon", "Remote"]);
      expect(trial.watch.limited).toEqual([]);
    });
  });

  test("work at places whose addresses are limited where they may not be read", async () => {
    await onStage({ people: 3 }, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path }) =>
        path.includes("/org/locations?") ? { status: 403, body: {} } : undefined;
      const { records } = await trial.read("work-locations");
      expect(records.filter(({ address }) => address !== null)).toEqual([]);
      expect(trial.watch.limited).toEqual(["address"]);
    });
  });

  test("without a list for a token are refused: pages by offset can leave people out", async () => {
    await onStage({ people: 3 }, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path }) =>
        path.startsWith("/api/v1/employees?") ? { status: 403 } : undefined;
      expect(await outcomeOf(trial, "employees")).toBe("insufficient_permission");
    });
  });

  test("have told what the dataset does not offer", async () => {
    await onStage({ people: 3 }, async ({ trial, fake }) => {
      await trial.signIn();
      const fields = [
        { name: "eeid", label: "Id" },
        { name: "gender", label: "Gender" },
      ];
      fake.interfere = ({ path }) =>
        path.includes("datasets/employee/fields")
          ? { status: 200, body: { pagination: { total_pages: 1 }, fields } }
          : undefined;
      expect(await outcomeOf(trial, "employees")).toBe("3 records");
      expect(trial.watch.limited).toEqual(
        expect.arrayContaining(["employee_number", "termination_date", "home_location"]),
      );
      expect(trial.watch.limited).not.toContain("gender");
      expect(trial.watch.limited).not.toContain("work_email");
    });
  });

  test("have told a column that a single row of a table lacks", async () => {
    await onStage({ people: 3 }, async ({ trial, fake }) => {
      await trial.signIn();
      const row = { id: "1", employeeId: "1", startDate: "2020-01-01", rate: "1.00 USD" };
      const { rate: _rate, ...without } = row;
      fake.interfere = ({ path }) =>
        path.includes("tables/compensation") ? { status: 200, body: [row, without] } : undefined;
      expect(await outcomeOf(trial, "employees")).toBe("3 records");
      expect(trial.watch.limited.toSorted()).toEqual(["compensation_history", "employments"]);
    });
  });

  test("that are neither on a list nor in a dataset for the account are refused", async () => {
    const forbidden = ["/api/v1_2/datasets"];
    await onStage({ mode: "xhr", people: 3, forbidden }, async ({ trial }) => {
      await trial.signIn();
      expect(await outcomeOf(trial, "employees")).toBe("insufficient_permission");
      expect(await outcomeOf(trial, "company")).toBe("1 records");
    });
  });

  test("have their details although a deletion moved the pages of the dataset", async () => {
    await onStage({}, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path, body }) => {
        const isSecond = datasetPath.test(path) && (body as { page: number }).page === 2;
        if (isSecond) fake.people = fake.people.filter(({ id }) => id !== "1");
        return undefined;
      };
      const { records } = await trial.read("employees");
      expect(pick(records, "26")).toMatchObject({ employee_number: "N-26" });
      expect(records).toHaveLength(60);
    });
  });

  test("of whom the dataset has nothing are there, and what they lack is told", async () => {
    await onStage({ people: 7 }, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path, body }) => {
        if (!datasetPath.test(path)) return undefined;
        if ("filter" in (body as object)) return { status: 422, body: { status: 422 } };
        return { status: 200, body: { data: [], meta: { totalPages: 1 } } };
      };
      expect(await outcomeOf(trial, "employees")).toBe("7 records");
      expect(trial.watch.limited).toContain("home_location");
    });
  });

  test("are read in smaller pages when BambooHR finds that it is too much", async () => {
    await onStage({ people: 7, pageSize: 3 }, async ({ trial, fake }) => {
      await trial.signIn();
      const sizes: number[] = [];
      fake.interfere = ({ path, body }) => {
        if (!datasetPath.test(path)) return undefined;
        const { pageSize } = body as { pageSize: number };
        sizes.push(pageSize);
        return pageSize > 250 ? { status: 413 } : undefined;
      };
      expect(await outcomeOf(trial, "employees")).toBe("7 records");
      expect([...new Set(sizes)]).toEqual([1_000, 500, 250]);
    });
  });

  test("whose list changed while it was read are read anew by the next try", async () => {
    await onStage({}, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path }) =>
        path.includes("after") ? { status: 400, body: { error: { code: "BadPage" } } } : undefined;
      expect(await outcomeOf(trial, "employees")).toBe("down");
    });
  });
});

const request = (employeeId: string, more: object) => ({
  id: `9${employeeId}`,
  employeeId,
  start: day(0),
  end: day(0),
  status: { status: "approved" },
  type: { id: "78", name: "Vacation" },
  amount: { unit: "days", amount: "1" },
  ...more,
});

describe("somebody with leave", () => {
  test.each<[name: string, more: object, status: string]>([
    ["of a day", {}, "leave"],
    ["of half a day", { amount: { unit: "days", amount: "0.5" } }, "active"],
    ["of eight hours", { amount: { unit: "hours", amount: "8" } }, "leave"],
    ["of four hours", { amount: { unit: "hours", amount: "4" } }, "active"],
    ["that is not approved", { status: { status: "requested" } }, "active"],
    [
      "of weeks, of which this day is none",
      { start: day(-9), end: day(9), dates: { [day(0)]: "0" } },
      "leave",
    ],
    ["that ends with half of today", { start: day(-9), dates: { [day(0)]: "0.5" } }, "active"],
    ["that ends with today", { start: day(-9), dates: { [day(0)]: 1 } }, "leave"],
  ])("%s is %s", async (_name, more, status) => {
    await onStage({ people: 6 }, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path }) =>
        path.includes("time_off/requests")
          ? { status: 200, body: ["1", "3", "5"].map((id) => request(id, more)) }
          : undefined;
      const { records } = await trial.read("employees");
      const told = ["1", "3", "5", "6"].map((id) => pick(records, id)["employment_status"]);
      expect(told).toEqual([status, "pending", "inactive", "active"]);
    });
  });

  test("is active where the account may not read it", async () => {
    await onStage({ people: 2, forbidden: ["/api/v1/time_off"] }, async ({ trial }) => {
      await trial.signIn();
      const { records } = await trial.read("employees");
      expect(pick(records, "1")).toMatchObject({ employment_status: "active" });
    });
  });

  test("is told with the next poll, with every job, and so is who came back", async () => {
    await afterFullRead(async ({ fake, poll }) => {
      let away: object[] = [request("4", {})];
      fake.interfere = ({ path }) =>
        path.includes("time_off/requests") ? { status: 200, body: away } : undefined;
      const gone = await poll();
      expect(gone.map((record) => record["remote_id"])).toEqual(["4"]);
      expect(gone[0]).toMatchObject({ employment_status: "leave" });
      expect(gone[0]?.["employments"]).toHaveLength(3);
      expect(await poll()).toEqual([]);
      away = [];
      expect(await poll()).toMatchObject([{ remote_id: "4", employment_status: "active" }]);
    });
  });
});

describe("a poll", () => {
  test("asks two questions when nothing changed", async () => {
    await afterFullRead(async ({ fake, poll }) => {
      const before = fake.requests.length;
      expect(await poll()).toEqual([]);
      expect(fake.requests.length - before).toBe(2);
    });
  });

  test("asks for those who changed alone, and names who is gone", async () => {
    await afterFullRead(async ({ trial, fake, poll }) => {
      fake.change();
      const before = fake.requests.length;
      const changed = await poll();
      expect(changed.map((record) => record["remote_id"])).toEqual(["1", "901"]);
      expect(trial.watch.removed).toEqual(["60"]);
      const asked = fake.requests.slice(before);
      expect(asked.length).toBeLessThan(16);
      const queries = asked.filter(({ path }) => datasetPath.test(path)).map(({ body }) => body);
      expect(queries).toMatchObject([{ filter: "eeid in ('1','901')" }]);
      expect(asked.some(({ path }) => path.includes("employees/all/tables"))).toBe(false);

      expect(await poll()).toEqual([]);
    });
  });

  test("reads who changed again in the second of the last poll", async () => {
    const second = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    await afterFullRead(
      async ({ fake, poll }) => {
        fake.change();
        await poll();
        Object.assign(fake.people[0]!, { jobTitleName: "Changed again" });
        expect(pick(await poll(), "1")).toMatchObject({ job_title: "Changed again" });
      },
      () => second,
    );
  });

  test.each([[""], ["0000-00-00"], ["2001-01-01T00:00:00+00:00"]])(
    "goes on where it was when the latest change is %j",
    async (latest) => {
      await afterFullRead(async ({ trial, fake, poll }) => {
        const { since } = trial.watch.next ?? {};
        fake.interfere = ({ path }) =>
          path.includes("employees/changed?")
            ? { status: 200, body: { latest, employees: [] } }
            : undefined;
        expect(await poll()).toEqual([]);
        expect(trial.watch.next).toEqual({ since, told: [], away: [] });
      });
    },
  );

  test.each([[401], [403], [404]])(
    "reads everything when the question who changed is answered with %i",
    async (status) => {
      await afterFullRead(async ({ fake, poll }) => {
        fake.interfere = ({ path }) =>
          path.includes("employees/changed?") ? { status } : undefined;
        expect(await attempt(poll)).toMatchObject({ failure: { kind: "not-supported" } });
      });
    },
  );

  test("reads everything when somebody who changed cannot be found", async () => {
    await afterFullRead(async ({ fake, poll }) => {
      fake.interfere = ({ path }) =>
        path.includes("employees/changed?")
          ? {
              status: 200,
              body: { latest: null, employees: { 777: { id: "777", action: "Updated" } } },
            }
          : undefined;
      const outcome = await attempt(poll);
      expect(outcome).toMatchObject({ failure: { kind: "not-supported" } });
    });
  });
});

const listPage = (data: unknown, nextCursor: unknown) => ({ data, meta: { page: { nextCursor } } });
const rowsPage = (data: unknown, totalPages: unknown) => ({ data, meta: { totalPages } });
const namePage = { fields: [{ name: "eeid" }], pagination: {} };

describe("an answer that breaks its contract fails the read, and leaves nobody out", () => {
  test.each<[string, Resource, Mode, unknown]>([
    ["/company_information", "company", "official", null],
    ["/company_information", "company", "official", []],
    ["/meta/lists", "groups", "official", null],
    ["/meta/lists", "groups", "official", { department: [] }],
    ["/meta/lists", "employees", "official", null],
    ["/org/locations", "work-locations", "official", {}],
    ["/org/locations", "work-locations", "official", rowsPage([{ id: 1 }], "many")],
    ["/org/locations", "work-locations", "official", rowsPage([], 1e15)],
    ["/employees?", "employees", "official", listPage([null], null)],
    ["/employees?", "employees", "official", listPage([{ firstName: "Ada" }], null)],
    ["/employees?", "employees", "official", listPage([{ employeeId: "1" }], "again")],
    ["/employees?", "employees", "official", listPage({ 1: {} }, null)],
    ["/employee/data", "employees", "xhr", rowsPage([{ fields: { eeid: 1 } }], null)],
    ["/employee/data", "employees", "xhr", rowsPage([], 1e15)],
    ["/employee/data", "employees", "xhr", rowsPage([{ fields: null }], 1)],
    ["/employee/data", "employees", "xhr", rowsPage(["1"], 1)],
    ["/employee/data", "time-off-balances", "xhr", rowsPage([{ fields: {} }], 1)],
    ["/employee/fields", "employees", "official", { fields: {} }],
    ["/employee/fields", "employees", "official", namePage],
    ["/tables/jobInfo", "employees", "official", {}],
    ["/tables/compensation", "employees", "official", [null]],
    ["/tables/employmentStatus", "employees", "official", [{ date: "2020-01-01" }]],
    ["/employeedependents", "employees", "official", {}],
    ["/countries/options", "employees", "official", {}],
    ["/time_off/requests", "time-off-entries", "official", {}],
    ["/time_off/requests", "time-off-entries", "official", [1]],
    ["/timesheet_entries", "timesheets", "official", { entries: [] }],
    ["/calculator", "time-off-balances", "official", {}],
    ["/calculator", "time-off-balances", "official", null],
  ])("%s of %s with %s: %j", async (part, resource, mode, body) => {
    await onStage({ people: 2, mode }, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path }) => (path.includes(part) ? { status: 200, body } : undefined);
      expect(await outcomeOf(trial, resource)).toBe("bug");
    });
  });

  test.each([
    [{}],
    [{ employees: null }],
    [{ employees: { 1: {} } }],
    [{ employees: { 1: null } }],
  ])("a table of those who changed that is %j", async (body) => {
    await afterFullRead(async ({ fake, poll }) => {
      fake.change();
      fake.interfere = ({ path }) =>
        path.includes("/changed/tables/jobInfo") ? { status: 200, body } : undefined;
      expect(await attempt(poll)).toMatchObject({ failure: { kind: "bug" } });
    });
  });
});

describe("balances", () => {
  test("go on where a run was cut short, and ask for nobody twice", async () => {
    await onStage({ people: 60 }, async ({ trial, fake }) => {
      await trial.signIn();
      const abort = new AbortController();
      const onPage = (): void => {
        if (idsAsked(fake).length >= 24) abort.abort(new Error("killed"));
      };
      const cut = trial.read("time-off-balances", { signal: abort.signal, onPage });
      await expect(cut).rejects.toThrow("killed");
      const first = trial.watch.pages.flatMap(({ records }) => records).length;
      const rest = await trial.read("time-off-balances", { start: { cursor: lastCursor(trial) } });
      const present = fake.people.filter(({ status }) => status === "Active").map(({ id }) => id);
      expect(present).toHaveLength(47);
      expect(idsAsked(fake).toSorted()).toEqual(present.toSorted());
      expect(first + rest.records.length).toBe(3 * present.length);
    });
  });

  test("of somebody who is refused are asked for again, and of the others not", async () => {
    await onStage({ people: 12 }, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path }) =>
        path.includes("/employees/6/time_off")
          ? { status: 429, headers: { "retry-after": "3600" } }
          : undefined;
      expect(await outcomeOf(trial, "time-off-balances")).toBe("rate-limited");
      fake.interfere = () => undefined;
      await trial.read("time-off-balances", { start: { cursor: lastCursor(trial) } });
      const asked = idsAsked(fake).filter((id) => id !== "6");
      expect(asked.toSorted()).toEqual(["1", "11", "12", "2", "4", "7", "8", "9"]);
    });
  });

  test("are no part of an account where time off is switched off", async () => {
    await onStage({ people: 2 }, async ({ trial, fake }) => {
      await trial.signIn();
      const headers = { "x-bamboohr-error-message": "Time off is disabled for this account" };
      fake.interfere = ({ path }) =>
        calculatorPath.test(path) ? { status: 403, headers } : undefined;
      expect(await outcomeOf(trial, "time-off-balances")).toBe("not-supported");
    });
  });

  test("have their unit, and none without a limit; nobody who is not found has one", async () => {
    await onStage({ mode: "xhr", people: 2 }, async ({ trial, fake }) => {
      await trial.signIn();
      fake.interfere = ({ path }) =>
        path.includes("/employees/2/time_off") ? { status: 404 } : undefined;
      const { records } = await trial.read("time-off-balances");
      expect(records).toMatchObject([
        { employee_remote_id: "1", balance: -26.36, used: 12.25, unit: "days" },
        { policy_name: "Sick time", policy_type: "sick", balance: 24.5, unit: "hours" },
        { policy_name: "Flexible", balance: null, used: 8 },
      ]);
    });
  });
});

describe("what has dates", () => {
  test("timesheets ask for the last year alone, a fortnight at a time", async () => {
    await onStage({ people: 2 }, async ({ trial, fake, system }) => {
      await trial.signIn();
      system.range = { start: day(-800), end: day(30) };
      const before = fake.requests.length;
      const { records } = await trial.read("timesheets");
      expect(records).toMatchObject([
        { remote_id: "1", hours_worked: 3.5, start_time: `${day(-5)}T15:00:00Z` },
        { remote_id: "2", start_time: `${day(-5)}T00:00:00Z`, end_time: null, hours_worked: 7.25 },
      ]);
      expect(fake.requests.length - before).toBe(27);
    });
  });

  test.each([
    ["behind ours", -6, "T20:00:00-06:00"],
    ["ahead of ours", -2, "T05:00:00+13:00"],
  ])("timesheets are there where the company's day is %s", async (_name, days, time) => {
    await onStage({ people: 2 }, async ({ trial, fake, system }) => {
      await trial.signIn();
      system.range = { start: day(-5), end: day(-3) };
      const entry = { id: 9, employeeId: 1, date: day(days), start: day(days) + time, hours: 1 };
      fake.interfere = ({ path }) => {
        const asked = new URL(path, fake.origin).searchParams;
        const isIn =
          entry.date >= (asked.get("start") ?? "") && entry.date <= (asked.get("end") ?? "");
        return { status: 200, body: isIn ? [entry] : [] };
      };
      expect(await outcomeOf(trial, "timesheets")).toBe("1 records");
    });
  });

  test("timesheets end a day earlier where the company's day has not begun", async () => {
    await onStage({ people: 2, now: yesterday }, async ({ trial, fake, system }) => {
      await trial.signIn();
      system.range = { start: day(-10), end: day(0) };
      expect(await outcomeOf(trial, "timesheets")).toBe("2 records");
      expect(fake.requests.at(-1)?.path).toContain(`end=${day(-1)}`);
    });
  });

  test("time off is asked for year by year, and an absence is there once", async () => {
    await onStage({ people: 2 }, async ({ trial, fake, system }) => {
      await trial.signIn();
      const thisYear = Number(day(0).slice(0, 4));
      system.range = { start: `${thisYear - 2}-06-01`, end: `${thisYear}-12-31` };
      const before = fake.requests.length;
      const { records } = await trial.read("time-off-entries");
      const statuses = records.map((record) => record["status"]);
      expect(statuses).toEqual(["approved", "pending", "rejected"]);
      expect(records[0]).toMatchObject({ amount: 3, unit: "days", employee_note: "Familie 🏖" });
      expect(fake.requests.length - before).toBe(3);
    });
  });
});
