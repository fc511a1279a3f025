import { utcDay } from "../../platform/clock.ts";
import { setImmediate } from "node:timers/promises";
import type { Resource } from "../../model/index.ts";
import {
  defineReader,
  type FetchParameters,
  type ProviderContext,
  type ResourceReader,
  type Session,
} from "../contract.ts";
import { AuthError, OperationNotSupported, ProviderDown, ProviderRateLimited } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { keepRequired } from "./required-fields.ts";
import type { Company } from "./roster.ts";
import { readSession } from "./session.ts";
import { scenarioOf } from "./sign-in.ts";

type ListRecords<R extends Resource> = (
  company: Company,
  parameters: FetchParameters<R>,
) => Iterable<SourceRecord<R>>;

/**
 * Reads one resource as the scenario defines it. The simulated system uses our shapes: nothing is
 * mapped.
 */
export function sandboxReader<R extends Resource>(
  resource: R,
  list: ListRecords<R>,
): ResourceReader<R> {
  return defineReader<R, SourceRecord<R>>({
    async *fetch(context, session, parameters) {
      const { size, pageSize, hasRequiredFieldsOnly } = scenarioOf(session);
      await admitFetch(context, session, resource);
      if (size) {
        const company = {
          ...size,
          today: utcDay(context.clock.now()),
          hour: readSession(session).hour,
        };
        for (const page of pagesOf(list(company, parameters), pageSize)) {
          yield hasRequiredFieldsOnly ? page.map((record) => keepRequired(resource, record)) : page;
          await setImmediate();
          context.signal.throwIfAborted();
        }
      }
      forgetLimit(context, session);
    },
    map: (record) => record,
  });
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
