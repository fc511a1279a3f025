import { defineReader } from "../contract.ts";
import { BambooClient } from "./bamboohr-client.ts";
import { readLists, readPlaces, type Place } from "./references.ts";

export const workLocations = defineReader<"work-locations", Place>({
  async *fetch(context, session) {
    const client = new BambooClient(context, session);
    yield await readPlaces(client, await readLists(client));
  },
  map: (place) => place,
});
