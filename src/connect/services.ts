import type { Clients } from "../clients/index.ts";
import type { Connections } from "../connections/index.ts";
import type { BoundSince } from "../platform/bound-rows.ts";
import type { Clock } from "../platform/clock.ts";
import type { Environment, Keyring } from "../platform/crypto/index.ts";
import type { Listener, Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import type { Tracing } from "../platform/tracing/index.ts";
import type { OAuth2Applications, ProviderRegistry } from "../providers/index.ts";
import type { Tokens } from "../tokens/index.ts";
import type { Connect } from "./connect.ts";
import type { LogOuts } from "./log-outs.ts";
import type { BrowserSession } from "./routes/browser-session.ts";
import type { PageReplies } from "./routes/page-replies.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

/** What this room works with. */
export interface Services {
  pool: Pool;
  clock: Clock;
  keyring: Keyring;
  listener: Listener;
  queue: JobQueue;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  boundSince: BoundSince;
  registry: ProviderRegistry;
  applications: OAuth2Applications;
  clients: Clients;
  connect: Connect;
  connections: Connections;
  tokens: Tokens;
  logOuts: LogOuts;
  signInThrottle: SignInThrottle;
  environment: Environment;
  issuer: string;
  isLocal: boolean;
}

/** Those of the services that a function uses. */
export type Needs<Name extends keyof Services> = Pick<Services, Name>;

/** What the pages work with: their forms lead to everything else in the room. */
export interface PageServices extends Services {
  browserSession: BrowserSession;
  pages: PageReplies;
}
