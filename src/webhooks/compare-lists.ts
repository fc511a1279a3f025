import type { Pool } from "../platform/db/index.ts";
import type { ListComparison } from "../sync/index.ts";
import { describeChanges } from "./describe-changes.ts";
import {
  beginPolledList,
  comparePolledList,
  openPolledList,
  sealPolledList,
} from "./polled-list.ts";
import { findCompared, lockPolledList, savePolledList } from "./polled-list-store.ts";

/**
 * Tells what has changed in polled resources other than the employees, whoever asked for the read: a caller's read may
 * store what the next poll would have found. The first list only sets the baseline.
 */
export function compareLists(pool: Pool): ListComparison {
  return {
    find: async (key, { clientId }) => {
      const compared = await findCompared(pool, key, clientId);
      if (compared === undefined) return undefined;
      if (compared === null) return { version: undefined };
      const { parameters, version, hasSuspected } = compared;
      if (isEarlier(key, compared)) return undefined;
      const isDone = parameters === key.parameters && !hasSuspected;
      return { version: isDone ? version : undefined };
    },
    compare: async (tx, key, { dataKey }, found) => {
      const { connectionId, resource, parameters } = key;
      const stored = await lockPolledList(tx, key);
      if (stored && isEarlier(key, stored)) return;
      const compared = stored
        ? comparePolledList(openPolledList(dataKey, key, stored), found, parameters)
        : { list: beginPolledList(found, parameters), news: undefined, ids: [] };
      const { list, news, ids } = compared;
      const { version, suspectedMissing } = list;
      const saved = { connectionId, resource, parameters, version };
      const sealed = {
        hasSuspected: suspectedMissing.size > 0,
        sealedList: sealPolledList(dataKey, key, list),
      };
      const changes = news && describeChanges(resource, news, () => ids);
      await savePolledList(tx, { ...saved, ...sealed }, changes);
    },
  };
}

/** Whether the range is the one before that of the last poll. Ranges are written with their first day in front. */
function isEarlier(asked: { parameters: string }, known: { parameters: string }): boolean {
  return asked.parameters < known.parameters;
}
