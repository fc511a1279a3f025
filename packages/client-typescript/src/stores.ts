import type { Etagged, EtagStore } from "./transport.ts";
import type { SeenStore } from "./webhooks.ts";

/** Remembers the latest webhooks of this process. An application of several processes keeps them in its database. */
export function memorySeen(limit = 10_000): SeenStore {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      const [oldest] = ids.values();
      if (ids.size > limit && oldest !== undefined) ids.delete(oldest);
    },
  };
}

/** Keeps the copies that were asked for last, in this process. */
export function memoryEtags(limit = 100): EtagStore {
  const copies = new Map<string, Etagged>();
  return {
    get(key) {
      const copy = copies.get(key);
      if (copy) keep(key, copy);
      return copy;
    },
    set: keep,
    forget(beginning) {
      for (const key of copies.keys()) if (key.startsWith(beginning)) copies.delete(key);
    },
  };

  function keep(key: string, copy: Etagged): void {
    copies.delete(key);
    copies.set(key, copy);
    const [oldest] = copies.keys();
    if (copies.size > limit && oldest !== undefined) copies.delete(oldest);
  }
}
