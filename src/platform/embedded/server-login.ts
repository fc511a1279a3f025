import { readFileSync } from "node:fs";
import { replaceDurably } from "../durable-files.ts";

/** What a process of the state folder needs to use the server. */
export interface ServerLogin {
  password: string;
  /** The port of the last start; absent before the first one. */
  port?: number;
}

export const database = "rollcall";
export const user = "rollcall";

export function formatDatabaseUrl({ password, port }: { password: string; port: number }): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** An unreadable file counts as absent, because the password is also kept beside the data. */
export function readServerLogin(path: string): ServerLogin | undefined {
  try {
    const { password, port } = JSON.parse(readFileSync(path, "utf8"));
    if (typeof password !== "string") return undefined;
    return Number.isInteger(port) ? { password, port } : { password };
  } catch {
    return undefined;
  }
}

export function writeServerLogin(path: string, login: ServerLogin): void {
  replaceDurably(path, `${JSON.stringify(login)}\n`);
}
