import type { Keyring } from "../platform/crypto/index.ts";
import type { Connection, SealedConnection } from "./connection.ts";
import { connectionKey, sealedSession, sealedSettings } from "./sealed-sign-in.ts";

export function openConnection(
  keyring: Keyring,
  { wrappedKey, sealedSession: session, sealedSettings: settings, ...summary }: SealedConnection,
): Connection {
  const owner = { connectionId: summary.id };
  const dataKey = connectionKey.open(keyring, owner, wrappedKey);
  return {
    ...summary,
    session: sealedSession.open(dataKey, owner, session),
    settings: settings ? sealedSettings.open(dataKey, owner, settings) : {},
    dataKey,
  };
}
