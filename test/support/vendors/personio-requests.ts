// What Personio takes, written by hand: its own description has no licence.
import type { IncomingHttpHeaders } from "node:http";

interface Received {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Endpoint {
  query?: Readonly<Record<string, RegExp>>;
  required?: readonly string[];
  isBeta?: boolean;
  /** The fields of the form that is posted. */
  form?: readonly string[];
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const number = /^\d+$/;
const upToFifty = /^([1-9]|[1-4]\d|50)$/;
const upToHundred = /^([1-9]\d?|100)$/;
const upToTwoHundred = /^([1-9]\d?|1\d\d|200)$/;
const cursor = /^.+$/;
const ofCursorList = { limit: upToHundred, cursor };
const ofOffsetList = { limit: upToTwoHundred, offset: number };
const ofDays = { ...ofOffsetList, start_date: day, end_date: day };

const endpoints: Readonly<Record<string, Endpoint>> = {
  "POST /v1/auth": { form: ["client_id", "client_secret"] },
  "POST /v2/auth/token": { form: ["grant_type", "client_id", "client_secret"] },
  "GET /v1/company/employees": {
    query: {
      limit: upToHundred,
      offset: number,
      updated_since: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/,
    },
  },
  "GET /v1/company/employees/attributes": {},
  "GET /v1/company/employees/N/absences/balance": {},
  "GET /v1/company/time-off-types": { query: ofOffsetList },
  "GET /v1/company/time-offs": { query: ofDays },
  "GET /v1/company/absence-periods": { query: ofDays },
  "GET /v2/legal-entities": { query: ofCursorList },
  "GET /v2/org-units": {
    query: { ...ofCursorList, type: /^(department|team)$/ },
    required: ["type"],
    isBeta: true,
  },
  "GET /v2/cost-centers": { query: ofCursorList, isBeta: true },
  "GET /v2/workplaces": { query: ofCursorList, isBeta: true },
  "GET /v2/persons": { query: { limit: upToFifty, cursor, id: /^\d+(,\d+)*$/ } },
  "GET /v2/persons/N/employments": { query: { limit: upToFifty, cursor } },
  "GET /v2/compensations": { query: { ...ofCursorList, "person.id": /^\d+$/ } },
  "GET /v2/attendance-periods": {
    query: { ...ofCursorList, "attribution_date.gte": day, "attribution_date.lte": day },
    required: ["attribution_date.gte", "attribution_date.lte"],
  },
};

/** Of every request. `host` and the like are the client's. */
const headersOfAll = new Set(
  "x-personio-partner-id x-personio-app-id accept accept-encoding user-agent host connection "
    .concat("content-length content-type authorization beta")
    .split(" "),
);

/** What a request has that Personio does not name, and what it lacks. Without values: they may be secrets. */
export function describeViolations({ method, path, query, headers, body }: Received): string[] {
  const name = `${method} ${path.replace(/\/\d+\//, "/N/")}`;
  const endpoint = endpoints[name];
  if (!endpoint) return [`there is no ${name}`];
  return [
    ...describeQuery(endpoint, query),
    ...describeHeaders(endpoint, headers),
    ...describeBody(endpoint, body),
  ].map((violation) => `${name}: ${violation}`);
}

function describeQuery({ query: known = {}, required = [] }: Endpoint, query: Received["query"]) {
  const wrong = Object.entries(query).filter(([key, value]) => !known[key]?.test(value));
  const missing = required.filter((key) => query[key] === undefined);
  return [...wrong.map(([key]) => key), ...missing].map((key) => `the parameter ${key}`);
}

function describeHeaders({ isBeta = false, form }: Endpoint, headers: IncomingHttpHeaders) {
  const unknown = Object.keys(headers).filter((header) => !headersOfAll.has(header));
  const application = ["x-personio-partner-id", "x-personio-app-id"].filter(
    (header) => !/^[A-Z]+(_[A-Z]+)*$/.test(String(headers[header])),
  );
  const isAsked = form === undefined;
  const rules: [header: string, isRight: boolean][] = [
    ["beta", (headers["beta"] === "true") === isBeta],
    ["authorization", (headers.authorization ?? "").startsWith("Bearer ") === isAsked],
    ["content-type", headers["content-type"] === (isAsked ? undefined : formType)],
  ];
  const wrong = rules.filter(([, isRight]) => !isRight).map(([header]) => header);
  return [...unknown, ...application, ...wrong].map((header) => `the header ${header}`);
}

const formType = "application/x-www-form-urlencoded";

function describeBody({ form }: Endpoint, body: string): string[] {
  if (!form) return body === "" ? [] : ["a body"];
  const fields = [...new URLSearchParams(body).keys()];
  return fields.toSorted().join() === form.toSorted().join() ? [] : ["the fields of the form"];
}
