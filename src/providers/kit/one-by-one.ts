import { z } from "zod";
import type { Cursor } from "../contract.ts";

/** Who has been read: everybody up to an id, and some beyond it where another one of the same few failed. */
const progress = z.object({ after: z.string(), done: z.array(z.string()) });

/**
 * Reads what takes a request for each id, in the order of the ids. The cursor of a page stands after its few: a read
 * that is cut short goes on there, and asks for nothing twice that it has got. What was read beside a failure is given
 * first.
 */
export async function* oneByOne<Raw>(
  ids: readonly string[],
  { atOnce, cursor }: { atOnce: number; cursor: Cursor | undefined },
  read: (id: string) => Promise<readonly Raw[]>,
): AsyncGenerator<{ records: readonly Raw[]; cursor: Cursor }> {
  let { after, done } = progress.safeParse(cursor).data ?? { after: "", done: [] };
  const left = ids
    .filter((id) => compareIds(id, after) > 0 && !done.includes(id))
    .toSorted(compareIds);
  for (let start = 0; start < left.length; start += atOnce) {
    const some = left.slice(start, start + atOnce);
    const answers = await Promise.allSettled(some.map(read));
    const failed = answers.findIndex(({ status }) => status === "rejected");
    after = (failed === -1 ? some.at(-1) : some[failed - 1]) ?? after;
    const isRead = (_id: string, index: number): boolean => answers[index]?.status === "fulfilled";
    done = [...done, ...some.filter(isRead)].filter((id) => compareIds(id, after) > 0);
    const records = answers.flatMap((answer) =>
      answer.status === "fulfilled" ? answer.value : [],
    );
    yield { records, cursor: { after, done } };
    for (const answer of answers) if (answer.status === "rejected") throw answer.reason;
  }
}

/** Ids that are numbers as text come by size. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}
