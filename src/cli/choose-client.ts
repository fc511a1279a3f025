import type { Client } from "../clients/index.ts";
import type { Services } from "../start/services.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";

/** The client of this id, which has not ended. Without one it is the demo client, which local mode has. */
export async function chooseClient(
  { clients, config }: Pick<Services, "clients" | "config">,
  clientId: string | undefined,
  find = (id: string): Promise<Client | undefined> => clients.find(id),
): Promise<Client> {
  const { readDemo } = await import("../start/local-state.ts");
  const id = clientId ?? (config.isLocal && (await readDemo(config.stateDir))?.client_id);
  if (!id) throw new UsageFailure("there is no demo client here: name a client by its client_id");
  const found = await find(id);
  if (!found) throw new CommandFailure(`no client has the id ${id}`, "not_found");
  return found;
}
