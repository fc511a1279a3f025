/** More than any page or client of ours sends. What anybody may send is bounded before it is read. */
const mostParameters = 50;

export const tooManyParameters = `has more than ${mostParameters} parameters`;

/** Whether a query or a form has more parameters than that; empty ones count. */
export function hasTooManyParameters(text: string): boolean {
  let at = -1;
  for (let count = 0; count < mostParameters; count += 1) {
    at = text.indexOf("&", at + 1);
    if (at === -1) return false;
  }
  return true;
}
