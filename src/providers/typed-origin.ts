import { z } from "zod";
import {
  HttpRateLimited,
  HttpServerError,
  HttpTimeout,
  HttpTooLarge,
  HttpUnreachable,
  TargetRefused,
  type ProviderResponse,
} from "../platform/outbound/index.ts";
import type {
  FormValues,
  FoundSystem,
  ProviderContext,
  ProviderMode,
  TypedOrigin,
} from "./contract.ts";
import { FieldError, isProviderFailure, type ProviderFailure } from "./errors.ts";
import { listFormFields } from "./form-field.ts";

/** What a person reads at the field of an address that leads to no system. None of them tells what a server answers. */
export const originSentences = {
  refused: "This address cannot be used. It has to be public and to begin with https.",
  absent: "There is no such address. Please check its spelling.",
  unknown:
    "This address could not be looked up. Please check its spelling, or try again in a few minutes.",
  closed: "Nothing answers at this address. Please check its spelling, and the port if it has one.",
  silent:
    "Nothing has answered at this address in time. Please check whether it can be reached from the internet, or try again in a few minutes.",
  certificate:
    "The certificate of this address is not valid, so nothing was sent there. Please check the spelling of the address.",
  foreign: "Something else answers at this address. Please check it.",
  moved:
    "This address leads to another one. Please type the one that your browser shows when you use the system.",
  failing:
    "The server at this address fails at the moment. Please check the address, or try again in a few minutes.",
  /** Of an address inside of the operator's network: whoever tries one learns nothing of its ports. */
  inside:
    "Nothing that can be connected was found at this address. Please check it, or ask your administrator.",
};

type Cause = Exclude<keyof typeof originSentences, "refused">;

/** The version is a number, so that no text of a server gets to a page. */
const foundSystem = z.object({
  version: z
    .string()
    .regex(/^\d{1,6}(?:\.\d{1,6}){0,3}$/)
    .exactOptional(),
  refusal: z.string().min(1).exactOptional(),
});

type Http = ProviderContext["http"];

/** The server leads to another origin. */
class LeadsAway extends Error {
  override readonly name = "LeadsAway";
}

/** Null for a mode that cannot tell. Throws a FieldError for whatever keeps the system from being found. */
export async function probeOrigin(
  mode: ProviderMode,
  typed: string,
  { context, wentInside }: { context: ProviderContext; wentInside: () => boolean },
): Promise<FoundSystem | null> {
  const { origin } = mode;
  const at = origin?.of(typed) ?? null;
  if (!origin?.probe || at === null) return null;
  const { clock, signal, log } = context;
  const http: Http = (to, options) => staysThere(context.http(to, options), to);
  let refused: FieldError;
  try {
    const { refusal, ...found } = foundSystem.parse(
      await origin.probe({ clock, signal, log, http }, at),
    );
    if (refusal === undefined) return found;
    refused = new FieldError(origin.field, refusal);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof TargetRefused) throw refusedAddress(mode, error);
    if (wentInside()) throw atField(origin, "inside", error);
    const cause = isProviderFailure(error) ? causeOfFailure(error) : causeOfRequest(error);
    throw cause ? atField(origin, cause, error) : error;
  }
  throw refused;
}

/** The requests of a sign-in, and what a failure of them means for the address that was typed. */
export interface WatchedSignIn {
  http: Http;
  /** The error at the field when nothing has answered there, else the same error. */
  explain(error: unknown): unknown;
}

