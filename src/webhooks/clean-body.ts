import type { Clients } from "../clients/index.ts";
import { fieldsWithout, withoutFields, type ClientId } from "../model/index.ts";

/** A body without what its client has switched off: what was switched off after the body was made is not sent. */
export async function withoutFieldsOff(
  body: Buffer,
  clients: Pick<Clients, "fieldsOff">,
  clientId: ClientId,
): Promise<Buffer> {
  return cleanBody(body, fieldsWithout(await clients.fieldsOff(clientId)));
}

/** Without these fields of each record. */
export function cleanBody(body: Buffer, fields: readonly string[]): Buffer {
  if (fields.length === 0) return body;
  const lists = Object.entries(JSON.parse(body.toString()) as Record<string, object[]>);
  const cleaned = lists.map(([name, employees]) => [
    name,
    employees.map((employee) => withoutFields(employee, fields)),
  ]);
  return Buffer.from(JSON.stringify(Object.fromEntries(cleaned)));
}
