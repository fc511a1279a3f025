import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The variables that hold a secret. `NAME_FILE` may name a file with the value, as container runtimes mount it. */
export const secretVariables = [
  "DATABASE_URL",
  "DATABASE_PASSWORD",
  "DATABASE_MIGRATION_URL",
  "DATABASE_MIGRATION_PASSWORD",
  "REDIS_URL",
  "REDIS_PASSWORD",
  "MASTER_KEYS",
  "SANDBOX_ACCESS_TOKEN",
  "CONSOLE_OIDC_CLIENT_SECRET",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;

/** Secrets of the operator's applications at providers, such as `PROVIDER_XERO_CLIENT_SECRET`. */
const applicationSecretFile = /^(PROVIDER_[A-Z0-9_]+_CLIENT_SECRET)_FILE$/;

type Environment = Readonly<Record<string, string>>;

/** The variables with the contents of secret files, without the line break at their end. */
export function readSecretFiles(given: Environment): {
  set: Environment;
  problems: string[];
  /** Those that were read. */
  files: string[];
} {
  const set = { ...given };
  const problems: string[] = [];
  const files: string[] = [];
  const ofApplications = Object.keys(given).flatMap(
    (name) => applicationSecretFile.exec(name)?.[1] ?? [],
  );
  for (const name of [...secretVariables, ...ofApplications]) {
    const fileVariable = `${name}_FILE`;
    const path = given[fileVariable];
    if (path === undefined) continue;
    files.push(resolve(path));
    if (given[name] !== undefined) {
      problems.push(`${fileVariable}: ${name} is set too; keep one of them`);
      continue;
    }
    const content = readContent(path);
    if (typeof content === "string") set[name] = content;
    else problems.push(`${fileVariable}: ${path} ${content.problem}`);
  }
  return { set, problems, files };
}

function readContent(path: string): string | { problem: string } {
  try {
    const content = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return content === "" ? { problem: "is empty" } : content;
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
