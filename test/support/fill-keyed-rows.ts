import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { bindGrant } from "../../src/connections/index.ts";
import { connectionKey, sealSignIn } from "../../src/connections/sealed-sign-in.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { mintCredential, sha256 } from "../../src/platform/crypto/index.ts";
import type { Services } from "../../src/start/services.ts";
import { bindDigest } from "../../src/tokens/bind-token.ts";

const batch = 1_000;
const identity = "/2023-03-01/xhr/identity";

/** Claimed connections of a client with their tokens, as sign-ins and exchanges make them. Returns the tokens. */
export async function fillKeyedRows(
  { pool, keyring, clock }: Pick<Services, "pool" | "keyring"> & { clock: Clock },
  clientId: string,
  count: number,
): Promise<string[]> {
  const tokens: string[] = [];
  const now = clock.now();
  for (let start = 0; start < count; start += batch) {
    const rows = Array.from({ length: Math.min(batch, count - start) }, () => {
      const [connectionId, tokenId, token] = [uuidv7(), uuidv7(), mintCredential("at", "dev")];
      const { dataKey, wrapped } = connectionKey.create(keyring, { connectionId });
      const sealed = sealSignIn(dataKey, connectionId, {
        session: { user: "user_good" },
        identity: { name: "Anna", email: "anna@example.com", phone_number: null },
        unsupported: [],
        origin: null,
      });
      const [digest, codeDigest] = [sha256(token), randomBytes(32)];
      const grant = { provider: "sandbox", mode: "xhr", scopes: [identity] } as const;
      const grantMac = bindGrant(keyring, codeDigest, {
        ...grant,
        scopes: [identity] as never,
        tokenId,
        clientId,
        connectionId,
      });
      const digestMac = bindDigest(keyring, digest, codeDigest);
      tokens.push(token);
      return { connectionId, tokenId, wrapped, sealed, digest, codeDigest, grantMac, digestMac };
    });
    await pool.query(
      `insert into connections (id, client_id, token_id, provider, mode, scopes, key_id, wrapped_key, sealed_session,
         sealed_identity, unsupported, created_at, signed_in_at, claimed_at)
       select id, $1, token_id, 'sandbox', 'xhr', array[$2], $3, wrapped, session, identity, '{}', $4, $4, $4
       from unnest($5::uuid[], $6::uuid[], $7::bytea[], $8::bytea[], $9::bytea[])
         as r (id, token_id, wrapped, session, identity)`,
      [
        clientId,
        identity,
        keyring.activeKeyId,
        now,
        rows.map((row) => row.connectionId),
        rows.map((row) => row.tokenId),
        rows.map((row) => row.wrapped.bytes),
        rows.map((row) => row.sealed.sealedSession),
        rows.map((row) => row.sealed.sealedIdentity),
      ],
    );
    await pool.query(
      `insert into tokens (id, client_id, digest, provider, mode, scopes, created_at, code_digest, grant_mac, digest_mac)
       select id, $1, digest, 'sandbox', 'xhr', array[$2], $3, code_digest, grant_mac, digest_mac
       from unnest($4::uuid[], $5::bytea[], $6::bytea[], $7::text[], $8::text[])
         as r (id, digest, code_digest, grant_mac, digest_mac)`,
      [
        clientId,
        identity,
        now,
        rows.map((row) => row.tokenId),
        rows.map((row) => row.digest),
        rows.map((row) => row.codeDigest),
        rows.map((row) => row.grantMac),
        rows.map((row) => row.digestMac),
      ],
    );
  }
  return tokens;
}
