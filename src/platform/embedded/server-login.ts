import { readFileSync } from "node:fs";
import { replaceDurably } from "../durable-files.ts";
import type { ServerAddress } from "./server-address.ts";

/** What a process of the state folder needs to use the server. */
export interface ServerLogin extends Partial<ServerAddress> {
  password: string;
  /** The address of the last start; absent before the first one. */
  host?: string;
  port?: number;
}

export const database = "rollcall";
export const user = "rollcall";

export function formatDatabaseUrl(password: string, { host, port }: ServerAddress): string {
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** An unreadable file counts as absent, because the password is also kept beside the data. */
export function readServerLogin(path: string): ServerLogin | undefined {
  try {
    const { password, host, port } = JSON.parse(readFileSync(path, "utf8"));
    if (typeof password !== "string") return undefined;
    return Number.isInteger(port) ? { password, host, port } : { password };
  } catch {
    return undefined;
  }
}

export function writeServerLogin(path: string, login: ServerLogin): void {
  replaceDurably(path, `${JSON.stringify(login)}\n`);
}
