import { hasDates, type Resource } from "../model/index.ts";
import type {
  ChangedPage,
  FetchParameters,
  MapContext,
  ResourceReader,
  Cursor,
  Page,
  ProviderContext,
  ProviderMode,
  ReadContext,
  Session,
  Settings,
} from "./contract.ts";
import { AuthError, isProviderFailure, ProviderBug } from "./errors.ts";
import { readExpiry, requireFields } from "./require-given.ts";

/** The newest session of a connection, for everybody who uses it. */
export interface SessionSource {
  current(): Session;
  /** A session that is newer than this one, which has ended or is about to. */
  renew(ended: Session): Promise<Session>;
}

/** What a read has besides the session, and whom it tells. */
export interface ReadCall {
  settings?: Settings;
  /** Fields of the resource that are not wanted. */
  fieldsOff?: readonly string[];
  cursor?: Cursor | undefined;
  /** With it, only what changed since is read, when the adapter can tell. */
  since?: Cursor | undefined;
  /** By default the session of the call, which nobody renews. */
  sessions?: SessionSource | undefined;
  onLimited?: (fields: readonly string[]) => void;
  onContinueFrom?: (since: Cursor) => void;
  /** Called with each field of a record that the contract does not have. */
  onUnknown?: (field: string) => void;
  /** Called with each field that is null because its value could not be read. */
  onNulled?: (field: string) => void;
}

/** A session that ends within this time is renewed before it is used. */
const renewBeforeMs = 60_000;

export function createReadContext(
  context: ProviderContext,
  mode: Pick<ProviderMode, "refresh" | "expiresAt">,
  {
    resource,
    session,
    settings = {},
    fieldsOff = [],
    cursor,
    sessions = fixed(session),
    onLimited,
    onContinueFrom,
  }: ReadCall & { resource: Resource; session: Session },
): ReadContext {
  return {
    ...context,
    settings,
    isWanted: (field) => {
      requireFields(resource, [field], "`context.isWanted`");
      return !fieldsOff.includes(field);
    },
    cursor,
    limited: (fields) => {
      requireFields(resource, fields, "`context.limited`");
      onLimited?.(fields);
    },
    continueFrom: (since) => onContinueFrom?.(since),
    withSession: async (work) => {
      const usable = await usableSession(context, mode, sessions);
      try {
        return await work(usable);
      } catch (error) {
        if (!mode.refresh || !isSessionEnded(error)) throw error;
        return await work(await sessions.renew(usable));
      }
    },
  };
}

/** Reads everything, or what changed since when the call says so and the adapter can tell. */
export function startReading(
  reader: ResourceReader,
  context: ReadContext,
  { session, parameters, since }: ReadCall & { session: Session; parameters: FetchParameters },
): AsyncIterable<Page<unknown> | ChangedPage<unknown>> {
  return since && reader.changes
    ? requirePages(reader.changes(context, session, since), "changes")
    : requirePages(reader.fetch(context, session, parameters), "fetch");
}

/** Throws ProviderBug for what is no generator of pages, such as the promise of an async function. */
export function requirePages<Pages>(
  given: AsyncIterable<Pages>,
  name: "fetch" | "changes",
): AsyncIterable<Pages> {
  const pages = given as Partial<AsyncIterable<Pages>> | null | undefined;
  if (typeof pages?.[Symbol.asyncIterator] === "function") return given;
  // What such a function throws later has nobody else who waits for it.
  Promise.resolve(given).catch(() => undefined);
  throw new ProviderBug(
    `\`${name}\` has to be an async generator: write \`async *${name}(…)\` and \`yield\` each page`,
  );
}

interface OpenedPage {
  raw: readonly unknown[];
  cursor?: Cursor;
  removed?: readonly string[];
  present?: readonly string[];
}

/** The records of a page, and what else it says. Throws ProviderBug for anything else. */
export function openPage(page: Page<unknown> | ChangedPage<unknown>): OpenedPage {
  if (isList(page)) return { raw: page };
  if (typeof page === "object" && page !== null && "changed" in page && isList(page.changed))
    return {
      raw: page.changed,
      removed: [...(page.removed ?? [])].map(String),
      ...(page.present && { present: [...page.present].map(String) }),
    };
  if (typeof page !== "object" || page === null || !("records" in page) || !isList(page.records))
    throw new ProviderBug("the adapter gave a page that is no list");
  return { raw: page.records, cursor: page.cursor };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

async function usableSession(
  { clock }: ProviderContext,
  mode: Pick<ProviderMode, "refresh" | "expiresAt">,
  sessions: SessionSource,
): Promise<Session> {
  const session = sessions.current();
  const expiresAt = mode.refresh && readExpiry(mode, session);
  const isEnding = expiresAt && expiresAt.getTime() - clock.now().getTime() < renewBeforeMs;
  return isEnding ? await sessions.renew(session) : session;
}

function isSessionEnded(error: unknown): boolean {
  return (
    isProviderFailure(error) && error.kind === "auth" && error.code === "reauthentication_required"
  );
}

function fixed(session: Session): SessionSource {
  return {
    current: () => session,
    renew: () => Promise.reject(new AuthError("reauthentication_required")),
  };
}

/** What the mapping of records gets: of the parameters, those of the resource. Throws when they are not given. */
export function createMapContext<R extends Resource>({
  resource,
  today,
  parameters,
  onNulled,
}: Pick<ReadCall, "onNulled"> & {
  resource: R;
  today: string;
  parameters: FetchParameters;
}): MapContext<R> {
  return {
    today,
    parameters: chooseParameters(resource, parameters) as FetchParameters<R>,
    onUnreadable: (_path, field) => onNulled?.(field),
  };
}

function chooseParameters(resource: Resource, given: FetchParameters): object {
  const { range, payrunRemoteId } = given;
  const own = {
    ...(hasDates(resource) && { range }),
    ...(resource === "payslips" && { payrunRemoteId }),
  };
  const missing = Object.entries(own).find(([, value]) => value === undefined);
  if (missing) throw new Error(`a read of ${resource} is asked for without its ${missing[0]}`);
  return own;
}
