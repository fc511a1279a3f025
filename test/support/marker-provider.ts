import { z } from "zod";
import { resources, type Resource } from "../../src/model/index.ts";
import {
  defineProvider,
  type FetchParameters,
  type ProviderContext,
  type ProviderMode,
  type ResourceReader,
  type Session,
} from "../../src/providers/contract.ts";
import {
  AuthError,
  FieldError,
  ProviderBug,
  ProviderDown,
  ProviderRateLimited,
} from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { mark, plainMarkers } from "./markers.ts";

/**
 * A provider for a service that runs as a process and finds it by `PROVIDERS`. All values that it
 * gets and returns contain a marker. The word before the marker in the user name selects what
 * happens.
 */
type Scenario =
  | "good"
  | "refused"
  | "field"
  | "down"
  | "bug"
  | "crash"
  | "otp"
  | "expired"
  | "limited"
  | "stumble"
  | "unmapped"
  | "broken"
  | "upstream"
  | "slow";

export const rightOtp = mark("otp-right");
export const userNameOf = (scenario: Scenario): string =>
  `${scenario}.${mark("user")}@example.test`;

const scenarioOf = (text: unknown): string => String(text).split(".", 1)[0] ?? "";

/** An error of a careless library, with data in every place that an error has. */
class UpstreamFailure extends Error {
  override name = `Upstream ${mark("error-name")}`;
  readonly code = `no account ${mark("error-code")}`;
  readonly constraint = `unique (${mark("error-constraint")})`;
  readonly detail = `Key (email)=(${mark("error-detail")})`;
  readonly response = { body: mark("error-response"), headers: { cookie: mark("error-cookie") } };
}

function crash(): never {
  const cause = new UpstreamFailure(
    `the first one said ${mark("error-cause")}\n    at ${mark("error-line")} (file.js:1:1)`,
  );
  const failure = new UpstreamFailure(
    `it said\n  ${mark("error-message")}\n    at ${mark("error-line")} (file.js:1:1)`,
    { cause },
  );
  failure.stack = `${failure.stack ?? ""}\n    and at the end ${mark("error-stack")}`;
  throw failure;
}

const session = (user: string): Session => ({
  user,
  cookie: mark("session-cookie"),
  apiKey: mark("session-key"),
});

const xhr: ProviderMode = {
  form: z.object({
    username: formField({ title: "User name" }),
    password: formField({ title: "Password", isSecret: true }),
    company: formField({ title: "Company" }),
  }),
  async login(_context, { username = "", password = "", company = "" }) {
    switch (scenarioOf(username)) {
      case "refused":
        throw new AuthError("incorrect_username_or_password");
      case "field":
        throw new FieldError("company", `There is no company ${company}.`);
      case "down":
        throw Object.assign(new ProviderDown(`it is down for ${username}`), {
          cause: new UpstreamFailure(password),
        });
      case "bug":
        throw Object.assign(new ProviderBug(`it said ${password}`), {
          cause: new UpstreamFailure(company),
        });
      case "crash":
        return crash();
      case "otp":
        return {
          challenge: {
            kind: "otp",
            prompt: `Code for ${mark("prompt")}`,
            state: { ...session(username), company, step: mark("challenge-state") },
          },
        };
      default:
        return { session: { ...session(username), company } };
    }
  },
  async resume(_context, state, otp) {
    if (otp !== rightOtp) throw new AuthError("incorrect_mfa_or_otp");
    return { session: state };
  },
  check: async () => ({ unsupported: [] }),
  identity: async () => ({
    name: `Ida ${mark("identity-name")}`,
    email: `${mark("identity-email")}@example.test`,
    phone_number: `+49 ${mark("identity-phone")}`,
  }),
  resources: Object.fromEntries(resources.map((resource) => [resource, read(resource)])),
};

function read<R extends Resource>(resource: R): ResourceReader<R> {
  return {
    fetch: (context: ProviderContext, current: Session, parameters: FetchParameters) =>
      fetchPages(context, current, resource, parameters),
    map: (raw: { id: string; bad?: true }) => {
      if (raw.bad) throw new UpstreamFailure(`cannot map ${JSON.stringify(raw)}`);
      return raw;
    },
  } as unknown as ResourceReader<R>;
}

async function* fetchPages(
  context: ProviderContext,
  current: Session,
  resource: Resource,
  { payrunRemoteId }: FetchParameters,
): AsyncGenerator<unknown[]> {
  context.saveSession({ ...current, cookie: mark("session-cookie-rotated") });
  switch (scenarioOf(current["user"])) {
    case "expired":
      throw new AuthError("reauthentication_required");
    case "limited":
      throw new ProviderRateLimited(60);
    case "stumble":
      yield [records[resource](payrunRemoteId ?? "")];
      crash();
      break;
    case "unmapped":
      yield [{ ...records[resource](payrunRemoteId ?? ""), bad: true }];
      break;
    case "broken":
      yield [
        {
          ...records[resource](payrunRemoteId ?? ""),
          remote_id: { text: mark("broken-id") },
          employee_remote_id: [mark("broken-employee")],
        },
      ];
      break;
    case "upstream":
      await askUpstream(context);
      break;
    case "slow":
      await context.clock.sleep(60_000, context.signal);
      break;
    default:
      yield [records[resource](payrunRemoteId ?? "")];
      yield [];
  }
}

