import { z } from "zod";
import type { ClientId, ConnectionId } from "../model/index.ts";
import { sealedJson, type DataKey, type Keyring, type MacKey } from "../platform/crypto/index.ts";

/** What a client calls a connection. It is the client's alone: no end user is shown it. */
export interface Label {
  reference: string | null;
  metadata: Record<string, unknown> | null;
}

const mostMetadataBytes = 2_048;

/** A header carries it, which would lose spaces at its ends. */
const reference = z
  .string({ error: "has to be one text" })
  .regex(/^[ -~]{1,200}$/, "has 1 to 200 characters of printable ASCII")
  .refine((text) => text.trim() === text, "begins and ends without a space");

const metadata = z
  .record(z.string(), z.unknown(), { error: "has to be a JSON object" })
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= mostMetadataBytes,
    "is at most 2,048 bytes as JSON",
  );

const referenceNote =
  "Your own id for the connection, 1 to 200 characters of printable ASCII. Lists and webhooks show it; the end user " +
  "never sees it";
const metadataNote =
  "What you want to find beside the connection: a JSON object of at most 2 kB. The end user never sees it";

const examples = {
  reference: ["customer-4711"],
  metadata: [{ plan: "team", region: "eu" }],
};

/** The fields of a request that sets the label. */
export const labelFields = {
  reference: reference.optional().describe(referenceNote).meta({ examples: examples.reference }),
  metadata: metadata.optional().describe(metadataNote).meta({ examples: examples.metadata }),
};

/** The fields of a reply that shows the label. */
export const shownLabelFields = {
  reference: z
    .string()
    .nullable()
    .describe(
      "What the client calls the connection; null when it set none, and after a disconnect",
    ),
  metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("What the client keeps beside the connection; null as `reference` is"),
};

/** Null when the request sets neither. */
export function readLabel(given: {
  reference?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}): Label | null {
  const label = { reference: given.reference ?? null, metadata: given.metadata ?? null };
  return label.reference === null && label.metadata === null ? null : label;
}

/** As it is sealed with what it belongs to. */
export const label: z.ZodType<Label> = z.object({
  reference: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
});

const sealedLabel = sealedJson({ name: "label", owner: ["connectionId"], schema: label });

export interface StoredLabel {
  sealedLabel: Buffer;
  referenceDigest: Buffer | null;
}

export function storeLabel(
  keyring: Keyring,
  { id, clientId, dataKey }: { id: ConnectionId; clientId: ClientId; dataKey: DataKey },
  given: Label,
): StoredLabel {
  const { reference: named } = given;
  return {
    sealedLabel: sealedLabel.seal(dataKey, { connectionId: id }, given),
    referenceDigest:
      named === null ? null : digestReference(keyring.macKey("account"), clientId, named),
  };
}

/** Throws for a label that somebody without the service's keys wrote. */
export function openLabel(dataKey: DataKey, connectionId: ConnectionId, sealed: Buffer): Label {
  return sealedLabel.open(dataKey, { connectionId }, sealed);
}

/** By every key of the service, the retired ones too. */
export function digestsOfReference(keyring: Keyring, clientId: ClientId, named: string): Buffer[] {
  return keyring.macKeys("account").map((key) => digestReference(key, clientId, named));
}

/** Under the keys of accounts, which are kept when a master key is retired. No account's text begins as this one. */
function digestReference(key: MacKey, clientId: ClientId, named: string): Buffer {
  return key.mac(`reference\0${JSON.stringify([clientId, named])}`);
}
