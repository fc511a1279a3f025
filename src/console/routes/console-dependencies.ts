import type { FastifyRequest } from "fastify";
import type { AuditChain } from "../../audit/index.ts";
import type { Connect, LogOuts, SignInThrottle } from "../../connect/index.ts";
import type { Connections } from "../../connections/index.ts";
import type { Events } from "../../events/index.ts";
import type { Keys } from "../../keys/index.ts";
import type { BoundSince } from "../../platform/bound-rows.ts";
import type { Listener } from "../../platform/db/index.ts";
import type { JobQueue } from "../../platform/queue/index.ts";
import type { ProviderRegistry } from "../../providers/index.ts";
import type { Reads } from "../../reading/index.ts";
import type { Sandbox } from "../../sandbox/index.ts";
import type { Sync } from "../../sync/index.ts";
import type { Tokens } from "../../tokens/index.ts";
import type { Webhooks } from "../../webhooks/index.ts";
import type { OperatorIssuer } from "../organisation/is-operator.ts";
import type { ConsoleSessions, SessionDependencies } from "../sessions.ts";
import type { ConsoleCookie } from "./console-cookie.ts";

/** The rooms that the console asks. */
export interface ConsoleRooms extends SessionDependencies {
  databaseUrl: string;
  listener: Listener;
  auditChain: AuditChain;
  queue: JobQueue;
  queueNames: readonly string[];
  boundSince: BoundSince;
  registry: ProviderRegistry;
  connect: Connect;
  connections: Connections;
  tokens: Tokens;
  logOuts: LogOuts;
  signInThrottle: SignInThrottle;
  reads: Reads;
  sandbox: Sandbox;
  sync: Sync;
  events: Events;
  webhooks: Webhooks;
  keys: Keys;
  publicUrl: string;
  isLocal: boolean;
  takesClients: boolean;
  /** Undefined when operators do not sign in by OpenID Connect. */
  operatorIssuer: OperatorIssuer | undefined;
}

export interface ConsoleDependencies extends ConsoleRooms {
  cookie: ConsoleCookie;
  sessions: ConsoleSessions;
  isOwnOrigin: (request: FastifyRequest) => boolean;
}
