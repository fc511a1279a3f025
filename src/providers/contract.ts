import type { z } from "zod";
import type { Identity, Mode, RecordOf, Resource } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { ProviderHttp } from "../platform/outbound/index.ts";
import type { SourceRecord } from "./source-records.ts";

/**
 * One upstream system. The host renders the form, keeps the session sealed, runs every call with bounds, checks every record
 * against the public model and mints the ids; an adapter signs in, reads raw pages and maps them.
 */
export interface ProviderDefinition {
  apiVersion: 1;
  /** Lower-case, as in links and in `GET /providers`. */
  name: string;
  title: string;
  /** Words that a sign-in link can narrow the choice by, such as `payroll` or `uk`. */
  tags?: readonly string[];
  modes: Partial<Record<Mode, ProviderMode>>;
  limits?: {
    /** Most fetches of this provider that one worker process runs at once. */
    concurrency?: number;
  };
}

/** What a sign-in leaves behind: plain JSON with whatever the adapter needs later, such as cookies or a key. */
export type Session = Readonly<Record<string, unknown>>;

export type SignInResult = { session: Session } | { challenge: SignInChallenge };

/** The provider asks for more than the form held. `state` is plain JSON; the host keeps it sealed until the answer comes. */
export interface SignInChallenge {
  kind: "otp";
  /** What to ask the person for, in English, such as "Code from your authenticator app". */
  prompt: string;
  state: Session;
}

export interface ProviderMode {
  /** True when the session is what was typed, such as an API key. The page says so to the person who types it. */
  keepsSecret?: boolean;
  /** Flat; every field is a string to the person who types it. Its `meta` titles the field and marks secrets: see `formField`. */
  form: z.ZodObject;
  /** Never tries a password twice. Refusals are thrown: see `errors.ts` beside this file. */
  login(context: SignInContext, form: Record<string, string>): Promise<SignInResult>;
  /** Present when `login` can answer with a challenge. */
  resume?(context: SignInContext, state: Session, answer: string): Promise<SignInResult>;
  /** Cheap; run at sign-in. Finds out whether the session works and what it may not read. */
  check(context: ProviderContext, session: Session): Promise<CheckResult>;
  identity(context: ProviderContext, session: Session): Promise<Identity>;
  /** A resource that is absent is answered 501. */
  resources: { readonly [R in Resource]?: ResourceReader<R> };
}

export interface CheckResult {
  /** Resources that this account does not have, such as a payroll module that is not installed: they are answered 501. */
  unsupported: readonly Resource[];
}

export interface ResourceReader<R extends Resource = Resource> {
  /** Yields raw pages. The fetch counts as complete only when it ends by itself. */
  fetch(
    context: ProviderContext,
    session: Session,
    parameters: FetchParameters,
  ): AsyncIterable<readonly unknown[]>;
  /** Pure. Null leaves the record out. */
  map(raw: never, context: MapContext): SourceRecord<R> | null;
}

export interface FetchParameters {
  /** For resources that are asked for by dates. Both ends are included. The host drops what lies outside. */
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
  /** Fires when the fetch must end: pass it on to everything that waits. */
  signal: AbortSignal;
  /** A client for one origin; other hosts, private addresses and redirects are refused. `cookies` is what `exportCookies` gave. */
  http(origin: string, options?: { cookies?: string }): ProviderHttp;
  log: ProviderLog;
  /** Replaces the stored session, for providers that rotate cookies or keys. */
  saveSession(session: Session): void;
}

export interface SignInContext extends ProviderContext {
  /** What is about to be read, so that a missing right can be refused at once. */
  resources: readonly Resource[];
  /** The session that this sign-in replaces, when it is a re-authentication: an account of another company has to be refused. */
  previousSession?: Session;
}

/** Ids, counts and enumerated words only. */
export interface ProviderLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export type PublicRecord<R extends Resource> = RecordOf<R>;

/** Gives a definition its type, and nothing else. */
export function defineProvider(definition: ProviderDefinition): ProviderDefinition {
  return definition;
}

/** Types a reader by its raw record, which is known to the adapter alone. */
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
