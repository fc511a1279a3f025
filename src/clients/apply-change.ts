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
export function applyChange(client: Client, change: ClientChange): Client {
  return {
    ...client,
    name: choose(change.name, client.name),
    redirectUris: change.redirectUris ? [...change.redirectUris] : client.redirectUris,
    webhookUri: choose(change.webhookUri, client.webhookUri),
    eventUri: choose(change.eventUri, client.eventUri),
    eventTypes: copy(choose(change.eventTypes, client.eventTypes)),
    pollResources: copy(choose(change.pollResources, client.pollResources)),
    requirePkce: choose(change.requirePkce, client.requirePkce),
    allowSandbox: choose(change.allowSandbox, client.allowSandbox),
    fieldsOff: change.fieldsOff
      ? fieldsToSwitch.filter((field) => change.fieldsOff?.includes(field))
      : client.fieldsOff,
    purpose: choose(change.purpose, client.purpose),
    privacyUrl: choose(change.privacyUrl, client.privacyUrl),
    supportUrl: choose(change.supportUrl, client.supportUrl),
    brandColor: choose(change.brandColor, client.brandColor),
    requestsPer5Minutes: choose(change.requestsPer5Minutes, client.requestsPer5Minutes),
  };
}

/** Whether fields of employees are off that were on, or the other way. */
export function haveSwitched(before: Client, after: Client): boolean {
  return before.fieldsOff.join() !== after.fieldsOff.join();
}

function choose<Value>(changed: Value | undefined, current: Value): Value {
  return changed === undefined ? current : changed;
}

function copy<Value>(list: readonly Value[] | null): Value[] | null {
  return list && [...list];
}
