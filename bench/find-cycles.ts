/** The groups of files that import each other in a circle (strongly connected components). */
export function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reachable = new Map([...imports.keys()].map((path) => [path, reach(imports, path)]));
  const cycles = new Map<string, string[]>();
  for (const [path, others] of reachable) {
    if (!others.has(path)) continue;
    const group = [...others].filter((other) => reachable.get(other)?.has(path)).sort();
    cycles.set(group.join(), group);
  }
  return [...cycles.values()];
}

/** All files that a file imports, directly or by way of others. */
function reach(imports: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  const found = new Set<string>();
  const waiting = [...(imports.get(from) ?? [])];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    waiting.push(...(imports.get(path) ?? []));
  }
  return found;
}
