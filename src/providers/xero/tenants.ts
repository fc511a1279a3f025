import type { ProviderContext } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { toRecords, toText } from "./field-values.ts";

const connectionsUrl = "https://api.xero.com/connections";

/** An organisation that a person has connected to the operator's application. */
export interface Tenant {
  /** Of the connection, which can be deleted. */
  id: string;
  tenantId: string;
  name: string;
  /** Tenants that were approved at the same time have the same one. */
  authEventId: string | null;
}

/** The organisations that the token opens. A practice is not one of them: it has no payroll. */
export async function listTenants(
  context: Pick<ProviderContext, "http">,
  accessToken: string,
  options: { draws?: Readonly<Record<string, string>> } = {},
): Promise<Tenant[]> {
  const { status, json } = await context.http(connectionsUrl, options).request({
    url: connectionsUrl,
    headers: { accept: "application/json", authorization: `Bearer ${accessToken}` },
  });
  if (status === 401 || status === 403) throw new AuthError("reauthentication_required");
  if (status !== 200) throw new ProviderBug(`the list of connections answered with ${status}`);
  const connections = json();
  // An organisation that is not in the list counts as disconnected.
  if (!Array.isArray(connections)) throw new ProviderBug("Xero answered without the connections");
  return toRecords(connections).flatMap((record) => {
    const [id, tenantId] = [toText(record, "id"), toText(record, "tenantId")];
    if (id === null || tenantId === null || toText(record, "tenantType") !== "ORGANISATION")
      return [];
    const name = toText(record, "tenantName") ?? tenantId;
    return [{ id, tenantId, name, authEventId: toText(record, "authEventId") }];
  });
}

/** Ends the access of the application to the organisation. One that is gone already is as good. */
export async function deleteTenant(
  context: Pick<ProviderContext, "http">,
  accessToken: string,
  { id }: Tenant,
): Promise<void> {
  const { status } = await context.http(connectionsUrl).request({
    method: "DELETE",
    url: `${connectionsUrl}/${encodeURIComponent(id)}`,
    headers: { accept: "application/json", authorization: `Bearer ${accessToken}` },
  });
  if (status !== 204 && status !== 404)
    throw new ProviderBug(`the deletion of a connection answered with ${status}`);
}
