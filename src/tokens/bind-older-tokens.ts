import { randomBytes } from "node:crypto";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import { bindDigest, bindGrant } from "./bind-token.ts";
import { findUnbound, requireBoundTokens, storeBindings } from "./store.ts";

const mostAtOnce = 1_000;

/**
 * Binds the tokens that a version issued which bound none, as long as its processes may still run. True when every
 * token is bound, and none can be stored that is not.
 */
export async function bindOlderTokens(pool: Pool, keyring: Keyring): Promise<boolean> {
  if (await requireBoundTokens(pool)) return true;
  for (;;) {
    const unbound = await findUnbound(pool, mostAtOnce);
    if (unbound.length === 0) return await requireBoundTokens(pool);
    await storeBindings(
      pool,
      unbound.map(({ digest, ...grant }) => {
        const codeDigest = randomBytes(32);
        return {
          digest,
          codeDigest,
          grantMac: bindGrant(keyring, codeDigest, grant),
          digestMac: bindDigest(keyring, digest, codeDigest),
        };
      }),
    );
  }
}
