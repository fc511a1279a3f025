import type { Mode, Resource } from "../model/index.ts";
import type { DateRange, FormValues } from "./contract.ts";

/** What a fake of a provider plays. `docs/providers.md` says what each of them asks of it. */
export const scenarios = [
  "usual",
  "wrong-password",
  "second-factor",
  "wrong-second-factor",
  "dead-session",
  "expired-session",
  "expired-between-pages",
  "missing-rights",
  "rate-limited-seconds",
  "rate-limited-date",
  "rate-limited",
  "server-error",
  "two-pages",
  "leavers",
  "unicode",
  "nulls",
  "cut-off",
  "changes",
  "no-rights",
] as const;

export type Scenario = (typeof scenarios)[number];

/** Questions that systems answer differently, by their names in `docs/meanings.md`, which has the answers. */
export const meaningNames = [
  "minor_units",
  "overdrawn_leave",
  "rehired",
  "future_leaver",
  "future_starter",
  "away_today",
  "lost_right",
  "deleted",
  "no_email",
  "nationality",
  "weekly_hours",
  "legal_entities",
  "half_day",
  "leave_in_hours",
  "holiday_in_leave",
  "biweekly",
  "semimonthly",
  "nothing_readable",
] as const;

export type MeaningName = (typeof meaningNames)[number];

/** What shows that an adapter gives a meaning, or why its system does not tell it. */
export type MeaningAnswer =
  | {
      /**
       * A record of the fake, as in `expected`: its ids, and the fields by which it shows the meaning. Of a payslip
       * `payrun_remote_id`, too.
       */
      record: Readonly<Record<string, unknown>>;
      /** What of it the system does not tell. */
      only?: string;
    }
  /** Of `nothing_readable`: what the sign-in is refused with, its code or a part of its sentence. */
  | { refusal: string }
  /** In a sentence. */
  | { notTold: string };

export type MeaningAnswers = Readonly<Partial<Record<MeaningName, MeaningAnswer>>>;

/** How a provider is checked. A package exports it as `conformance`, beside its default. */
export interface Conformance {
  /** By default the first provider of the package. */
  provider?: string;
  /** By default the first mode of the provider. */
  mode?: Mode;
  /**
   * Fields of the tables of an adapter that no record of the fake fills, by their names in the API. What is inside of
   * each item of a list stands behind `[].`.
   */
  neverFilled?: Readonly<Partial<Record<Resource, readonly string[]>>>;
  /** Starts a fake of the system. It plays one scenario until it is closed. */
  start(scenario: Scenario): Promise<FakeSystem>;
  /** Scenarios that the fake cannot play, each with the reason. */
  leavesOut?: Readonly<Partial<Record<Scenario, string>>>;
  /** What shows each meaning of `docs/meanings.md`. Without it, the check of meanings is left out. */
  meanings?: MeaningAnswers;
  /** Of a recording: how a scenario is played where there is a choice, which stands beside what is checked. */
  played?: Readonly<Partial<Record<Scenario, string>>>;
  /** Of a recording: checks, by their names, that need a fake that knows what is right. */
  leavesOutChecks?: Readonly<Record<string, string>>;
}

/** Of each resource some records, with the fields that are looked at, by their names in the API. */
export type ExpectedRecords = Readonly<
  Partial<Record<Resource, readonly Readonly<Record<string, unknown>>[]>>
>;

/** What a person types at a sign-in. */
export interface TypedValues {
  /** Into the form. */
  formValues: FormValues;
  /**
   * Of a mode with `oauth2`: the code that the provider's page gives. The application is `rollcall` with the secret
   * `secret of rollcall`.
   */
  code?: string;
  /** The answers to the challenges of the sign-in, one after the other. */
  answers?: readonly string[];
}

export interface FakeSystem extends TypedValues {
  /** Where the fake listens. Every request goes there, whichever origin the adapter names. */
  baseUrl?: string;
  /** What time it is there. The real time by default. */
  now?: Date;
  /** Called after the sign-in and before anything is read. */
  afterSignIn?(): Promise<void> | void;
  /** In `changes`: adds, changes and removes people. */
  change?(): Promise<void> | void;
  /** What a 429 of the fake asks for. 30 by default. */
  waitSeconds?: number;
  /** Texts that stand in the records of employees, as they are. */
  texts?: readonly string[];
  /** How many records the fake has. */
  counts?: Readonly<Partial<Record<Resource, number>>>;
  /**
   * Some of its records, as the API has to give them, written from what the fake has and not from what the adapter
   * makes of it. In `usual`.
   */
  expected?: ExpectedRecords;
  /** What somebody else types, whose account is another one. In `usual`. */
  otherAccount?: TypedValues;
  /** How many of its sessions work. For `logOut`. */
  openSessions?(): number;
  /** Of a recording: the requests that it had no answer to. */
  missing?: readonly string[];
  /** What is read of resources with dates. The last 60 days by default. */
  range?: DateRange;
  close(): Promise<void> | void;
}
