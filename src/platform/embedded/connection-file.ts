import { readFileSync, writeFileSync } from "node:fs";
import { renameDurably } from "./durable-rename.ts";

export interface Connection {
  password: string;
  /** Where the server last listened; absent before its first start. */
  port?: number;
}

export const database = "rollcall";
export const user = "rollcall";

export function connectionString(connection: { password: string; port: number }): string {
  return `postgres://${user}:${connection.password}@127.0.0.1:${connection.port}/${database}`;
}

/** An unreadable file counts as absent: the password is also kept beside the data. */
export function readConnection(path: string): Connection | undefined {
  try {
    const { password, port } = JSON.parse(readFileSync(path, "utf8"));
    if (typeof password !== "string") return undefined;
    return Number.isInteger(port) ? { password, port } : { password };
  } catch {
    return undefined;
  }
}

/** Readers see the old file or the new one, and only our own account can read either. */
export function writeConnection(path: string, connection: Connection): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(connection)}\n`, { mode: 0o600, flush: true });
  renameDurably(draft, path);
}
