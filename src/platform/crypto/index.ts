// Credentials with a checksum, sealing under data keys, the master keyring, constant-time comparison.
// This room reads no key from a file or the environment: the composition root passes them in.
export { DataKey, MacKey } from "./data-key.ts";
export {
  checkCredential,
  findCredential,
  type CredentialKind,
  looksLikeCredential,
  mintCredential,
  type CredentialForm,
  type Environment,
} from "./credential.ts";
export { isSameDigest, sha256 } from "./digest.ts";
export { keyIdOfMac, Keyring, type MasterKey, type Sealed } from "./keyring.ts";
export { sealedBytes, sealedJson, wrappedDataKey } from "./sealed-value.ts";
