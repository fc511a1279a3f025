import type { ReadContext } from "../contract.ts";

/**
 * Things by their ids, such as types or departments, which a read fetches once, when the first of them is looked up.
 * What could not be fetched is tried again by the next one.
 */
export function lookup<Thing>(
  fetch: (context: ReadContext) => Promise<Iterable<readonly [id: string, thing: Thing]>>,
): (context: ReadContext) => Promise<ReadonlyMap<string, Thing>> {
  const known = new WeakMap<ReadContext, Promise<ReadonlyMap<string, Thing>>>();
  const begin = async (context: ReadContext): Promise<ReadonlyMap<string, Thing>> => {
    try {
      return new Map(await fetch(context));
    } catch (error) {
      known.delete(context);
      throw error;
    }
  };
  return (context) => {
    const found = known.get(context) ?? begin(context);
    known.set(context, found);
    return found;
  };
}
