import type { z } from "zod";
import type { DatedResource, Identity, Mode, Resource, Translation } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { ProviderHttp } from "../platform/outbound/index.ts";
import type { DescribedField, DescribedTable } from "./described-field.ts";
import type { OAuth2Application, OAuth2Authorization, OAuth2SignIn } from "./oauth2-sign-in.ts";
import type { Recipe } from "./recipe.ts";
import type { SourceRecord } from "./source-records.ts";

/**
 * One upstream system. An adapter signs in, reads raw pages and maps them. The host renders the
 * form, stores the session sealed, limits every call, checks every record against the public model
 * and mints the ids.
 */
export interface ProviderDefinition {
  apiVersion: 1;
  /** Lower-case, as in links and in `GET /providers`. */
  name: string;
  title: string;
  /** Words by which a sign-in link narrows the choice of providers, such as `payroll` or `uk`. */
  tags?: readonly string[];
  modes: Partial<Record<Mode, ProviderMode>>;
  /**
   * The page about signing in to it: which rights are needed, what is read. A path of this service or an address with https.
   */
  guide?: string;
  /** Its data are invented. */
  isSimulated?: boolean;
  limits?: {
    /** The most reads of this provider that run at once, over all processes. 32 where nobody types its address. */
    concurrency?: number;
    /** How many requests the provider takes, by a name for each of its limits. */
    quotas?: Readonly<Record<string, Quota>>;
    /**
     * How long the provider wants us to wait after an answer, in seconds; undefined when the answer does not say it.
     * It is called for every answer. Without it, a 429 counts with its `Retry-After`, or with a pause that doubles.
     */
    waitSeconds?(answer: QuotaAnswer): number | undefined;
  };
  /**
   * The sentences of its forms, questions and messages in other languages, by the English ones. A part that is the same
   * in each language, such as a version, stands in both as `{version}`.
   */
  texts?: ProviderTexts;
}

export type ProviderTexts = Readonly<
  Partial<Record<Translation, Readonly<Record<string, string>>>>
>;

/** One limit of a provider, for each value that a request draws on, such as one tenant. */
interface Quota {
  perSecond?: number;
  perMinute?: number;
  perDay?: number;
  /** Requests at once. */
  atOnce?: number;
  /**
   * Several customers draw on the same value of it, such as our address. A refusal of one of them pauses the other
   * limits of that customer, and nobody else.
   */
  isShared?: boolean;
}

interface QuotaAnswer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  now: Date;
}

/**
 * The result of a sign-in: plain JSON with all that the adapter needs later, such as cookies or a
 * key.
 */
export type Session = Readonly<Record<string, unknown>>;

/** What a person typed into the form, by the names of its fields. */
export type FormValues = Readonly<Record<string, string>>;

export type SignInResult = { session: Session } | { challenge: SignInChallenge };

/**
 * The provider asks the person for more. `state` is plain JSON, which the host keeps sealed until the answer. The
 * `prompt` is the question to the person, in English, such as "Code from your authenticator app".
 */
export type SignInChallenge = { prompt: string; state: Session } & (
  | { kind: "otp" }
  | { kind: "text"; isSecret?: boolean }
  /** The answer is the value of one option. */
  | { kind: "choose"; options: readonly ChallengeOption[] }
  /** The person approves elsewhere, such as in an app. `resume` is called with an empty answer again and again. */
  | { kind: "wait"; everySeconds?: number }
);

interface ChallengeOption {
  value: string;
  /** Shown to the person as it is, such as the name of a company. */
  title: string;
}

/** Who signs in where, in one spelling, however it was typed. Attempts are counted by it. */
interface Account {
  /** For a provider whose address is typed. */
  origin?: string;
  tenant?: string;
  login: string;
}

/** Where a read or a list of changes goes on: plain JSON that the adapter made. It is kept sealed. */
export type Cursor = Readonly<Record<string, unknown>>;

/** What the person chose at the sign-in, by the names of the fields with `isSetting`. */
export type Settings = Readonly<Record<string, string>>;

/** Where the system answers, when the person types its address or a part of it. */
export interface TypedOrigin {
  /** The field of the form with the whole address, which has `isAddress`, or with a part of it, such as a subdomain. */
  field: string;
  /** Pure. The origin that the text stands for; null when it stands for none. */
  of(typed: string): string | null;
  /**
   * Looks whether the system is there, before `login` and without anything else that was typed. Throws a FieldError for
   * another system. What the network fails of, the host tells at the field.
   */
  probe?(context: ProbeContext, origin: string): Promise<FoundSystem>;
}

export type ProbeContext = Pick<ProviderContext, "clock" | "signal" | "http" | "log">;

/** The person reads the title of the provider and this version: digits with dots between them. */
export interface FoundSystem {
  version?: string;
  /** Why it cannot be read all the same, such as its version: the sentence at the field. */
  refusal?: string;
}

