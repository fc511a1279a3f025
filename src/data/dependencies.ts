import type { Clients } from "../clients/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Sync } from "../sync/index.ts";
import type { AdmissionFinder, Tokens } from "../tokens/index.ts";

export interface DataDependencies {
  clients: Clients;
  tokens: Tokens;
  sync: Sync;
  clock: Clock;
}

export interface RouteDependencies extends DataDependencies {
  /** Fires when the app closes, and ends the waiting of open requests. */
  closing: AbortSignal;
}

/** What the routes of fetched data need of all that. */
export interface FetchedDependencies extends Pick<RouteDependencies, "clock" | "closing"> {
  tokens: AdmissionFinder;
  sync: Pick<Sync, "read" | "open" | "waitUntilSettled">;
}
