import { InvalidConfiguration } from "../config/index.ts";
import { findTrouble, NoSocket, type DatabaseTrouble } from "../platform/db/index.ts";
import { describeOutage } from "../platform/outage-log.ts";
import { StartRefused } from "../platform/start-refused.ts";
import { providerPackages } from "../providers/index.ts";

interface SystemError extends Error {
  code?: string;
  syscall?: string;
  path?: string;
  address?: string;
  port?: number;
}

/** Why the service does not start and what to do about it. What is no mistake of the operator's has its stack. */
export function explainStart(error: unknown): string {
  const refusal = explainRefusal(error);
  if (refusal !== undefined) return refusal;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Undefined for what an operator cannot mend. */
export function explainRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof InvalidConfiguration || error instanceof StartRefused) return error.message;
  if (providerPackages.isRefusal(error)) return `PROVIDERS cannot be used: ${error.message}`;
  return explainListening(error) ?? explainFolder(error) ?? explainDatabase(error);
}

function explainListening({ code, syscall, address, port }: SystemError): string | undefined {
  if (syscall !== "listen" || code === undefined) return undefined;
  const place = `${address}:${port} (${code})`;
  switch (code) {
    case "EADDRINUSE":
      return (
        `Another program listens on ${place}. Stop it, or choose another port: ` +
        "PORT for the service, METRICS_PORT for its metrics."
      );
    case "EACCES":
      return `This account may not listen on ${place}. Choose a PORT above 1023.`;
    default:
      return `The service cannot listen on ${place}. Set HOST and METRICS_HOST to addresses of this machine.`;
  }
}

function explainFolder({ code = "", path }: SystemError): string | undefined {
  if (["ENOSPC", "EDQUOT"].includes(code))
    return `The disk of ${path ?? "STATE_DIR"} is full (${code}). Make room on it, or choose another folder with STATE_DIR.`;
  if (path === undefined) return undefined;
  if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(code))
    return `This account may not use ${path} (${code}). Make it a folder of its own, or choose another one with STATE_DIR.`;
  return undefined;
}

/** Why a step of the start is repeated. */
export function explainWait(error: unknown): string {
  const trouble = findTrouble(error);
  if (trouble !== undefined) return databaseTroubles[trouble];
  return explainRefusal(error) ?? "That failed for a reason that the log has.";
}

/** They name no address: anybody may ask for `/readyz`. */
export const databaseTroubles: Record<DatabaseTrouble, string> = {
  away: "The database is away.",
  silent: "The database gives no answer in time.",
  starting: "The database starts or stops.",
  busy: "The database is busy, or has no client left.",
  slow: "The database is too slow.",
  lost: "The database ended the connection.",
  "read-only": "The database takes no writes.",
  refusing: "The database refuses this service; the log says why.",
};

const mayNotMakeTables = "42501";

function explainDatabase(error: SystemError): string | undefined {
  const trouble = error.code === mayNotMakeTables ? "refusing" : findTrouble(error);
  return trouble && explainTrouble(trouble, firstOf(error));
}

function explainTrouble(trouble: DatabaseTrouble, error: SystemError): string {
  const { code, address, port, message } = error;
  const place =
    address === undefined ? "" : ` on ${port === undefined ? address : `${address}:${port}`}`;
  const reason = code ?? message;
  switch (trouble) {
    case "away": {
      const { shortage } = describeOutage(error);
      return shortage === undefined
        ? `The database${place} does not answer (${reason}). Start it, or correct DATABASE_URL.`
        : `The database${place} cannot be reached (${reason}): ${shortage}.`;
    }
    case "silent":
      return explainSilence(error, `The database${place}`);
    case "starting":
      return `The database starts or stops (${reason}). Try again in a moment.`;
    case "busy":
    case "slow":
      return (
        `The database answers, and is too busy for this (${reason}). Try again; if that does not help, look at what ` +
        "else it does."
      );
    case "lost":
      return `The database ended the connection (${reason}). Try again; if that does not help, look at its log.`;
    case "read-only":
      return `The database takes no writes (${reason}). Let DATABASE_URL lead to the primary.`;
    case "refusing": {
      const { refusal } = describeOutage(error);
      return `The database cannot be used (${reason})${refusal === undefined ? "; look at its log" : `: ${refusal}`}.`;
    }
  }
}

/** An address that let a socket come about is right. */
function explainSilence(error: SystemError, database: string): string {
  const reason = error.code ?? error.message;
  return error.code === "ETIMEDOUT" || error instanceof NoSocket
    ? `${database} does not answer in time (${reason}): it hangs, or is not there. Try again; if that does not help, ` +
        "start it, or correct DATABASE_URL."
    : `${database} takes a connection and says nothing in time (${reason}): it hangs, is very slow, or what took the ` +
        "connection has no database behind it. Look at the server, and at a proxy before it, and try again.";
}

/** A name with several addresses gives an error for each. */
function firstOf(error: Error): SystemError {
  return error instanceof AggregateError ? (error.errors[0] as SystemError) : error;
}