export interface ProviderMode {
  /**
   * True when the session contains what the person typed, such as an API key. The page tells them
   * so.
   */
  keepsSecret?: boolean;
  /**
   * A flat object of strings. `formField` makes each field, with its title and whether it is a
   * secret.
   */
  form: z.ZodObject;
  /** How an end user finds what the form asks for. */
  recipe?: Recipe;
  /** Of a system whose address, or a part of it, is a field of the form. */
  origin?: TypedOrigin;
  /** The person signs in on the provider's own page, after the form, which may be empty. */
  oauth2?: OAuth2SignIn;
  /** Sends a password at most once. Throws refusals: see `errors.ts`. */
  login(context: SignInContext, formValues: FormValues): Promise<SignInResult>;
  /** Required when `login` can return a challenge. */
  resume?(context: SignInContext, state: Session, answer: string): Promise<SignInResult>;
  /** Pure. Without it, every spelling of the form's values counts as an account of its own. */
  account?(formValues: FormValues): Account;
  /**
   * Pure. Names the account of a session as the provider itself tells accounts apart, such as by the number of its
   * user. Whoever signs in to it again sees and ends the accesses to it. Without it, `account` names it.
   */
  accountOfSession?(session: Session): readonly string[];
  /**
   * A new session for one that has ended or is about to. The host alone calls it, once for all who need it. It
   * throws AuthError `reauthentication_required` when only the person can sign in again.
   */
  refresh?(context: ProviderContext, session: Session): Promise<Session>;
  /** When the session ends, if the session says so. It is refreshed before that. */
  expiresAt?(session: Session): Date | undefined;
  /** Ends the session at the provider after a disconnect. */
  logOut?(context: LogOutContext, session: Session): Promise<void>;
  /**
   * Checks that the session works and lists what it cannot read. It runs at each sign-in: keep it
   * cheap.
   */
  check(context: CheckContext, session: Session): Promise<CheckResult>;
  identity(context: ProviderContext, session: Session): Promise<Identity>;
  /** A resource that is missing here is answered with 501. */
  resources: { readonly [R in Resource]?: ResourceReader<R> };
}

export interface CheckResult {
  /**
   * Resources that this account lacks, such as those of a module that is not installed; answered
   * with 501.
   */
  unsupported: readonly Resource[];
  /** Resources that this account may not read; answered with 401 `insufficient_permission`. */
  forbidden?: readonly Resource[];
  /** Fields that this account may not read, by resource; null in every record or in some. */
  limited?: Readonly<Partial<Record<Resource, readonly string[]>>>;
}

export interface ResourceReader<R extends Resource = Resource> {
  /** Yields raw pages. The fetch is complete only when the generator returns. */
  fetch(
    context: ReadContext,
    session: Session,
    parameters: FetchParameters<R>,
  ): AsyncIterable<Page<unknown>>;
  /**
   * Yields what is new since a full read, and since the last changes, said where to continue. A full read once a day
   * corrects it, unless `changesRereadAll` is set, and follows at once when this throws OperationNotSupported, such as
   * for a cursor that the provider has forgotten. For employees.
   */
  changes?(
    context: ReadContext,
    session: Session,
    since: Cursor,
  ): AsyncIterable<ChangedPage<unknown>>;
  /** `changes` names who was removed, in each case. Without it, a full read has the last word. */
  changesNameRemovals?: boolean;
  /**
   * `changes` gives everybody over again in time, changed or not. Then no full read follows a day later.
   */
  changesRereadAll?: boolean;
  /** Pages are counted by an offset, so that a deletion while they are read can hide a record. */
  isPagedByOffset?: boolean;
  /** Pure. Null leaves the record out. */
  map(raw: never, context: MapContext<R>): SourceRecord<R> | null;
  /** Where each field of a record comes from. A table of the kit tells it. */
  fields?(): readonly DescribedField[];
}

/** Raw records, and where the read can go on after them. */
export type Page<Raw> = readonly Raw[] | { records: readonly Raw[]; cursor: Cursor };

export interface ChangedPage<Raw> {
  changed: readonly Raw[];
  /** The provider's ids of those who are gone. */
  removed?: readonly string[];
  /**
   * The provider's ids of all who are there still, where it lists them: who else is in the stored list is gone. Those
   * of several pages are one list.
   */
  present?: readonly string[];
}

/** What a read of the resource is asked for: always all of it, and nothing else. */
export type FetchParameters<R extends Resource = Resource> = R extends DatedResource
  ? OfDays
  : R extends "payslips"
    ? OfPayrun
    : OfNothing;

interface OfDays {
  /**
   * Both days included. The host drops what is outside: a pay run by its payment date, or without one by the days of its
   * period; a timesheet by the day, in UTC, on which it starts; a time off entry by all of its days.
   */
  range: DateRange;
  payrunRemoteId?: undefined;
}

interface OfPayrun {
  /** The provider's id of the pay run. */
  payrunRemoteId: string;
  range?: undefined;
}

interface OfNothing {
  range?: undefined;
  payrunRemoteId?: undefined;
}

