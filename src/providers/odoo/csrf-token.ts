/**
 * The value of the page's first field `csrf_token`, or null. The page can be anybody's: each step goes on
 * from where the one before it stopped, so the time is linear.
 */
export function findCsrfToken(html: string): string | null {
  for (let start = html.indexOf("<input"); start !== -1;) {
    const end = html.indexOf(">", start);
    if (end === -1) return null;
    const input = html.slice(start + "<input".length, end);
    if (input.includes('name="csrf_token"')) return findValue(input);
    start = html.indexOf("<input", end);
  }
  return null;
}

function findValue(input: string): string | null {
  const opening = 'value="';
  for (let start = input.indexOf(opening); start !== -1;) {
    const from = start + opening.length;
    const end = input.indexOf('"', from);
    if (end > from) return input.slice(from, end);
    if (end === -1) return null;
    start = input.indexOf(opening, from);
  }
  return null;
}
