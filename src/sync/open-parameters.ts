import type { Connection } from "../connections/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { FetchParameters } from "../providers/index.ts";
import type { Fetch } from "./fetch-store.ts";
import { decodeRange } from "./parameters.ts";
import { sealedPayrun } from "./sealed-snapshot.ts";
import { findIssuedPayrun } from "./snapshot-store.ts";

/** The parameters of a fetch as the adapter takes them: our id of a pay run becomes the provider's. */
export async function openParameters(
  pool: Pool,
  { resource, parameters, connectionId }: Fetch,
  { dataKey }: Connection,
): Promise<FetchParameters> {
  if (resource === "payslips") {
    const sealed = await findIssuedPayrun(pool, connectionId, parameters);
    return sealed
      ? { payrunRemoteId: sealedPayrun.open(dataKey, { connectionId, id: parameters }, sealed) }
      : {};
  }
  const range = decodeRange(parameters);
  return range ? { range } : {};
}
