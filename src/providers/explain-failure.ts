import { isProviderFailure, type ProviderFailure } from "./errors.ts";

type Kind = ProviderFailure["kind"];

/** How a call failed, for the developer of the adapter: with the cause of a ProviderBug, which is their own. */
export function explainFailure(error: unknown): string {
  if (!isProviderFailure(error)) return error instanceof Error ? error.message : String(error);
  const { cause } = error;
  const because = cause instanceof Error ? ` (${cause.name}: ${cause.message})` : "";
  const code = error.kind === "auth" ? error.code : undefined;
  const said = sentenceOf(error);
  return `failed with ${nameFailure({ kind: error.kind, code })}${said && `: ${said}`}${because}`;
}

function sentenceOf(error: ProviderFailure): string {
  if (error.kind === "auth") return "";
  return error.kind === "field" ? `${error.field}: ${error.explanation}` : error.message;
}

/** The name of its class, and its code. */
export function nameFailure({ kind, code }: { kind: Kind; code: string | undefined }): string {
  const names: Record<Kind, string> = {
    auth: "AuthError",
    field: "FieldError",
    "not-supported": "OperationNotSupported",
    "rate-limited": "ProviderRateLimited",
    down: "ProviderDown",
    bug: "ProviderBug",
  };
  return code === undefined ? names[kind] : `${names[kind]} ${code}`;
}
