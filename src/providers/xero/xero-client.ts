import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { ProviderContext, ReadContext } from "../contract.ts";
import { AuthError, OperationNotSupported, ProviderBug } from "../errors.ts";
import { toRecord, toText, type XeroRecord } from "./field-values.ts";
import { drawsOf } from "./rate-limits.ts";
import { listTenants } from "./tenants.ts";
import { parseSession, type XeroSession } from "./xero-session.ts";

type Response = Awaited<ReturnType<ProviderHttp["request"]>>;
type Query = Readonly<Record<string, string | number | undefined>>;

const apiOrigin = "https://api.xero.com";
const payrollPath = "/payroll.xro/2.0";
const accountingPath = "/api.xro/2.0";

export interface XeroAnswer {
  body: XeroRecord;
  /** How many requests Xero takes for this organisation today; undefined when it does not say it. */
  dayRequestsLeft: number | undefined;
}

/** One request for one organisation. Null for what is not there. */
async function ask(
  context: Pick<ProviderContext, "http">,
  session: XeroSession,
  path: string,
  query: Query = {},
): Promise<XeroAnswer | null> {
  const http = context.http(apiOrigin, { draws: drawsOf(session.tenantId) });
  const response = await http.request({
    url: `${apiOrigin}${path}`,
    query,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${session.accessToken}`,
      "xero-tenant-id": session.tenantId,
    },
  });
  if (response.status === 404) return null;
  if (response.status !== 200) throw await explainRefusal(context, session, response);
  const body = toRecord(response.json());
  if (!body) throw new ProviderBug("Xero answered with something else than an object");
  if ((body["problem"] ?? null) !== null) throw new ProviderBug("Xero answered 200 with a problem");
  return { body, dayRequestsLeft: readDayRequestsLeft(response) };
}

/** Outside of a read. An organisation without UK payroll has no such path. */
export async function askPayroll(
  context: Pick<ProviderContext, "http">,
  session: XeroSession,
  path: string,
): Promise<XeroAnswer> {
  return requireFound(await ask(context, session, payrollPath + path));
}

/** The organisation, as accounting has it. */
export async function askOrganisation(
  context: Pick<ProviderContext, "http">,
  session: XeroSession,
): Promise<XeroAnswer> {
  return requireFound(await ask(context, session, `${accountingPath}/Organisation`));
}

/** With the newest session of a read. */
export async function readPayroll(
  context: ReadContext,
  path: string,
  query?: Query,
): Promise<XeroAnswer> {
  return requireFound(await findPayroll(context, path, query));
}

/** Null when there is no such record. */
export async function findPayroll(
  context: ReadContext,
  path: string,
  query?: Query,
): Promise<XeroAnswer | null> {
  return await context.withSession((session) =>
    ask(context, parseSession(session), payrollPath + path, query),
  );
}

function requireFound(answer: XeroAnswer | null): XeroAnswer {
  if (!answer) throw new OperationNotSupported("the organisation has no such path at Xero");
  return answer;
}

/** Only the words of a refusal are read, because the rest may name people. */
async function explainRefusal(
  context: Pick<ProviderContext, "http">,
  session: XeroSession,
  response: Response,
): Promise<Error> {
  const { status } = response;
  const isRefused = status === 401 || status === 403;
  if (isRefused && readDetail(response).startsWith("authorizationunsuccessful"))
    return new AuthError("insufficient_permission");
  if (status === 401) return new AuthError("reauthentication_required");
  if (status !== 403) return new ProviderBug(`Xero answered with ${status}`);
  // The organisation was disconnected, or the person lost their role in it: its status is the same.
  const tenants = await listTenants(context, session.accessToken, {
    draws: drawsOf(session.tenantId),
  });
  const isConnected = tenants.some(({ tenantId }) => tenantId === session.tenantId);
  return new AuthError(isConnected ? "insufficient_permission" : "reauthentication_required");
}

/** Xero writes the names of an error's fields in small letters or with a capital. */
function readDetail(response: Response): string {
  try {
    const body = toRecord(response.json()) ?? {};
    const field = Object.keys(body).find((name) => name.toLowerCase() === "detail") ?? "";
    return (toText(body, field) ?? "").toLowerCase();
  } catch {
    return "";
  }
}

function readDayRequestsLeft({ headers }: Response): number | undefined {
  const left = headers["x-daylimit-remaining"] ?? "";
  return /^\d{1,9}$/.test(left) ? Number(left) : undefined;
}
