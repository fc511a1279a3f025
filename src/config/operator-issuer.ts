import type { OperatorIssuer } from "../console/index.ts";
import { isLoopbackUrl } from "./values.ts";
import type { Variables } from "./variables.ts";

const required = [
  "CONSOLE_OIDC_ISSUER",
  "CONSOLE_OIDC_CLIENT_ID",
  "CONSOLE_OIDC_CLIENT_SECRET",
  "CONSOLE_OIDC_OPERATORS",
] as const;

/** How operators sign in to the console by OpenID Connect. Undefined when none of it is set. */
export function readOperatorIssuer(values: Variables): {
  operatorIssuer: OperatorIssuer | undefined;
  problems: string[];
} {
  const {
    CONSOLE_OIDC_ISSUER: url,
    CONSOLE_OIDC_CLIENT_ID: clientId,
    CONSOLE_OIDC_CLIENT_SECRET: clientSecret,
    CONSOLE_OIDC_OPERATORS: operators,
    CONSOLE_OIDC_GROUPS_CLAIM: groupsClaim,
  } = values;
  if (url && clientId && clientSecret && operators) {
    const problems = findProblems(url, values.ENVIRONMENT === "prod");
    return { operatorIssuer: { url, clientId, clientSecret, operators, groupsClaim }, problems };
  }
  const missing = required.filter((name) => !values[name]);
  const why = "required, because another variable of CONSOLE_OIDC is set";
  const problems = missing.length < required.length ? [`${missing.join(", ")}: ${why}`] : [];
  return { operatorIssuer: undefined, problems };
}

function findProblems(url: string, isProd: boolean): string[] {
  const { protocol, search, hash, username, password } = new URL(url);
  if (`${search}${hash}${username}${password}` !== "")
    return ["CONSOLE_OIDC_ISSUER: is an address without a query, a fragment or a password"];
  return protocol === "https:" || (!isProd && isLoopbackUrl(url))
    ? []
    : ["CONSOLE_OIDC_ISSUER: begins with https://; http is for a loopback host outside of prod"];
}
