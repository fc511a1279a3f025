interface TableLayout {
  /** Undefined where each row names its columns itself. */
  header: string | undefined;
  format: (cells: readonly string[]) => string;
}

const gap = "  ";
/** A last column that has less room than this is not wrapped. */
const leastLastWidth = 24;

/**
 * A line a row, as long as it fits. Otherwise the last column is wrapped; where that is not enough, a row is a line
 * for each column. Nothing is cut off: ids are copied from here.
 */
export function layOutTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  terminalWidth: number | undefined,
): TableLayout {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((cells) => cells[index]?.length ?? 0)),
  );
  const indent = widths.slice(0, -1).reduce((sum, width) => sum + width + gap.length, 0);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  const room = (terminalWidth ?? Infinity) - indent;
  if (room >= (widths.at(-1) ?? 0)) return { header: line(columns), format: line };
  if (room >= leastLastWidth)
    return {
      header: line(columns),
      format: (cells) => {
        const [first = "", ...others] = wrapWords(cells.at(-1) ?? "", room);
        const lines = others.map((text) => " ".repeat(indent) + text);
        return [line([...cells.slice(0, -1), first]), ...lines].join("\n");
      },
    };
  const longest = Math.max(...columns.map(({ length }) => length));
  return {
    header: undefined,
    format: (cells) =>
      `${columns.map((column, index) => `${column.padEnd(longest)}${gap}${cells[index] ?? ""}`).join("\n")}\n`,
  };
}

/** Between words alone: a word that is longer has a line of its own. */
export function wrapWords(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
