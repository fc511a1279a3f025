import { z } from "zod";
import { identity, resources, type ConnectionId } from "../model/index.ts";
import {
  sealedJson,
  wrappedDataKey,
  type DataKey,
  type Keyring,
} from "../platform/crypto/index.ts";
import { describeWrappedKeys } from "../platform/keyed-rows.ts";
import type { Connection, SealedConnection } from "./connection.ts";
import type { SignInPart } from "./store.ts";

const session = z.record(z.string(), z.unknown());
const settings = z.record(z.string(), z.string());

/** What a completed sign-in gives. */
export const signIn = z.object({
  session,
  identity,
  unsupported: z.array(z.enum(resources)).readonly(),
  /** The address that the session belongs to, such as `https://acme.example.com`. */
  origin: z.string().nullable(),
  settings: settings.exactOptional(),
  /** Names the account at the provider. It is found by a keyed digest. */
  account: z.array(z.string()).readonly().exactOptional(),
  /** As the form named it without its keys, where the session names the account. */
  typedAccount: z.array(z.string()).readonly().exactOptional(),
  /** Resources that this account may not read. */
  forbidden: z.array(z.enum(resources)).readonly().exactOptional(),
  /** Fields that this account may not read. */
  limited: z.partialRecord(z.enum(resources), z.array(z.string()).readonly()).exactOptional(),
});

export type SignIn = z.output<typeof signIn>;

/** Deleting it makes every value that was sealed for the connection unreadable. */
export const connectionKey = wrappedDataKey({ name: "connection-key", owner: ["connectionId"] });
export const connectionKeyRows = describeWrappedKeys("connections", (keyring, id, wrapped) =>
  connectionKey.rewrap(keyring, { connectionId: id }, wrapped),
);
export const sealedSession = sealedJson({
  name: "session",
  owner: ["connectionId"],
  schema: session,
});
export const sealedIdentity = sealedJson({
  name: "identity",
  owner: ["connectionId"],
  schema: identity,
});
const sealedSettings = sealedJson({
  name: "settings",
  owner: ["connectionId"],
  schema: settings,
});

export function sealSignIn(
  dataKey: DataKey,
  connectionId: ConnectionId,
  { session, identity, unsupported, settings = {} }: SignIn,
): Omit<SignInPart, "originKey" | "accountDigest" | "sealedAccount" | "rights"> {
  return {
    sealedSession: sealedSession.seal(dataKey, { connectionId }, session),
    sealedIdentity: sealedIdentity.seal(dataKey, { connectionId }, identity),
    sealedSettings: sealSettings(dataKey, connectionId, settings),
    unsupported,
  };
}

/** Null for a connection without settings. */
export function sealSettings(
  dataKey: DataKey,
  connectionId: ConnectionId,
  values: Record<string, string>,
): Buffer | null {
  return Object.keys(values).length > 0
    ? sealedSettings.seal(dataKey, { connectionId }, values)
    : null;
}

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
