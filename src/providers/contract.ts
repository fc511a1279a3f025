import type { z } from "zod";
import type { Identity, Mode, Resource } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { ProviderHttp } from "../platform/outbound/index.ts";
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
  limits?: {
    /** The most reads of this provider that run at once, over all processes. */
    concurrency?: number;
  };
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
 * The provider asks for a second factor. `state` is plain JSON, which the host keeps sealed until
 * the person answers.
 */
export interface SignInChallenge {
  kind: "otp";
  /** The question to the person, in English, such as "Code from your authenticator app". */
  prompt: string;
  state: Session;
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
  /** Sends a password at most once. Throws refusals: see `errors.ts`. */
  login(context: SignInContext, formValues: FormValues): Promise<SignInResult>;
  /** Required when `login` can return a challenge. */
  resume?(context: SignInContext, state: Session, otp: string): Promise<SignInResult>;
  /**
   * Checks that the session works and lists what it cannot read. It runs at each sign-in: keep it
   * cheap.
   */
  check(context: ProviderContext, session: Session): Promise<CheckResult>;
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
}

export interface ResourceReader<R extends Resource = Resource> {
  /** Yields raw pages. The fetch is complete only when the generator returns. */
  fetch(
    context: ProviderContext,
    session: Session,
    parameters: FetchParameters,
  ): AsyncIterable<readonly unknown[]>;
  /** Pure. Null leaves the record out. */
  map(raw: never, context: MapContext): SourceRecord<R> | null;
}

export interface FetchParameters {
  /**
   * For payruns, timesheets and time off entries: both days included. The host drops records
   * outside it.
   */
  range?: DateRange;
  /** For payslips: the provider's id of the pay run. */
  payrunRemoteId?: string;
}

export interface DateRange {
  /** YYYY-MM-DD */
  start: string;
  end: string;
}

export interface MapContext {
  /** YYYY-MM-DD, UTC. */
  today: string;
  parameters: FetchParameters;
}

export interface ProviderContext {
  clock: Clock;
  /** Aborts when the fetch has to end. Pass it to everything that waits. */
  signal: AbortSignal;
  /**
   * A client for one origin. It refuses other hosts, private addresses and redirects.
   * `cookies` is an earlier result of `exportCookies`.
   */
  http(origin: string, options?: { cookies?: string }): ProviderHttp;
  log: ProviderLog;
  /** Replaces the stored session, for providers that rotate cookies or keys. */
  saveSession(session: Session): void;
}

export interface SignInContext extends ProviderContext {
  /** The resources that will be read, so that a missing right is refused at the sign-in. */
  resources: readonly Resource[];
  /**
   * In a re-authentication, the session that it replaces. An account of another company has to be
   * refused.
   */
  previousSession?: Session;
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

/** Returns the reader as it is. Only the adapter knows the type of its raw records. */
export function defineReader<R extends Resource, Raw>(reader: {
  fetch(
    context: ProviderContext,
    session: Session,
    parameters: FetchParameters,
  ): AsyncIterable<readonly Raw[]>;
  map(raw: Raw, context: MapContext): SourceRecord<R> | null;
}): ResourceReader<R> {
  return reader;
}
