import type { AnswerLimits, OpenedRange } from "../../platform/outbound/index.ts";
import type {
  LocatedPackage,
  OAuth2Applications,
  PlainFailure,
  PlainRefusal,
  Session,
  SignInCall,
  SignInHost,
} from "../../providers/index.ts";
import type { Question } from "../call-services.ts";
import type { VendorRequest } from "./vendor-requests.ts";
import type { ReadAnswer, ReadProgress } from "../records/read-answer.ts";
import type { ReadTask } from "../records/read-whole.ts";

/** What a child process has of the configuration. */
export interface ChildSettings {
  providerPackages: readonly LocatedPackage[];
  applications: OAuth2Applications;
  outboundAllow: readonly OpenedRange[];
  allowsHttp: boolean;
  answerLimits: AnswerLimits;
  /** What the reads of the process may have in memory together before the younger ones wait. */
  readMemoryBytes: number;
  isDebugLogged: boolean;
  /** Whether the process tells its requests. */
  isTraced: boolean;
  /** Certificates of the operator's own authorities, as PEM. The child has no environment that names them. */
  extraCertificates: readonly string[];
}

type Plain<Call extends Pick<SignInCall, "signal">> = Omit<Call, "signal">;

type SignInOperation = keyof SignInHost;

/** The work that a child does, by the names of the operations. */
export type Calls = {
  [Operation in SignInOperation]: {
    arguments: Plain<Parameters<SignInHost[Operation]>[0]>;
    result: Awaited<ReturnType<SignInHost[Operation]>>;
  };
} & { read: { arguments: ReadTask; result: ReadAnswer } };

export type Operation = keyof Calls;

export type Call = {
  [Name in Operation]: { operation: Name; arguments: Calls[Name]["arguments"] };
}[Operation];

export type ToChild =
  | { type: "settings"; settings: ChildSettings }
  | { type: "call"; id: number; call: Call }
  | { type: "abort"; id: number; isTimeout: boolean }
  /** The answer to the question of this number. */
  | ({ type: "reply"; id: number; number: number } & QuestionReply)
  /** Asks for a sign of life, and tells the time in milliseconds. */
  | { type: "ping"; now: number };

/** The parts of a list that can be large. They cross in pieces, so that neither process stands still. */
export const listParts = ["body", "index", "packedList", "records"] as const;
export type ListPart = (typeof listParts)[number];

/** An answer without what crosses in pieces. */
export type AnswerHead = Omit<ReadAnswer, "list" | "payruns"> & {
  /** The bytes of each part. Null for the list that is stored already. */
  list: ({ [Part in ListPart]: number | null } & { bodyBytes: number }) | null;
};

export type QuestionReply = { result: unknown } | { failure: PlainFailure };

export type FromChild =
  /** Its own code is loaded, and its belt is fastened. Now it wants its settings. */
  | { type: "loaded" }
  /** All packages are loaded. This is what their providers declare. */
  | { type: "ready"; declared: readonly unknown[] }
  /** A package cannot be used. */
  | { type: "refused"; refusal: PlainRefusal }
  | { type: "pong" }
  /** With the call that the line is of, if it is known. */
  | { type: "log"; level: "debug" | "warn"; fields: object; message: string; call?: number }
  /** A request to the provider has ended. */
  | { type: "request"; id: number; request: VendorRequest }
  | { type: "session"; id: number; session: Session }
  | { type: "ask"; id: number; number: number; question: Question }
  /** A request that was admitted has ended. */
  | { type: "end-ticket"; id: number; ticket: number }
  | { type: "progress"; id: number; progress: ReadProgress; heldBytes: number }
  | { type: "head"; id: number; head: AnswerHead }
  | { type: "piece"; id: number; part: ListPart; offset: number; bytes: Uint8Array }
  | { type: "payruns"; id: number; payruns: ReadAnswer["payruns"] }
  /** A sign-in's result; undefined for a read, whose answer came before. */
  | { type: "done"; id: number; result: unknown }
  | { type: "failed"; id: number; failure: PlainFailure };

/** Resolves when the message is on its way. Whoever awaits it sends no faster than the other side takes. */
export type SendToParent = (message: FromChild) => Promise<void>;
