import { InvalidConfiguration } from "./config.ts";
import { isDatabaseUnavailable } from "./platform/db/index.ts";
import { StartRefused } from "./platform/start-refused.ts";
import { providerPackages } from "./providers/index.ts";

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
  if (path === undefined) return undefined;
  if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(code))
    return `This account may not use ${path} (${code}). Make it a folder of its own, or choose another one with STATE_DIR.`;
  return code === "ENOSPC" ? `The disk of ${path} is full (${code}). Make room on it.` : undefined;
}

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
  if (!isDatabaseUnavailable(error)) return undefined;
  const { code, address, port } = firstOf(error);
  const place =
    address === undefined ? "" : ` on ${port === undefined ? address : `${address}:${port}`}`;
  const repeat = code === undefined ? "If it is only busy, try again; else start" : "Start";
  return (
    `The database${place} does not answer (${code ?? error.message}). ` +
    `${repeat} it, or correct DATABASE_URL.`
  );
}

/** A name with several addresses gives an error for each. */
function firstOf(error: Error): SystemError {
  return error instanceof AggregateError ? (error.errors[0] as SystemError) : error;
}
