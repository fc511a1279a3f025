import type { DataKey } from "../platform/crypto/index.ts";

type Kind =
  | "company"
  | "employee"
  | "group"
  | "work-location"
  | "payrun"
  | "payslip"
  | "timesheet"
  | "time-off-entry"
  | "time-off-policy";

export type MintId = <RemoteId extends string | null | undefined>(
  kind: Kind,
  remoteId: RemoteId,
) => RemoteId extends string ? string : string | null;

/** An id is stable for a record of a connection, differs between connections, and does not reveal the provider's id. */
export function createMint(dataKey: DataKey): MintId {
  const mint = (kind: Kind, remoteId: string | null | undefined): string | null =>
    typeof remoteId !== "string"
      ? null
      : dataKey.mac("id", kind, "\0", remoteId).subarray(0, idBytes).toString("base64url");
  return mint as MintId;
}

export const idBytes = 16;
