import { spawnSync, type SpawnSyncReturns } from "node:child_process";

const timeoutMs = 30_000;
const mostBytes = 64 * 1024;
const variable = "MASTER_KEYS_COMMAND";

type Environment = Readonly<Record<string, string>>;

/**
 * The variables with the master keys that a command prints, such as one that asks a key manager. A shell runs it, once
 * at each start. What it prints stands in no sentence and no log.
 */
export function runSecretCommand(given: Environment): { set: Environment; problems: string[] } {
  const command = given[variable];
  if (command === undefined) return { set: given, problems: [] };
  if (given["MASTER_KEYS"] !== undefined)
    return { set: given, problems: [`${variable}: MASTER_KEYS is set too; keep one of them`] };
  // Without a shell nothing is printed.
  const ended: SpawnSyncReturns<string | null> = spawnSync("/bin/sh", ["-c", command], {
    env: given,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: timeoutMs,
    maxBuffer: mostBytes,
  });
  const { status, signal, stdout, error } = ended;
  const printed = stdout?.trim() ?? "";
  const problem =
    describeEnd(error, status, signal) ?? (printed === "" ? "printed nothing" : undefined);
  if (problem !== undefined)
    return { set: given, problems: [`${variable}: the command ${problem}`] };
  return { set: { ...given, MASTER_KEYS: printed }, problems: [] };
}

function describeEnd(
  error: (Error & { code?: string }) | undefined,
  status: number | null,
  signal: string | null,
): string | undefined {
  if (error?.code === "ETIMEDOUT") return `did not end within ${timeoutMs / 1_000} seconds`;
  if (error) return `cannot be run (${error.code ?? error.name})`;
  if (signal) return `was ended by ${signal}`;
  return status === 0 ? undefined : `ended with exit code ${status}; run it by hand to see why`;
}