/** A request to a closed port. All its parts contain a marker. */
async function askUpstream({ http }: ProviderContext): Promise<void> {
  const client = http("http://127.0.0.1:9", {});
  await client.request({
    url: `http://127.0.0.1:9/people/${mark("url-path")}?token=${mark("url-token")}`,
    headers: {
      authorization: `Bearer ${mark("outgoing-bearer")}`,
      "x-api-key": mark("outgoing-key"),
    },
    query: { name: mark("outgoing-query") },
  });
}

const address = {
  street_address: `${mark("street")} 1`,
  locality: mark("locality"),
  administrative_area: mark("area"),
  country: "DE",
  post_code: mark("post-code"),
};
const group = { remote_id: mark("group-id"), name: mark("group-name"), type: "team" };
const policy = {
  policy_remote_id: mark("policy-id"),
  policy_name: mark("policy-name"),
  policy_type: "sick",
};
const period = { start_date: "2026-01-01", end_date: "2026-01-31", payment_date: "2026-01-31" };
const line = { name: mark("payslip-line"), amount: Number(plainMarkers.grossPay) };

const records: Record<Resource, (payrunRemoteId: string) => Record<string, unknown>> = {
  company: () => ({
    remote_id: mark("company-id"),
    legal_name: mark("legal-name"),
    display_name: mark("company-name"),
    tax_id: mark("company-tax-id"),
    address,
  }),
  employees: () => ({
    remote_id: mark("employee-id"),
    employee_number: mark("employee-number"),
    first_name: `Zoë ${mark("first-name")}`,
    last_name: mark("last-name"),
    display_full_name: mark("full-name"),
    nationality: mark("nationality"),
    // Another title at every fetch, whichever process makes it, so that polls find a difference.
    job_title: `${mark("job-title")} ${process.hrtime.bigint()}`,
    work_email: `${mark("work-email")}@example.test`,
    personal_email: `${mark("personal-email").toLowerCase()}@example.test`,
    mobile_phone_number: mark("mobile"),
    tax_id: mark("tax-id"),
    gender: "female",
    date_of_birth: plainMarkers.dateOfBirth,
    employment_status: "active",
    start_date: plainMarkers.startDate,
    // Invalid values, which the service sets to null and counts.
    employment_type: mark("bad-employment-type"),
    termination_date: mark("bad-date"),
    avatar: `https://example.test/${mark("avatar")}.png`,
    home_location: address,
    work_location: {
      remote_id: mark("work-location-id"),
      name: mark("work-location-name"),
      type: "office",
      address,
    },
    manager: {
      remote_id: mark("manager-id"),
      first_name: mark("manager-first-name"),
      last_name: mark("manager-last-name"),
      work_email: `${mark("manager-email")}@example.test`,
    },
    bank_account: {
      account_number: mark("account-number"),
      bank_name: mark("bank-name"),
      bic: mark("bic"),
      holder_name: mark("holder-name"),
      iban: `DE02${mark("iban")}`,
      sort_code: mark("sort-code"),
    },
    employments: [
      {
        job_title: mark("employment-title"),
        effective_date: plainMarkers.startDate,
        pay_rate: Number(plainMarkers.payRate),
        pay_period: "YEAR",
        currency: "eur",
        notes: mark("employment-notes"),
        group_remote_id: mark("group-id"),
        group_name: mark("group-name"),
      },
    ],
    custom_fields: { [mark("custom-field-name")]: { nested: [mark("custom-field-value")] } },
    groups: [group],
    dependents: [{ name: mark("dependent"), relationship: mark("relationship") }],
    emergency_contacts: [
      {
        first_name: mark("contact-first-name"),
        last_name: mark("contact-last-name"),
        mobile_phone_number: mark("contact-phone"),
      },
    ],
  }),
  groups: () => group,
  payruns: () => ({ remote_id: mark("payrun-id"), state: "paid", type: "regular", ...period }),
  payslips: (payrunRemoteId) => ({
    remote_id: mark("payslip-id"),
    employee_remote_id: mark("employee-id"),
    payrun_remote_id: payrunRemoteId,
    currency: "eur",
    gross_pay: Number(plainMarkers.grossPay),
    net_pay: Number(plainMarkers.grossPay),
    ...period,
    earnings: [{ ...line, hours: 1 }],
    deductions: [line],
    taxes: [{ ...line, employer_tax: false }],
  }),
  timesheets: () => ({
    remote_id: mark("timesheet-id"),
    employee_remote_id: mark("employee-id"),
    start_time: "2026-01-05T08:00:00Z",
    end_time: "2026-01-05T16:00:00Z",
    hours_worked: 8,
  }),
  "time-off-entries": () => ({
    remote_id: mark("entry-id"),
    employee_remote_id: mark("employee-id"),
    start_date: "2026-01-05",
    end_date: "2026-01-06",
    amount: 2,
    unit: "days",
    employee_note: mark("employee-note"),
    ...policy,
  }),
  "time-off-balances": () => ({
    employee_remote_id: mark("employee-id"),
    balance: 3,
    used: 4,
    unit: "days",
    ...policy,
  }),
  "work-locations": () => ({
    remote_id: mark("work-location-id"),
    name: mark("work-location-name"),
    type: "office",
    address,
  }),
};

// oxlint-disable-next-line import/no-default-export
export default defineProvider({ apiVersion: 1, name: "marker", title: "Marker", modes: { xhr } });
