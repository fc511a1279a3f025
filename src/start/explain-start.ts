import { InvalidConfiguration } from "../config/index.ts";
import { findTrouble, NoSocket, type DatabaseTrouble } from "../platform/db/index.ts";
import { describeOutage } from "../platform/describe-outage.ts";
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

/** Why a step of the start is repeated. It names no address: `/readyz` shows it. */
export function explainWait(error: unknown): string {
  const trouble = findTrouble(error);
  if (trouble !== undefined) return waits[trouble];
  const refusal = explainRefusal(error);
  return refusal ?? "That failed for a reason that the log has.";
}

const waits: Record<DatabaseTrouble, string> = {
  away: "The database is not there yet.",
  silent: "The database gives no answer yet.",
  starting: "The database starts or stops.",
  busy: "The database is busy.",
  slow: "The database takes too long for it.",
  lost: "The database ended the connection.",
  "read-only": "The database takes no writes yet.",
  refusing: "The database refuses it.",
};

/** What a server answers to a client that it does not let in. */
const databaseRefusals: Record<string, string> = {
  "28P01": "refuses the password in DATABASE_URL",
  "28000": "does not let the user of DATABASE_URL in",
  "3D000": "has no database of the name in DATABASE_URL",
  "42501": "does not let the user of DATABASE_URL make tables",
};

function explainDatabase(error: SystemError): string | undefined {
  const refusal = databaseRefusals[error.code ?? ""];
  if (refusal) return `The database server ${refusal} (${error.code}). Correct it there or here.`;
  const trouble = findTrouble(error);
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
    case "refusing":
      return explainDatabaseFault(error, reason);
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

function explainDatabaseFault(error: SystemError, reason: string): string {
  const { refusal } = describeOutage(error);
  return `The database cannot be used (${reason})${refusal === undefined ? "; look at its log" : `: ${refusal}`}.`;
}

/** A name with several addresses gives an error for each. */
function firstOf(error: Error): SystemError {
  return error instanceof AggregateError ? (error.errors[0] as SystemError) : error;
}
