import { LRUCache } from "lru-cache";
import type { Grant } from "../connections/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { areKeysKnown, isBound, type TokenBinding } from "./bind-token.ts";

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
