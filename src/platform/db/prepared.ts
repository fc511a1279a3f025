import { createHash } from "node:crypto";
import type { QueryConfig } from "pg";

const names = new Map<string, string>();

/**
 * A statement that each database client plans once, for those that run all the time. The text has to be one of a
 * few: it is kept here and by the server.
 */
export function prepared(text: string, values: unknown[]): QueryConfig {
  const name = names.get(text) ?? createHash("sha256").update(text).digest("base64url");
  names.set(text, name);
  return { name, text, values };
}

/** The same statement, which is planned for this time alone. */
export function unprepared(statement: string | QueryConfig): string | QueryConfig {
  if (typeof statement === "string") return statement;
  const { name: _name, ...rest } = statement;
  return rest;
}
