import { isGrantBound, type Grant, type GrantBinding } from "../connections/index.ts";
import { keyIdOfMac, type Keyring } from "../platform/crypto/index.ts";
import { LRUCache } from "lru-cache";

/** How a token is bound to its grant. Each MAC is preceded by the name of its key. */
export interface TokenBinding extends GrantBinding {
  /** Of the token and the code. */
  digestMac: string;
}

/** The MAC that a token is issued with, before its grant is looked up. */
export function bindDigest(keyring: Keyring, digest: Buffer, codeDigest: Buffer): string {
  return keyring.sign("token", "digest\0", codeDigest, digest);
}

/** False when somebody without the service's keys wrote the token, or what it gives access to. */
export function isBound(
  keyring: Keyring,
  digest: Buffer,
  binding: TokenBinding,
  grant: Grant,
): boolean {
  const { codeDigest, digestMac } = binding;
  return (
    keyring.isSigned(digestMac, "token", "digest\0", codeDigest, digest) &&
    isGrantBound(keyring, binding, grant)
  );
}

/** False when the service no longer has a key of its MACs. */
function areKeysKnown(keyring: Keyring, { grantMac, digestMac }: TokenBinding): boolean {
  return keyring.has(keyIdOfMac(grantMac)) && keyring.has(keyIdOfMac(digestMac));
}

const mostChecked = 10_000;

/**
 * Remembers the bindings that hold, so that a token that comes again costs no MAC. What has changed is checked anew, and
 * no binding holds by a key that was retired.
 */
export class CheckedBindings {
  readonly #keyring: Keyring;
  /** What was bound, by the digest of its token. */
  readonly #checked = new LRUCache<string, string>({ max: mostChecked });

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** False when somebody without the service's keys wrote the token, or what it gives access to. */
  isBound(digest: Buffer, binding: TokenBinding, grant: Grant): boolean {
    const key = digest.toString("latin1");
    const facts = factsOf(binding, grant);
    if (this.#checked.get(key) === facts) return areKeysKnown(this.#keyring, binding);
    if (!isBound(this.#keyring, digest, binding, grant)) return false;
    this.#checked.set(key, facts);
    return true;
  }
}

/** No text of Postgres has the character that stands between them. */
function factsOf({ codeDigest, grantMac, digestMac }: TokenBinding, grant: Grant): string {
  const { tokenId, clientId, provider, mode, scopes, connectionId } = grant;
  const granted = [tokenId, clientId, provider, mode, scopes.join(" "), connectionId];
  return [codeDigest.toString("base64url"), grantMac, digestMac, ...granted].join("\0");
}
