import { z } from "zod";
import { OperationNotSupported, ProviderBug } from "../errors.ts";
import { ifAllowed, type BambooClient } from "./bamboohr-client.ts";

const cursorShape = z.object({
  since: z.string(),
  /** Those who were read that changed at that very moment: BambooHR may name them again. */
  told: z.array(z.string()),
});

const changedReply = z.object({
  latest: z.string().nullish(),
  // BambooHR writes an empty map as a list.
  employees: z.union([
    z.array(z.never()).transform(() => ({})),
    z.record(z.string(), z.object({ action: z.string(), lastChanged: z.string().nullish() })),
  ]),
});

/** How long after a moment of BambooHR's clock it is over by ours. */
const momentMs = 60_000;

interface Changes {
  since: string;
  changed: string[];
  removed: string[];
  next: z.output<typeof cursorShape>;
}

/** One request tells who changed since, in any field or table, and who was deleted. */
export async function readChanges(
  client: BambooClient,
  cursor: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<Changes> {
  const { since, told } = cursorShape.parse(cursor);
  const answer = await ifAllowed(() =>
    client.ask({ path: "/api/v1/employees/changed", query: { since, type: "all" } }),
  );
  // Whoever may not read what changed may still read everybody.
  if (answer === null) throw new OperationNotSupported("BambooHR does not say who changed");
  const { data } = changedReply.safeParse(answer);
  if (!data) throw new ProviderBug("BambooHR's list of changes does not have its shape");
  const everybody = Object.entries(data.employees);
  const isTold = (id: string, at: string | null | undefined): boolean =>
    at === since && told.includes(id);
  const named = everybody.filter(([id, { lastChanged }]) => !isTold(id, lastChanged));
  const idsOf = (isGone: boolean): string[] =>
    named.filter(([, { action }]) => (action === "Deleted") === isGone).map(([id]) => id);
  const latest = isLater(data.latest, since) ? data.latest : since;
  // As long as that moment may go on, somebody who is named for it can change again.
  const isOver = now.getTime() - Date.parse(latest) > momentMs;
  const atLatest = everybody.filter(([, { lastChanged }]) => isOver && lastChanged === latest);
  return {
    since,
    changed: idsOf(false),
    removed: idsOf(true),
    next: { since: latest, told: atLatest.map(([id]) => id) },
  };
}

/** False for what is no moment: BambooHR would refuse to go on there. */
function isLater(moment: string | null | undefined, since: string): moment is string {
  return Date.parse(moment ?? "") > Date.parse(since);
}
