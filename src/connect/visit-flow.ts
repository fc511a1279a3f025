import { hasConnected, type Flow } from "./flow.ts";
import { findFlow, type FlowSource } from "./find-flow.ts";
import { findRole, type Role } from "./handover.ts";
import type { Needs } from "./services.ts";
import { recoverSignIn } from "./recover-sign-in.ts";

/** What a browser that opens a flow's address gets. The flow of another browser is unknown to it. */
export type Visit =
  { kind: "flow"; flow: Flow; role: Role } | { kind: "unknown" } | { kind: "expired"; flow: Flow };

export async function visitFlow(
  dependencies: FlowSource & Needs<"clients">,
  id: string,
  browser: string | undefined,
): Promise<Visit> {
  const flow = await findFlow(dependencies, id);
  const role = flow && findRole(dependencies.keyring, flow, browser);
  if (!flow || !role) return { kind: "unknown" };
  // The page of a flow that has expired leads back to the client, with what only the first browser may know.
  if (flow.isExpired && !(hasConnected(flow) && (await dependencies.clients.find(flow.clientId))))
    return role === "owner" ? { kind: "expired", flow } : { kind: "unknown" };
  return { kind: "flow", flow: await recoverSignIn(dependencies, flow), role };
}
