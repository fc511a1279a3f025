import { defineReader } from "../contract.ts";
import { BambooClient } from "./bamboohr-client.ts";
import { listGroups, readLists, type Group } from "./references.ts";

/** Departments, and divisions, which are no kind of ours. */
export const groups = defineReader<"groups", Group>({
  async *fetch(context, session) {
    yield listGroups(await readLists(new BambooClient(context, session)));
  },
  map: (group) => group,
});
