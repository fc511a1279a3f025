import {
  fieldsToSwitch,
  type EventType,
  type FieldOff,
  type PollableResource,
} from "../model/index.ts";
import type { Client } from "./client.ts";

/** What changes of a client. What is left out stays as it is. */
export interface ClientChange {
  name?: string | undefined;
  secrets?: readonly string[] | undefined;
  webhookUri?: string | null | undefined;
  eventUri?: string | null | undefined;
  eventTypes?: readonly EventType[] | null | undefined;
  pollResources?: readonly PollableResource[] | null | undefined;
  redirectUris?: readonly string[] | undefined;
  requirePkce?: boolean | undefined;
  allowSandbox?: boolean | undefined;
  /** The whole list, in any order. */
  fieldsOff?: readonly FieldOff[] | undefined;
  purpose?: string | null | undefined;
  privacyUrl?: string | null | undefined;
  supportUrl?: string | null | undefined;
  brandColor?: string | null | undefined;
  requestsPer5Minutes?: number | null | undefined;
  /** In base64, as `clientFields` checks it. */
  logo?: string | null | undefined;
}

/** All but the secrets and the picture. */
export function applyChange(
  client: Client,
  { secrets: _secrets, logo: _logo, fieldsOff, ...change }: ClientChange,
): Client {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const ordered = fieldsOff && fieldsToSwitch.filter((field) => fieldsOff.includes(field));
  return { ...client, ...Object.fromEntries(given), fieldsOff: ordered ?? client.fieldsOff };
}

/** Whether fields of employees are off that were on, or the other way. */
export function haveSwitched(before: Client, after: Client): boolean {
  return before.fieldsOff.join() !== after.fieldsOff.join();
}
