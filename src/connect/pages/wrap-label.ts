/** The lines of a label. What has no room is cut, and three dots say so. */
export function wrapLabel(
  text: string,
  { perLine, lines: most }: { perLine: number; lines: number },
): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s/).filter((part) => part !== "")) {
    const longer = [...lines.slice(-1), word].join(" ");
    if (lines.length > 0 && lengthOf(longer) <= perLine) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const kept = lines.slice(0, most - 1);
  const last = lines.slice(most - 1).join(" ");
  return [...kept, ...(last === "" ? [] : [last])].map((line) => cut(line, perLine));
}

function cut(line: string, perLine: number): string {
  if (lengthOf(line) <= perLine) return line;
  return `${[...line].slice(0, perLine - 1).join("")}…`;
}

function lengthOf(text: string): number {
  return [...text].length;
}
