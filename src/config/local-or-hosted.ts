import { isLoopback, isLoopbackUrl } from "./values.ts";

/** The variables that are set, by their names. */
type SetVariables = Readonly<Record<string, string | undefined>>;

/** What is not as in local mode. Undefined in local mode. */
export function findHostedReason(set: SetVariables): string | undefined {
  if (set["DATABASE_URL"] !== undefined) return "DATABASE_URL is set";
  if (!isLoopback(set["HOST"] ?? "localhost")) return "HOST is not a loopback address";
  const publicUrl = set["PUBLIC_URL"];
  if (publicUrl !== undefined && !isLoopbackUrl(publicUrl))
    return "PUBLIC_URL is not on a loopback address";
  return set["ENVIRONMENT"] === "prod" ? "ENVIRONMENT is prod" : undefined;
}

/** What keeps a service that is not local from being a hosted one: there is nothing between the two. */
export function findHostedProblems(set: SetVariables, why: string): string[] {
  const publicUrl = set["PUBLIC_URL"];
  const mayBeHttp = set["ENVIRONMENT"] !== "prod" && isLoopbackUrl(publicUrl ?? "");
  return [
    ...(set["MASTER_KEYS"]
      ? []
      : [`MASTER_KEYS: required, because ${why}; make one with: npx rollcall keys generate`]),
    ...(publicUrl ? [] : [`PUBLIC_URL: required, because ${why}`]),
    ...(publicUrl?.startsWith("http:") && !mayBeHttp
      ? [`PUBLIC_URL: begins with https://, because ${why}; set the address of the proxy with TLS`]
      : []),
    ...(set["TRUST_PROXY"]
      ? []
      : [
          `TRUST_PROXY: required, because ${why}; set the addresses of the proxy, or none without one`,
        ]),
  ];
}
