import type { Mode } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import {
  createProviderHttp,
  defaultAnswerLimits,
  type AnswerLimits,
  type createGuardedAgent,
  type OnExchange,
} from "../platform/outbound/index.ts";
import type { Random } from "../platform/random.ts";
import type { ProviderContext, ProviderDefinition, ProviderLog, Session } from "./contract.ts";
import { ProviderBug } from "./errors.ts";
import { noteSecret } from "./note-secret.ts";
import { admitByQuotas, type RequestQuotas } from "./request-quotas.ts";

const signInCallTimeoutMs = 10_000;
/** All answers of one call of a sign-in together may be this many times as large as one. */
const signInAnswers = 2;

export interface Call {
  /** The client that it is for, which may have ways out of its own. */
  clientId?: string | undefined;
  provider: string;
  mode: Mode;
  signal: AbortSignal;
  /** Called for each request that is sent. */
  onRequest?: () => void;
  /** Told of each request, for traces. */
  onExchange?: OnExchange | undefined;
  onAnswer?: (body: Uint8Array) => void;
  /** Without it, requests count against no quota. */
  quotas?: RequestQuotas | undefined;
  onSession?: (session: Session) => void;
  /** Called with each secret that the provider gives, such as a cookie or a token. */
  onSecret?: (secret: string) => void;
}

interface CallMeans {
  agent: ReturnType<typeof createGuardedAgent>;
  purpose: "sign-in" | "reply";
  clock: Clock;
  random: Random;
  log: ProviderLog;
  limits: AnswerLimits | undefined;
  waitSeconds: NonNullable<ProviderDefinition["limits"]>["waitSeconds"];
  application: ProviderContext["application"];
}

interface CallContext {
  context: ProviderContext;
  savedSession: () => Session | undefined;
  /** Those that the adapter asked for a client for. */
  origins: readonly string[];
}

/** What an adapter may use in one call. */
export function createCallContext(
  { signal, quotas, onRequest, onExchange, onAnswer, onSession, onSecret }: Call,
  { agent, purpose, clock, random, log, limits, waitSeconds, application }: CallMeans,
): CallContext {
  let saved: Session | undefined;
  const origins: string[] = [];
  const onBytes = purpose === "sign-in" ? boundAnswers(limits) : onAnswer;
  const context: ProviderContext = {
    clock,
    signal,
    log,
    ...(onSecret && { [noteSecret]: onSecret }),
    ...(application && { application }),
    http: (origin, { cookies, draws, maxBytes } = {}) => {
      origins.push(URL.parse(origin)?.origin ?? origin);
      const admission = admitByQuotas(quotas, draws);
      return createProviderHttp({
        agent,
        clock,
        random,
        origins: [origin],
        purpose,
        limits,
        timeoutMs: purpose === "sign-in" ? signInCallTimeoutMs : undefined,
        cookies,
        signal,
        log,
        onRequest,
        onExchange,
        onBytes,
        maxBytes,
        admission,
        waitSeconds,
        onWait: admission?.onRefused,
        onCookie: onSecret,
      });
    },
    saveSession: (session) => {
      saved = session;
      onSession?.(session);
    },
  };
  return { context, savedSession: () => saved, origins };
}

/** A server that anybody may have named cannot fill the process with many small answers. */
function boundAnswers(limits = defaultAnswerLimits): (body: Uint8Array) => void {
  const mostBytes = signInAnswers * limits.signInBytes;
  let bytes = 0;
  return (body) => {
    bytes += body.length;
    if (bytes > mostBytes)
      throw new ProviderBug(
        `the provider's answers of a sign-in have more than ${mostBytes} bytes`,
      );
  };
}