export interface DateRange {
  /** YYYY-MM-DD */
  start: string;
  end: string;
}

export interface MapContext<R extends Resource = Resource> {
  /** YYYY-MM-DD, UTC. */
  today: string;
  parameters: FetchParameters<R>;
  /** Hears of a value that could not be read: where it stands, and the field of our record that is null for it. */
  onUnreadable?(path: string, field: string): void;
}

export interface ProviderContext {
  clock: Clock;
  /** Aborts when the fetch has to end. Pass it to everything that waits. */
  signal: AbortSignal;
  /**
   * A client for one origin. It refuses other hosts, private addresses and redirects.
   * `cookies` is an earlier result of `exportCookies`. `draws` names the quotas that each request counts
   * against, each with the value that it is counted by, such as the tenant. `maxBytes` raises the limit of one
   * answer as far as the host allows.
   */
  http(
    origin: string,
    options?: { cookies?: string; draws?: Readonly<Record<string, string>>; maxBytes?: number },
  ): ProviderHttp;
  log: ProviderLog;
  /** Of a mode with `oauth2`: the operator's application. */
  application?: OAuth2Application;
  /** Replaces the stored session, for providers that rotate cookies or keys. */
  saveSession(session: Session): void;
}

export interface LogOutContext extends ProviderContext {
  /**
   * Another connection was made by signing in to the same account. Leave alone what both have at the provider, such as
   * its approval of the application.
   */
  isAccountInUse: boolean;
}

export interface ReadContext extends ProviderContext {
  settings: Settings;
  /** The cursor of the last page of this read that is kept. Undefined when the read begins. */
  cursor: Cursor | undefined;
  /**
   * Runs the work with the newest session. When the work throws AuthError `reauthentication_required` and the mode
   * has `refresh`, the session is refreshed and the work runs once more.
   */
  withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /**
   * False for a field of this resource that the client does not want to have, such as `bank_account`: leave it out of
   * what is asked for, where the request names fields or is for it alone. Its value in a record is dropped in any case,
   * but not what an adapter puts into `custom_fields`.
   */
  isWanted(field: string): boolean;
  /** Fields of this resource that the account may not read. Each read says it anew. */
  limited(fields: readonly string[]): void;
  /** Where `changes` goes on next time. Without it there is a full read each time. */
  continueFrom(since: Cursor): void;
}

export interface SignInContext extends ProviderContext {
  /** The resources that will be read, so that a missing right is refused at the sign-in. */
  resources: readonly Resource[];
  /**
   * In a re-authentication, the session that it replaces. An account of another company has to be
   * refused.
   */
  previousSession?: Session;
  /** Of a mode with `oauth2`: what the provider gave. */
  authorization?: OAuth2Authorization;
}

export interface CheckContext extends SignInContext {
  /** What may be read can depend on what the person chose. */
  settings: Settings;
}

/** Log only ids, counts and enumerated words. */
export interface ProviderLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Returns the definition as it is, with its type. */
export function defineProvider(definition: ProviderDefinition): ProviderDefinition {
  return definition;
}

/** What `defineReader` takes, in the types of the adapter's own raw records. */
interface DefinedReader<R extends Resource, Raw> {
  fetch(
    context: ReadContext,
    session: Session,
    parameters: FetchParameters<R>,
  ): AsyncIterable<Page<Raw>>;
  changes?(context: ReadContext, session: Session, since: Cursor): AsyncIterable<ChangedPage<Raw>>;
  changesNameRemovals?: boolean;
  changesRereadAll?: boolean;
  isPagedByOffset?: boolean;
  map(raw: Raw, context: MapContext<NoInfer<R>>): SourceRecord<R> | null;
}

/** A table that makes the records, such as `defineFields` gives. */
interface RecordTable<R extends Resource> extends DescribedTable {
  map(raw: unknown, context: MapContext<R>): SourceRecord<R>;
}

type GivenReader<R extends Resource, Raw> =
  | (Omit<DefinedReader<R, Raw>, "map"> & { table: RecordTable<R>; map?: undefined })
  | (DefinedReader<R, Raw> & { table?: RecordTable<R> | readonly RecordTable<R>[] });

/**
 * Returns the reader as it is. Only the adapter knows the type of its raw records. `table` makes its records, unless
 * `map` does with the help of it, and says where their fields come from.
 */
export function defineReader<R extends Resource, Raw>({
  table,
  ...reader
}: GivenReader<R, Raw>): ResourceReader<R> {
  if (table === undefined) return reader as DefinedReader<R, Raw>;
  const tables = [table].flat() as readonly RecordTable<R>[];
  return {
    ...reader,
    map: reader.map ?? mapBy(tables),
    fields: () => tables.flatMap(({ described }) => described),
  };
}

function mapBy<R extends Resource>([table]: readonly RecordTable<R>[]): RecordTable<R>["map"] {
  if (!table) throw new TypeError("a reader has `map` or a `table`");
  return (raw, context) => table.map(raw, context);
}
