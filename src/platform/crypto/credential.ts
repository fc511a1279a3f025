import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bodyLength = 43;
const checksumLength = 6;
const credentialPattern = /^rc_([a-z]{2})_(dev|prod)_[0-9A-Za-z]{49}$/;

/** client secret, authorization code, access token, connect link, browser session */
export type CredentialKind = "cs" | "ac" | "at" | "ln" | "bs";
export type Environment = "dev" | "prod";

/** What the form of a string says about it. A malformed credential is refused without a look-up. */
export type CredentialForm = "valid" | "other-environment" | "malformed";

/** `rc_<kind>_<environment>_`, 256 random bits in 43 base62 characters, the CRC32 of all that in 6. */
export function mintCredential(kind: CredentialKind, environment: Environment): string {
  const random = BigInt(`0x${randomBytes(32).toString("hex")}`);
  const body = `rc_${kind}_${environment}_${toBase62(random, bodyLength)}`;
  return body + checksum(body);
}

/** The kind of a credential that the text begins with or has in it, whole, mistyped or cut off. */
export function findCredential(text: string): CredentialKind | undefined {
  return /(?:^|[^0-9A-Za-z])rc_(cs|ac|at|ln|bs)_/.exec(text)?.[1] as CredentialKind | undefined;
}

/** Says nothing about the checksum: a mistyped credential looks like one, too. */
export function looksLikeCredential(value: string, kind: CredentialKind): boolean {
  return credentialPattern.exec(value)?.[1] === kind;
}

export function checkCredential(
  value: string,
  kind: CredentialKind,
  environment: Environment,
): CredentialForm {
  const match = credentialPattern.exec(value);
  if (!match || match[1] !== kind) return "malformed";
  const body = value.slice(0, -checksumLength);
  if (checksum(body) !== value.slice(-checksumLength)) return "malformed";
  return match[2] === environment ? "valid" : "other-environment";
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(body)), checksumLength);
}

function toBase62(value: bigint, length: number): string {
  let digits = "";
  for (let rest = value; rest > 0n; rest /= 62n)
    digits = alphabet.charAt(Number(rest % 62n)) + digits;
  return digits.padStart(length, "0");
}
