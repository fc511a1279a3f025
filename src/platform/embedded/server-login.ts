import { readFileSync } from "node:fs";
import { replaceDurably } from "../durable-files.ts";

export const database = "rollcall";
export const user = "rollcall";

/** The host is the folder of a Unix socket, of whose name the port is a part, or an IP address. */
export function formatDatabaseUrl(
  password: string,
  { host, port }: { host: string; port: number },
): string {
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** The password. An unreadable file counts as absent, because the password is also kept beside the data. */
export function readServerLogin(path: string): string | undefined {
  try {
    const { password } = JSON.parse(readFileSync(path, "utf8"));
    return typeof password === "string" ? password : undefined;
  } catch {
    return undefined;
  }
}

export function writeServerLogin(path: string, password: string): void {
  replaceDurably(path, `${JSON.stringify({ password })}\n`);
}
