// What the description of Staffology of July 2026 allows in a request, for the operations that the adapter uses. The
// description has no licence, so nothing of it is kept here but the names of paths, parameters and values.

interface Operation {
  path: RegExp;
  /** Of each query parameter. */
  query?: Readonly<Record<string, RegExp>>;
}

const id = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const taxYear = "Year20(?:1[7-9]|2[0-6])";
const payPeriod =
  "(?:Custom|HalfYearly|Quarterly|Monthly|FourWeekly|Fortnightly|Weekly|Daily|Annual)";
const count = /^\d+$/;
const truth = /^(?:true|false)$/;
const pages = { pageNum: count, pageSize: count };

const described: Readonly<Record<string, readonly Operation[]>> = {
  GET: [
    { path: /^\/account$/ },
    {
      path: /^\/employers$/,
      query: { ...pages, employerListType: /^(?:Owned|FromOthers|Support|Archived)$/ },
    },
    { path: new RegExp(`^/employers/${id}$`) },
    {
      path: new RegExp(`^/employers/${id}/employees$`),
      query: { ...pages, status: /^(?:Current|Former|Upcoming)$/ },
    },
    { path: new RegExp(`^/employers/${id}/employees/${id}$`) },
    { path: new RegExp(`^/employers/${id}/employees/${id}/leave(?:/${id})?$`) },
    { path: new RegExp(`^/employers/${id}/(?:departments|costcentres)$`) },
    { path: new RegExp(`^/employers/${id}/paycodes$`), query: { verbose: truth } },
    { path: new RegExp(`^/employers/${id}/schedules/${taxYear}$`) },
    {
      path: new RegExp(`^/employers/${id}/payrun/${taxYear}/${payPeriod}/\\d+$`),
      query: { ...pages, ordinal: count, version: count, rolledBackOnly: truth },
    },
    {
      path: new RegExp(`^/employers/${id}/payrun/${taxYear}/${payPeriod}/\\d+/${id}$`),
      query: { ordinal: count, differenceOnly: truth },
    },
  ],
  POST: [{ path: new RegExp(`^/employers/${id}/employees/list$`) }],
};

export function findViolations(request: {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
}): string[] {
  const { method, path, query, body } = request;
  const operation = described[method]?.find((one) => one.path.test(path));
  if (!operation) return [`${method} ${path} is not described`];
  const { query: allowed = {} } = operation;
  const wrong = Object.entries(query).filter(([name, value]) => !allowed[name]?.test(value));
  const violations = wrong.map(([name, value]) => `${method} ${path}: ${name}=${value}`);
  if (method === "POST" && !isListOfIds(body)) violations.push(`${method} ${path}: the body`);
  return violations;
}

function isListOfIds(body: unknown): boolean {
  const pattern = new RegExp(`^${id}$`);
  return Array.isArray(body) && body.every((one) => typeof one === "string" && pattern.test(one));
}
