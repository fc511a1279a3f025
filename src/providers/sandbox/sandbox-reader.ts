import { utcDay } from "../../platform/clock.ts";
import { setImmediate } from "node:timers/promises";
import { withoutFields, type Resource } from "../../model/index.ts";
import {
  defineReader,
  type FetchParameters,
  type ProviderContext,
  type ReadContext,
  type ResourceReader,
  type Session,
} from "../contract.ts";
import { AuthError, OperationNotSupported, ProviderDown, ProviderRateLimited } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { keepRequired } from "./required-fields.ts";
import type { Company } from "./roster.ts";
import { readSession, type SetRecords } from "./session.ts";
import { rightsOf, scenarioOf } from "./sign-in.ts";

type ListRecords<R extends Resource> = (
  company: Company,
  parameters: FetchParameters<R>,
  set: SetRecords,
) => Iterable<SourceRecord<R>>;

/** They are of people: those of the scenario are not there when others were set. */
const ofPeople: ReadonlySet<Resource> = new Set([
  "payslips",
  "timesheets",
  "time-off-entries",
  "time-off-balances",
]);

/**
 * Reads one resource as the scenario defines it, or as it was set. The simulated system uses our shapes: nothing is
 * mapped.
 */
export function sandboxReader<R extends Resource>(
  resource: R,
  list: ListRecords<R>,
): ResourceReader<R> {
  return defineReader<R, SourceRecord<R>>({
    async *fetch(context, session, parameters) {
      const { pageSize } = scenarioOf(session);
      await admitFetch(context, session, resource);
      const hidden = hiddenFields(context, session, resource);
      const records = listRecords(context, session, { resource, list, parameters });
      for (const page of pagesOf(records, pageSize)) {
        yield page.map((record) => withoutFields(record, hidden));
        await setImmediate();
        context.signal.throwIfAborted();
      }
      forgetLimit(context, session);
    },
    map: (record) => record,
  });
}

/** The host drops what was set for other days. */
function* listRecords<R extends Resource>(
  context: ReadContext,
  session: Session,
  {
    resource,
    list,
    parameters,
  }: { resource: R; list: ListRecords<R>; parameters: FetchParameters<R> },
): Generator<SourceRecord<R>> {
  const { size, hasRequiredFieldsOnly } = scenarioOf(session);
  const { hour, records: set = {} } = readSession(session);
  const own = (set as { [Name in Resource]?: readonly SourceRecord<Name>[] })[resource];
  if (own) return yield* own.filter((record) => isAskedFor(record, parameters));
  if (!size || (set.employees && ofPeople.has(resource))) return;
  const company = { ...size, today: utcDay(context.clock.now()), hour };
  for (const record of list(company, parameters, set))
    yield hasRequiredFieldsOnly ? keepRequired(resource, record) : record;
}

function isAskedFor(record: object, { payrunRemoteId }: FetchParameters): boolean {
  return (
    payrunRemoteId === undefined ||
    (record as { payrun_remote_id?: string }).payrun_remote_id === payrunRemoteId
  );
}

/** Fields that the account may not read. */
function hiddenFields(
  context: ReadContext,
  session: Session,
  resource: Resource,
): readonly string[] {
  if (resource !== "employees") return [];
  const { limited } = rightsOf(session);
  if (limited.length > 0) context.limited(limited);
  return limited;
}

async function admitFetch(
  context: ProviderContext,
  session: Session,
  resource: Resource,
): Promise<void> {
  const { latencyMs, fetchRefusal, isDown, unsupported, waitSeconds } = scenarioOf(session);
  await context.clock.sleep(latencyMs, context.signal);
  const refusal = readSession(session).failure ?? fetchRefusal;
  if (refusal) throw new AuthError(refusal);
  if (isDown) throw new ProviderDown("the simulated system is down");
  if (unsupported.includes(resource))
    throw new OperationNotSupported("the simulated system has no payroll");
  if (rightsOf(session).forbidden.includes(resource))
    throw new AuthError("insufficient_permission");
  if (waitSeconds !== undefined) refuseFirst(context, session, waitSeconds);
}

/**
 * Refuses a fetch and all others until the wait is over. Only the session remembers the refusal.
 */
function refuseFirst(context: ProviderContext, session: Session, waitSeconds: number): void {
  const nowMs = context.clock.now().getTime();
  const { limitedAtMs } = readSession(session);
  if (limitedAtMs === undefined) context.saveSession({ ...session, limitedAtMs: nowMs });
  const remainingSeconds = Math.ceil(((limitedAtMs ?? nowMs) - nowMs) / 1_000 + waitSeconds);
  if (remainingSeconds > 0) throw new ProviderRateLimited(remainingSeconds);
}

/** After a success the next fetch is refused again. */
function forgetLimit(context: ProviderContext, session: Session): void {
  const { limitedAtMs, ...rest } = session;
  if (limitedAtMs !== undefined) context.saveSession(rest);
}

function* pagesOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let page: Item[] = [];
  for (const item of items) {
    page.push(item);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