/** For a mode whose adapter does not probe. Until something has answered there, the address may be the fault. */
export function watchTypedOrigin(
  mode: ProviderMode,
  formValues: FormValues,
  { http, wentInside }: { http: Http; wentInside: () => boolean },
): WatchedSignIn {
  const { origin } = mode;
  const at = origin && originOf(origin, formValues);
  const explainRefused = (error: unknown): unknown =>
    error instanceof TargetRefused ? refusedAddress(mode, error) : error;
  if (!origin || origin.probe || !at) return { http, explain: explainRefused };
  const isWhole = listFormFields(mode.form).some(
    ({ name, isAddress }) => name === origin.field && isAddress,
  );
  const unanswered = new WeakSet<Error>();
  let hasAnswered = false;
  const watched: Http = (to, options) => {
    const client = http(to, options);
    if (URL.parse(to)?.origin !== at) return client;
    return {
      exportCookies: () => client.exportCookies(),
      request: async (request) => {
        try {
          const answer = await client.request(request);
          hasAnswered = true;
          return answer;
        } catch (error) {
          if (isSilence(error) && !hasAnswered) unanswered.add(error);
          throw error;
        }
      },
    };
  };
  return {
    http: watched,
    explain: (error) => {
      const cause = error instanceof Error && unanswered.has(error) && causeOfRequest(error);
      // Of a part of a host name, only the name can be the fault of who typed it.
      if (!cause || !(isWhole || cause === "absent")) return explainRefused(error);
      return atField(origin, wentInside() ? "inside" : cause, error);
    },
  };
}

function originOf(origin: TypedOrigin, formValues: FormValues): string | undefined {
  const typed = formValues[origin.field];
  const at = typed === undefined ? null : origin.of(typed);
  return at === null ? undefined : URL.parse(at)?.origin;
}

/** The same client, for which an answer that leads elsewhere is a failure. */
function staysThere(client: ReturnType<Http>, origin: string): ReturnType<Http> {
  return {
    exportCookies: () => client.exportCookies(),
    request: async (request) => {
      const answer = await client.request(request);
      if (leadsAway(answer, origin)) throw new LeadsAway();
      return answer;
    },
  };
}

function leadsAway({ status, headers }: ProviderResponse, origin: string): boolean {
  if (status < 300 || status >= 400 || headers["location"] === undefined) return false;
  return URL.parse(headers["location"], origin)?.origin !== URL.parse(origin)?.origin;
}

function atField({ field }: TypedOrigin, cause: Cause, error: unknown): FieldError {
  return Object.assign(new FieldError(field, originSentences[cause]), { cause: error });
}

/** What the adapter says of another system by itself stays. */
function causeOfFailure({ kind }: ProviderFailure): Cause | undefined {
  if (kind === "field") return undefined;
  return kind === "down" || kind === "rate-limited" ? "failing" : "foreign";
}

/** At the field where the address was typed, when the form has one. */
function refusedAddress({ form }: ProviderMode, error: TargetRefused): Error {
  const field = listFormFields(form).find(({ isAddress }) => isAddress);
  return field ? new FieldError(field.name, originSentences.refused) : error;
}

function isSilence(error: unknown): error is Error {
  return error instanceof HttpUnreachable || error instanceof HttpTimeout;
}

/** Undefined for an error that is no failure of a request: it is a fault of the adapter. */
function causeOfRequest(error: unknown): Cause | undefined {
  if (error instanceof HttpUnreachable) return causeOfUnreachable(error);
  if (error instanceof HttpTimeout) return "silent";
  if (error instanceof HttpTooLarge) return "foreign";
  if (error instanceof LeadsAway) return "moved";
  const isFailing = error instanceof HttpServerError || error instanceof HttpRateLimited;
  return isFailing ? "failing" : undefined;
}

function causeOfUnreachable({ failure, code }: HttpUnreachable): Cause {
  if (failure === "unresolvable") return code === "ENOTFOUND" ? "absent" : "unknown";
  // The server has no TLS, or speaks no HTTP.
  if (/^(?:ERR_SSL_|EPROTO$|HPE_|HTTPParserError$)/.test(code)) return "foreign";
  if (failure === "tls") return "certificate";
  return code === "ETIMEDOUT" || code === "UND_ERR_CONNECT_TIMEOUT" ? "silent" : "closed";
}
