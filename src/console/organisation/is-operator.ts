/** What the operator set for the sign-in of operators by OpenID Connect. */
export interface OperatorIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly operators: readonly OperatorRule[];
  /** The claim that names the groups of a person. */
  readonly groupsClaim: string;
}

/** Addresses and domains are in lower case. */
type OperatorRule =
  | { readonly address: string }
  | { readonly group: string }
  | { readonly domain: string; readonly group: string };

/** What the issuer says of a person. */
export type Claims = Readonly<Record<string, unknown>>;

export type Standing = "operator" | "unverified" | "unlisted";

type Rules = Pick<OperatorIssuer, "operators" | "groupsClaim">;

/**
 * Whether the issuer's word makes a person an operator. An address counts with `email_verified` beside it alone. Each
 * source is the id token, or what the issuer answers for the person.
 */
export function standingOf(
  sources: readonly Claims[],
  { operators, groupsClaim }: Rules,
): Standing {
  const addresses = sources.flatMap(verifiedAddress);
  const groups = new Set(sources.flatMap((claims) => textsOf(claims[groupsClaim])));
  const isListed = operators.some(
    (rule) =>
      (!("address" in rule) || addresses.includes(rule.address)) &&
      (!("domain" in rule) || addresses.some((address) => address.endsWith(`@${rule.domain}`))) &&
      (!("group" in rule) || groups.has(rule.group)),
  );
  if (isListed) return "operator";
  const isUnverified = addresses.length === 0 && sources.some(lacksVerification);
  return isUnverified && operators.some(countsAddress) ? "unverified" : "unlisted";
}

export function countsAddress(rule: OperatorRule): boolean {
  return "address" in rule || "domain" in rule;
}

export function countsGroup(rule: OperatorRule): boolean {
  return "group" in rule;
}

/** ASCII alone: letters of other alphabets can become letters of the list when their case changes. */
function verifiedAddress({ email, email_verified: isVerified }: Claims): string[] {
  const isPlain = typeof email === "string" && /^[!-?A-~]+@[!-?A-~]+$/.test(email);
  return isPlain && isVerified === true ? [email.toLowerCase()] : [];
}

function lacksVerification({ email, email_verified: isVerified }: Claims): boolean {
  return email !== undefined && isVerified !== true;
}

function textsOf(claim: unknown): string[] {
  return [claim].flat().filter((each) => typeof each === "string");
}
