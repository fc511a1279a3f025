import type { Client, Clients } from "../clients/index.ts";
import { Connect, type LogOuts } from "../connect/index.ts";
import type { Connections } from "../connections/index.ts";
import type { Events } from "../events/index.ts";
import type { Tokens } from "../tokens/index.ts";
import type { Webhooks } from "../webhooks/index.ts";

interface EndDependencies {
  clients: Clients;
  connections: Connections;
  events: Events;
  logOuts: LogOuts;
  tokens: Tokens;
  webhooks: Webhooks;
}

/** Of a client, before it is the turn of the next one. */
const portion = 100;
/** Of all clients in one run, which would count as late if it went on for long. */
const mostOfRun = 500;

/** In the transaction that ends a client, its sign-ins end. It is answered when no process takes a token of it. */
export function followEnds({ clients, tokens }: Pick<EndDependencies, "clients" | "tokens">): void {
  clients.observe({
    onEnded: (tx, { clientId }) => Connect.expireFlowsOf(tx, clientId),
    afterEnded: ({ clientId }) => tokens.endCopiesOf(clientId),
  });
}

/**
 * Disconnects what clients that have ended still have, each connection in a transaction of its own, and forgets their
 * secrets when their last webhooks were sent. What a run leaves, or a process that is killed, is for the next run, of any
 * worker.
 */
export async function endClients(
  dependencies: EndDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (let left = mostOfRun; left > 0;) {
    const ended = await endSome(dependencies, left, signal);
    if (ended === 0) return;
    left -= ended;
    // No more sign-outs than these are under way at a provider.
    await dependencies.logOuts.done(signal);
  }
}

/** Returns how many connections were disconnected: none when there is none, or the signal has fired. */
async function endSome(
  dependencies: EndDependencies,
  most: number,
  signal: AbortSignal,
): Promise<number> {
  const { clients, connections, tokens } = dependencies;
  let ended = 0;
  for (const client of await clients.ends.listUnfinished()) {
    const limit = Math.min(portion, most - ended);
    const found = await connections.listing.tokensOf(client.clientId, limit);
    for (const tokenId of found) {
      if (signal.aborted) return 0;
      await tokens.disconnect({ tokenId, isSharedSandbox: false }, "operator");
    }
    ended += found.length;
    if (await isNothingLeft(dependencies, client)) await clients.ends.finish(client);
  }
  return ended;
}

/** An event gets its webhook together with its position, and none is made once there is no connection. */
async function isNothingLeft(
  { connections, events, webhooks }: EndDependencies,
  { clientId }: Client,
): Promise<boolean> {
  return (
    (await connections.listing.count({ clientId }, 1)) === 0 &&
    (await events.arePlaced(clientId)) &&
    (await webhooks.hasToldLast(clientId))
  );
}
