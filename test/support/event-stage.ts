import { afterAll } from "vitest";
import type { Client } from "../../src/clients/index.ts";
import { createHarness, type HarnessOptions } from "./harness.ts";

/** An event as the list has it. */
interface ListedEvent {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface EventPage {
  events: ListedEvent[];
  after: string;
  more: boolean;
}

export interface Owner {
  client: Client;
  secret: string;
}

export const eventsUrl = "/2023-03-01/management/events";

/** For the tests of one file: the service, and what its clients are told. */
export async function stageEvents(options: HarnessOptions = {}) {
  const harness = await createHarness(options);
  afterAll(() => harness.close());
  const ask = (
    { client, secret }: Owner,
    query: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) => harness.http.get(eventsUrl, { basic: [client.clientId, secret], query, headers });
  const list = async (owner: Owner, query: Record<string, string> = {}): Promise<EventPage> => {
    await harness.services.events.place();
    return (await ask(owner, query)).body as EventPage;
  };
  return {
    harness,
    ask,
    list,
    /** What the client was told since a cursor, without ids and times. */
    told: async (
      owner: Owner,
      after = "0",
    ): Promise<[type: string, data: Record<string, unknown>][]> =>
      (await list(owner, { after })).events.map(({ type, data }) => [type, data]),
  };
}
