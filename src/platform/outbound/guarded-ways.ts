import type { Dispatcher } from "undici";
import { AddressPolicy } from "./address-policy.ts";
import {
  createGuardedAgent,
  ownResolver,
  type GuardedAgentOptions,
} from "./create-guarded-agent.ts";

/** A range that the operator opened, as AddressPolicy takes it: for everybody, or for one owner. */
export interface OpenedRange {
  range: string;
  ownerId?: string | undefined;
}

interface Way {
  policy: AddressPolicy;
  agent: Dispatcher;
}

/** A way out with sockets of its own, which knows where they went. */
export interface OwnWay {
  agent: Dispatcher;
  /** Whether it went to an address that is not public, or may have done so. */
  wentInside(): boolean;
  close(): Promise<void>;
}

/**
 * The ways out for one purpose. Whoever has ranges of its own has an agent of its own too, because others must not
 * get a socket into them. Names are found by one resolver.
 */
export class GuardedWays {
  readonly #options: Omit<GuardedAgentOptions, "policy">;
  readonly #shared: Way;
  readonly #own: ReadonlyMap<string, Way>;

  constructor(
    ranges: readonly OpenedRange[],
    options: Omit<GuardedAgentOptions, "policy" | "resolve">,
  ) {
    this.#options = { ...options, resolve: ownResolver() };
    const open = (isOpen: (range: OpenedRange) => boolean): Way => {
      const policy = new AddressPolicy(ranges.filter(isOpen).map(({ range }) => range));
      return { policy, agent: createGuardedAgent({ ...this.#options, policy }) };
    };
    this.#shared = open(({ ownerId }) => ownerId === undefined);
    const owners = new Set(ranges.flatMap(({ ownerId }) => ownerId ?? []));
    this.#own = new Map(
      [...owners].map((owner) => [
        owner,
        open(({ ownerId }) => ownerId === undefined || ownerId === owner),
      ]),
    );
  }

  /** What reaches public addresses, the ranges of everybody, and those of the owner. */
  agentOf(ownerId: string | undefined): Dispatcher {
    return this.#wayOf(ownerId).agent;
  }

  policyOf(ownerId: string | undefined): AddressPolicy {
    return this.#wayOf(ownerId).policy;
  }

  /** The same, with sockets of its own. Close it. */
  open(ownerId: string | undefined): OwnWay {
    let isInside = false;
    const agent = createGuardedAgent({
      ...this.#options,
      policy: this.policyOf(ownerId),
      onInside: () => (isInside = true),
    });
    return { agent, wentInside: () => isInside, close: () => agent.destroy() };
  }

  async close(): Promise<void> {
    await Promise.all([this.#shared, ...this.#own.values()].map(({ agent }) => agent.close()));
  }

  #wayOf(ownerId: string | undefined): Way {
    return (ownerId === undefined ? undefined : this.#own.get(ownerId)) ?? this.#shared;
  }
}
