import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { refuseInTransaction } from "../open-transaction.ts";
import type { AddressPolicy } from "./address-policy.ts";
import { NameResolver, type LookupOptions } from "./name-resolver.ts";
import { TargetRefused } from "./outbound-error.ts";
import { NameNotResolved } from "./query-dns.ts";
import { watchDispatch } from "./watch-dispatch.ts";

type Resolve = (hostname: string, options: LookupOptions) => Promise<readonly string[]>;

export interface GuardedAgentOptions {
  policy: AddressPolicy;
  /** Without it, plain http is only for addresses that the operator names. */
  allowsHttp?: boolean | undefined;
  /** Returns all addresses of a name. Without it, a resolver of this agent's own does. */
  resolve?: Resolve | undefined;
  localAddress?: string | undefined;
  connectTimeoutMs?: number | undefined;
  /** Called before a socket goes to an address that the operator's ranges name. */
  onInside?: (() => void) | undefined;
}

/**
 * A pool of sockets per origin. Each socket goes to an address that the policy has checked: the name is
 * resolved once, for the check and for the socket. Redirects are not followed, and the proxy settings of
 * the environment have no effect.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Dispatcher {
  const openRequests = new OpenRequests();
  const findAddresses = endingWithRequests(options.resolve ?? ownResolver(), openRequests);
  const agent = new Agent({
    connect: guardedConnector(findAddresses, options),
    allowH2: false,
  });
  return agent.compose(
    watchDispatch((request) => {
      refuseInTransaction("an outgoing request");
      return { onEnd: openRequest(openRequests, request) };
    }),
  );
}

export function ownResolver(): Resolve {
  const resolver = new NameResolver();
  return (hostname, options) => resolver.resolve(hostname, options);
}

type FindAddresses = (hostname: string) => Promise<readonly string[]>;

/** A look-up belongs to a socket that may be for several requests. It ends when all of them have ended. */
function endingWithRequests(resolve: Resolve, openRequests: OpenRequests): FindAddresses {
  return async (hostname) => await resolve(hostname, { signal: openRequests.signal(hostname) });
}

/** A request that waits for its socket ends with its signal, before the pool of sockets knows. */
function openRequest(
  openRequests: OpenRequests,
  { origin, signal }: Dispatcher.DispatchOptions & { signal?: unknown },
): () => void {
  const end = openRequests.begin(new URL(String(origin)).hostname);
  if (!(signal instanceof AbortSignal)) return end;
  signal.addEventListener("abort", end, { once: true });
  return () => {
    signal.removeEventListener("abort", end);
    end();
  };
}

/** Where a socket goes to on a host. */
interface Place {
  protocol: "https:" | "http:";
  port: number;
}

const defaultPorts = { "https:": 443, "http:": 80 };

function guardedConnector(
  findAddresses: FindAddresses,
  options: GuardedAgentOptions,
): buildConnector.connector {
  const connectors = new Map<string, buildConnector.connector>();
  /** Ports that no range names are alike. */
  const connectorOf = ({ protocol, port }: Place): buildConnector.connector => {
    const key = options.policy.hasRangesOfPort(port) ? `${protocol}${port}` : protocol;
    const known = connectors.get(key);
    if (known) return known;
    const made = connectorFor({ protocol, port }, findAddresses, options);
    connectors.set(key, made);
    return made;
  };
  return (target, callback) => {
    const protocol = target.protocol === "https:" ? "https:" : "http:";
    const port = target.port === "" ? defaultPorts[protocol] : Number(target.port);
    const place = { protocol, port } as const;
    // An IP literal does not pass through the look-up, so it is checked here.
    const refusal =
      isIP(target.hostname) === 0
        ? undefined
        : findRefusal(target.hostname, [target.hostname], place, options);
    if (refusal !== undefined) callback(refusal, null);
    else connectorOf(place)({ ...target, localAddress: options.localAddress ?? null }, callback);
  };
}

function connectorFor(
  place: Place,
  findAddresses: FindAddresses,
  options: GuardedAgentOptions,
): buildConnector.connector {
  return buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs ?? 10_000,
    // Node's default of 250 ms is too short for a distant address to answer.
    autoSelectFamilyAttemptTimeout: 1_000,
    lookup: guardedLookup(place, findAddresses, options),
  });
}

function guardedLookup(
  place: Place,
  findAddresses: FindAddresses,
  options: GuardedAgentOptions,
): LookupFunction {
  const findTargets = callbackify(
    async (hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
      const addresses = await findAddresses(hostname);
      const refusal = findRefusal(hostname, addresses, place, options);
      if (refusal !== undefined) throw refusal;
      const [first, ...others] = addresses
        .map((address) => ({ address, family: isIP(address) }))
        .filter(
          ({ family }) =>
            options.localAddress === undefined || family === isIP(options.localAddress),
        );
      if (first === undefined) throw new NameNotResolved("ENOTFOUND");
      return [first, ...others];
    },
  );
  return (hostname, { all }, callback) => {
    findTargets(hostname, (error, targets) => {
      if (error !== null) callback(error, "");
      else if (all === true) callback(null, targets);
      else callback(null, targets[0].address, targets[0].family);
    });
  };
}

/** A name is refused when one of its addresses is refused, whichever of them the socket would use. */
function findRefusal(
  host: string,
  addresses: readonly string[],
  { protocol, port }: Place,
  { policy, allowsHttp = false, onInside }: GuardedAgentOptions,
): TargetRefused | undefined {
  if (!addresses.every((address) => policy.isAllowed(address, port))) {
    return new TargetRefused(host, "its address is not public");
  }
  const named = addresses.filter((address) => policy.isNamed(address, port));
  if (protocol === "http:" && !allowsHttp && named.length < addresses.length) {
    return new TargetRefused(host, "https is required");
  }
  if (named.length > 0) onInside?.();
  return undefined;
}

interface Host {
  requests: number;
  /** Made when somebody asks for it: most requests find an open socket, and need no look-up. */
  allEnded: AbortController | undefined;
}

/** The open requests of each host, so that what is done for a host can end with them. */
class OpenRequests {
  readonly #hosts = new Map<string, Host>();

  /** Returns the function that ends the request. Further calls of it have no effect. */
  begin(hostname: string): () => void {
    const host = this.#hosts.get(hostname) ?? { requests: 0, allEnded: undefined };
    this.#hosts.set(hostname, host);
    host.requests += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      host.requests -= 1;
      if (host.requests > 0) return;
      this.#hosts.delete(hostname);
      host.allEnded?.abort(new Error("No request needs this host any more."));
    };
  }

  /** Aborts when the host has no open request any more; at once when it has none. */
  signal(hostname: string): AbortSignal {
    const host = this.#hosts.get(hostname);
    if (!host) return AbortSignal.abort();
    host.allEnded ??= new AbortController();
    return host.allEnded.signal;
  }
}
