/** The first, the last and some between them. */
export function spread(count: number, mostTries: number): number[] {
  const most = Math.min(count, mostTries);
  const indexes = Array.from({ length: most }, (_value, place) =>
    most === 1 ? 0 : Math.round((place * (count - 1)) / (most - 1)),
  );
  return [...new Set(indexes)];
}

/** The first and the last of each kind, since the same code meets the others; or some of these, where they are many. */
export function chooseOfEachKind(kinds: readonly string[], most: number): number[] {
  const ends = [...kinds.keys()].filter((index) => {
    const kind = kinds[index] ?? "";
    return kinds.indexOf(kind) === index || kinds.lastIndexOf(kind) === index;
  });
  return spread(ends.length, most).map((place) => ends[place] ?? 0);
}
