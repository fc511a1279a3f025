const width = 100;

/** Indented text of Python between three quotation marks. */
export function docstring(text: string, indent: string): string {
  const plain = text.replaceAll("\\", String.raw`\\`).replaceAll('"""', "'''");
  const lines = plain.split("\n").flatMap((line) => wrap(line, width - indent.length - 6));
  // A quotation mark at the end would be the fourth.
  const last = lines.at(-1) ?? "";
  if (last.endsWith('"')) lines[lines.length - 1] = `${last} `;
  if (lines.length === 1 && last.length <= width - indent.length - 6)
    return `${indent}"""${lines[0]}"""`;
  const [first = "", ...rest] = lines;
  return [
    `${indent}"""${first}`,
    ...rest.map((line) => (line === "" ? "" : `${indent}${line}`)),
    `${indent}"""`,
  ].join("\n");
}

/** The lines behind the first one of an item are indented as its text is. */
function wrap(text: string, limit: number): string[] {
  const indent = text.startsWith("- ") ? "  " : "";
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= limit) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(indent + word);
  }
  return lines;
}
