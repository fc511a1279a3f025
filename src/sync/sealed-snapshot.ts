import { z } from "zod";
import { sealedBytes, sealedJson } from "../platform/crypto/index.ts";

const owner = ["connectionId", "resource", "parameters", "version"] as const;

/** The compressed body of a snapshot. It opens for its connection, resource, parameters and version only. */
export const sealedBody = sealedBytes({ name: "snapshot-body", owner });

export const sealedIndex = sealedBytes({ name: "snapshot-index", owner });

/** Where the changes of a stored list go on, and the sign-in that it belongs to. */
export const sealedSince = sealedJson({
  name: "snapshot-since",
  owner,
  schema: z.object({ cursor: z.record(z.string(), z.unknown()), signInCount: z.int() }),
});

/** The provider's id of a pay run, bound to the id that we issued for it. */
export const sealedPayrun = sealedJson({
  name: "payrun",
  owner: ["connectionId", "id"],
  schema: z.string(),
});
