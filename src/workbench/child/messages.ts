import type { Mode, Resource } from "../../model/index.ts";
import type {
  DateRange,
  DescribedField,
  FormField,
  FormValues,
  OAuth2Application,
  Session,
  Settings,
  SignInChallenge,
} from "../../providers/index.ts";
import type { OpenedRange } from "../../platform/outbound/index.ts";
import type { Recording } from "../../recordings/index.ts";
import type { WatchedExchange } from "./watch-exchanges.ts";

/** The provider as it was found. */
export interface RunDescription {
  provider: string;
  title: string;
  mode: Mode;
  modes: readonly Mode[];
  fields: readonly FormField[];
  resources: readonly Resource[];
  /** Where each field of a record comes from, of the resources that have a table. */
  origins: Readonly<Partial<Record<Resource, readonly DescribedField[]>>>;
  /** The person signs in on the provider's own page. */
  isElsewhere: boolean;
  isSimulated: boolean;
}

/** What a sign-in gave. It has no secret that was typed, unless the session is one. */
export interface KeptSignIn {
  session: Session;
  settings: Settings;
}

/** What is done. */
export interface RunTask {
  resources: readonly Resource[];
  range: DateRange;
  /** So many records are told of each resource. */
  limit: number;
  /** Reads go on to their end, and payslips are those of as many pay runs as a recording has. */
  isWhole: boolean;
  /** Each answer is told with its body. */
  isRecorded: boolean;
  /** With the session of an earlier sign-in, nobody signs in. */
  signIn: { formValues: FormValues } | { kept: KeptSignIn };
  application?: OAuth2Application | undefined;
  redirectUri: string;
  outboundAllow: readonly OpenedRange[];
  allowsHttp: boolean;
  /** Requests are answered from it, and nothing leaves this machine. */
  replayed?: Recording | undefined;
  /** Where all requests go, for a system that plays another one. */
  baseUrl?: string | undefined;
}

export type ToldChallenge = Omit<SignInChallenge, "state">;

/** A record of a resource: as the system has it, and as the API gives it. */
export interface RunRecord {
  resource: Resource;
  source: unknown;
  /** Undefined for one that is left out, which `leftOut` tells. */
  record?: unknown;
  leftOut?: string;
  /** Fields that are null because their value was not valid. */
  nulled: readonly string[];
  /** Fields that the adapter gives and the API has not. */
  unknown: readonly string[];
}

export type RunEvent =
  | { type: "found"; system: string }
  | {
      type: "signed-in";
      origin: string | null;
      forbidden: readonly Resource[];
      unsupported: readonly Resource[];
    }
  | { type: "exchange"; exchange: WatchedExchange; step: Resource | "sign-in" }
  | ({ type: "record" } & RunRecord)
  | {
      type: "read";
      resource: Resource;
      pages: number;
      records: number;
      requests: number;
      /** It was ended when enough was seen. */
      isCut: boolean;
      limited: readonly string[];
      /** Fields that are null in some record because their value was not valid; in one that is not told, too. */
      nulled: readonly string[];
      range?: DateRange;
    }
  | { type: "failed"; resource: Resource; failure: string }
  | { type: "missing"; request: string };

export type FromRun =
  | { type: "described"; description: RunDescription }
  | { type: "ask"; challenge: ToldChallenge }
  | { type: "approve"; url: string; state: string }
  | { type: "session"; kept: KeptSignIn }
  | { type: "event"; event: RunEvent };

export type ToRun = { type: "run"; task: RunTask } | { type: "answer"; answer: string };
