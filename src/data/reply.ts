import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  AuthenticationFailed,
  Forbidden,
  NotFound,
  NotSupported,
  ProviderBroken,
  Unavailable,
  type DomainError,
  type AuthErrorCode,
} from "../model/index.ts";
import { isUnmodified, matchesEtag, secondsUntilRoom } from "../platform/http/index.ts";
import type { Reading } from "../sync/index.ts";

export const dataReplyHeaders = ["Cache-Control", "ETag", "Age", "Last-Modified"] as const;

/** A reply that waited says so, whatever it is. */
const waited = ["Preference-Applied"] as const;
export const waitingReplyHeaders = {
  200: [...dataReplyHeaders, ...waited],
  202: ["Cache-Control", ...waited],
  304: [...dataReplyHeaders, ...waited],
  401: waited,
  403: waited,
  404: waited,
  500: waited,
  501: waited,
  503: waited,
} as const;

export const waitingNote =
  "Answers 202 with `Retry-After` while the data is being fetched from the provider.";

const longestRetrySeconds = 300;

/** The headers of a 200 or 304 with provider data, and whether the caller already has this version. */
export function describeData(
  request: FastifyRequest,
  { version, fetchedAt, now }: { version: string; fetchedAt: Date; now: Date },
): { headers: Record<string, string>; isKnown: boolean } {
  const etag = `W/"${version}"`;
  const lastModified = fetchedAt < now ? fetchedAt : now;
  const ageSeconds = Math.max(0, Math.floor((now.getTime() - fetchedAt.getTime()) / 1000));
  return {
    headers: {
      "cache-control": "private, no-store",
      "last-modified": lastModified.toUTCString(),
      age: String(ageSeconds),
      etag,
    },
    isKnown:
      request.headers["if-none-match"] === undefined
        ? isUnmodified(request, { lastModified: fetchedAt, now })
        : matchesEtag(request, etag),
  };
}

export function sendNotModified(
  reply: FastifyReply,
  headers: Record<string, string>,
): FastifyReply {
  return reply.status(304).headers(headers).send();
}

/** The 202 of the specification. `Retry-After` also covers the caller's rate windows, if they are full. */
export function sendPending(
  request: FastifyRequest,
  reply: FastifyReply,
  retryAfterSeconds: number,
): FastifyReply {
  const seconds = Math.min(
    longestRetrySeconds,
    Math.max(retryAfterSeconds, secondsUntilRoom(request)),
  );
  return reply
    .status(202)
    .headers({ "retry-after": String(seconds), "cache-control": "private, no-store" })
    .send({ message: "The data is being fetched. Please repeat the request later." });
}

/** The refusal for a reading without data. */
export function refusalOf(
  reading: Exclude<Reading, { kind: "ready" | "pending" }>,
  payrunId: string,
): DomainError {
  switch (reading.kind) {
    case "refused":
      return new AuthenticationFailed(reading.code, "none", refusalMessages[reading.code]);
    case "unsupported":
      return new NotSupported("The provider does not support this operation.");
    case "unavailable":
      return new Unavailable("The provider is unavailable.", reading.retryAfterSeconds);
    case "broken":
      return new ProviderBroken("The provider's answer could not be used.");
    case "unknown-payrun":
      return new NotFound(payrunId, "The payrun is not known.");
    case "disconnected":
      return new Forbidden("The token was disconnected.");
  }
}

const refusalMessages: Record<AuthErrorCode, string> = {
  incorrect_username_or_password:
    "The provider refused the user name or password. The end user has to sign in again.",
  incorrect_mfa_or_otp:
    "The provider refused the second factor. The end user has to sign in again.",
  reauthentication_required:
    "The session at the provider has ended. The end user has to sign in again.",
  additional_account_setup_required:
    "The provider asks for something to be set up in the account first, such as a new password.",
  captcha_challenge: "The provider asks for a captcha that cannot be solved at the moment.",
  insufficient_permission: "The end user's account lacks the rights to read this data.",
};

export function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer | Readable,
): FastifyReply {
  if (request.replyEncoding !== "identity") reply.header("content-encoding", request.replyEncoding);
  return reply.header("content-type", "application/json; charset=utf-8").send(body);
}
