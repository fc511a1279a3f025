import type { MacKey } from "../../platform/crypto/index.ts";

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

export const idBytes = 16;

/** Groups, locations and managers repeat in every record of a list. */
const mostKnown = 100_000;

/** An id is stable for a record of a connection, differs between connections, and does not reveal the provider's id. */
export function createMint(key: MacKey): MintId {
  const known = new Map<string, string>();
  const mint = (kind: Kind, remoteId: string | null | undefined): string | null => {
    if (typeof remoteId !== "string") return null;
    const name = `${kind}\0${remoteId}`;
    const minted = known.get(name) ?? key.mac(name).toString("base64url", 0, idBytes);
    if (known.size < mostKnown) known.set(name, minted);
    return minted;
  };
  return mint as MintId;
}
