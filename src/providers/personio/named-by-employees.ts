import { OperationNotSupported } from "../errors.ts";
import { readEmployeePages } from "./employees.ts";
import { toObject, type JsonObject } from "./json-values.ts";
import { isPermissionMissing } from "../kit/rights.ts";
import type { Ask } from "./personio-client.ts";
import { readCursorList } from "./read-lists.ts";

/** Undefined for a list that Personio does not give to everybody, or not to this credential. */
export async function readUnlessHidden(
  ask: Ask,
  list: Parameters<typeof readCursorList>[1],
): Promise<JsonObject[] | undefined> {
  try {
    return await readCursorList(ask, list);
  } catch (error) {
    if (isPermissionMissing(error) || error instanceof OperationNotSupported) return undefined;
    throw error;
  }
}

/** What employees name, such as their offices, each once. */
export async function readNamedByEmployees<Named extends { remote_id?: string | null | undefined }>(
  ask: Ask,
  list: (attributes: JsonObject) => readonly Named[],
): Promise<Named[]> {
  const named = new Map<string, Named>();
  for await (const { records } of readEmployeePages(ask))
    for (const record of records)
      for (const one of list(toObject(record["attributes"]) ?? {}))
        named.set(one.remote_id ?? "", one);
  return [...named.values()];
}
