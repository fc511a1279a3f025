import { describeBoundRows } from "../platform/bound-rows.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { queryRow, type Queryable } from "../platform/db/index.ts";
import { openFlowKey } from "./flow-secrets.ts";
import { findStoredFlow } from "./flow-store.ts";
import { sealTerms, unsealedTerms } from "./flow-terms.ts";

/** Binds sign-ins of a version that sealed no terms. Most are one-time links, which may wait for a week. */
export const flowBindings = describeBoundRows({
  table: "connect_flows",
  key: "id",
  unbound: "from connect_flows where sealed_terms is null",
  bindIfUnchanged,
});

/** `xmin` is the transaction that wrote the row. Nobody who writes a row can choose it. */
async function bindIfUnchanged(
  tx: Queryable,
  keyring: Keyring,
  { id, upgrade }: { id: string; upgrade: string },
): Promise<void> {
  const locked = await queryRow<{ isUnchanged: boolean }>(
    tx,
    `with current as materialized (select pg_current_xact_id()::text::bigint as xid)
     select current.xid - age(f.xmin) < $2::bigint as "isUnchanged"
     from current cross join connect_flows f where f.id = $1 and f.sealed_terms is null for update of f`,
    [id, upgrade],
  );
  const stored = locked?.isUnchanged ? await findStoredFlow(tx, { id }) : undefined;
  if (!stored) return;
  const terms = { ...stored, ...unsealedTerms };
  await tx.query("update connect_flows set sealed_terms = $2 where id = $1", [
    id,
    sealTerms(openFlowKey(keyring, stored), id, terms),
  ]);
}
