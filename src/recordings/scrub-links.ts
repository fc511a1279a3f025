/** Each address of a header `Link` made up. */
export function scrubLinks(value: string, scrub: (url: string) => string): string {
  return value
    .split("<")
    .map((part, index) => {
      const end = part.indexOf(">");
      return index === 0 || end < 0 ? part : scrub(part.slice(0, end)) + part.slice(end);
    })
    .join("<");
}
