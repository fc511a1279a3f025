import type { Pool } from "../../platform/db/index.ts";
import { findListed, type ProblemSources } from "./find-problems.ts";
import {
  claimLook,
  closeGone,
  noteFound,
  type FoundProblem,
  type SeenBy,
} from "./problem-store.ts";
import { kindsOfReads, type Problem } from "./problem.ts";

/**
 * Once a minute one worker writes down what is wrong beside connections, so that it is in the history when it has ended.
 * Of connections the database itself does, when they change.
 */
export async function noteProblems(sources: ProblemSources & { pool: Pool }): Promise<void> {
  const { pool } = sources;
  if (!(await claimLook(pool))) return;
  const { ofAll, ofEach, receivers, areReadsCut } = await findListed(sources);
  const found = [
    // That no worker runs is nothing that a worker can find.
    ...mark(
      ofAll.filter(({ kind }) => kind !== "no_worker"),
      "operator",
    ),
    ...mark(ofEach, "client"),
    ...mark(receivers, "all"),
  ];
  await noteFound(pool, new Map(found.map((problem) => [keyOf(problem), problem])));
  await closeGone(pool, { exceptOf: areReadsCut ? kindsOfReads : [] });
}

function mark(problems: readonly Problem[], seenBy: SeenBy): FoundProblem[] {
  return problems.map((problem) => ({ ...problem, seenBy }));
}

/** What says that a problem is the one of a minute ago. */
function keyOf({
  seenBy: viewer,
  kind,
  clientId,
  provider,
  resource,
  receiver,
  detail,
}: FoundProblem): string {
  const client = viewer === "operator" ? null : clientId;
  const masterKey = kind === "key_not_retired" ? detail : null;
  // That of the other address is the key of both that earlier versions wrote.
  const address = receiver === "events" ? receiver : null;
  return JSON.stringify([viewer, kind, client, provider, resource, masterKey ?? address]);
}
