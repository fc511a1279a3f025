import type { Client, Clients } from "../clients/index.ts";
import type { Connections } from "../connections/index.ts";
import type { ConnectionId } from "../model/index.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import type { PollSource } from "../sync/index.ts";
import type { Tokens } from "../tokens/index.ts";

/**
 * What is stored of the employees of a client goes in the transaction that switches fields of them, and again after it:
 * a read that began just before may have stored once more. The client is answered when no process serves it.
 */
export function removeSwitched(
  pool: Pool,
  {
    clients,
    connections,
    pollSource,
    tokens,
  }: { clients: Clients; connections: Connections; pollSource: PollSource; tokens: Tokens },
): void {
  const remove = async (tx: Transaction, { clientId }: Client): Promise<ConnectionId[]> => {
    const ids = await connections.listIds(tx, clientId);
    await pollSource.remove(tx, ids);
    return ids;
  };
  clients.observe({
    onFieldsSwitched: async (tx, client) => void (await remove(tx, client)),
    afterFieldsSwitched: async (client) =>
      await tokens.endCopies(await transaction(pool, (tx) => remove(tx, client))),
  });
}
