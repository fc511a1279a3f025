// Credentials with a checksum, sealed values, data keys, the master keyring, constant-time comparison.
// No key is read from a file or the environment here: the composition root hands them in.
export { DataKey } from "./data-key.ts";
export {
  checkCredential,
  mintCredential,
  type CredentialForm,
  type Environment,
} from "./credential.ts";
export { isSameDigest, sha256 } from "./digest.ts";
export { Keyring, type MasterKey, type Sealed } from "./keyring.ts";
export { sealedBytes, sealedJson, wrappedDataKey } from "./sealed-value.ts";
