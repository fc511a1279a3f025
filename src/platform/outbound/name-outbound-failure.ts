import { NameNotResolved } from "./query-dns.ts";
import { TargetRefused } from "./outbound-error.ts";

/** Why no answer came. */
export type OutboundFailure = "refused_target" | "unresolvable" | "connection_failed" | "tls";

const ofTls =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/;

/** Names what went wrong with a request that has no answer, without quoting it. */
export function nameOutboundFailure(error: unknown): OutboundFailure {
  if (error instanceof TargetRefused) return "refused_target";
  if (error instanceof NameNotResolved) return "unresolvable";
  const { code } = error as { code?: unknown };
  return typeof code === "string" && ofTls.test(code) ? "tls" : "connection_failed";
}
