import type { AuthErrorCode } from "../model/index.ts";

/** The result of asking for a resource. The data room turns it into a reply. */
export type Reading =
  | { kind: "ready"; version: string; fetchedAt: Date }
  /** `isSlow`: such reads take long, or it waits long for its provider. */
  | { kind: "pending"; readId: string; retryAfterSeconds: number; isSlow: boolean }
  /** The provider refused the connection. This holds until the end user signs in again. */
  | { kind: "refused"; code: AuthErrorCode }
  | { kind: "unsupported" }
  | { kind: "unavailable"; retryAfterSeconds: number }
  /** The provider's answer broke the provider's own contract. */
  | { kind: "broken" }
  | { kind: "unknown-payrun" }
  | { kind: "disconnected" };
