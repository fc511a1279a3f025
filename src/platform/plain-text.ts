import { joinsAfter, joinsBefore, joinsBothSides, transparent, viramas } from "./joining-types.ts";

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/u;

/**
 * A joiner or non-joiner that is a part of how a word is spelt: either of them after a virama, and a non-joiner between
 * letters that would join (RFC 5892, appendix A.1 and A.2). Then the joiner by which Bengali and Kannada say that a ra
 * stays whole before a virama (The Unicode Standard, chapter 12).
 */
const neededJoiner = new RegExp(
  [
    `(?<=[${viramas}])[\\u200c\\u200d]`,
    `(?<=[${joinsBothSides}${joinsAfter}][${transparent}]*)\\u200c(?=[${transparent}]*[${joinsBothSides}${joinsBefore}])`,
    "(?<=\\u09b0)\\u200d(?=\\u09cd)",
    "(?<=\\u0cb0)\\u200d(?=\\u0ccd)",
  ].join("|"),
  "gu",
);

/**
 * Whether the text shows all that it holds: without it nothing turns the direction of what stands around it, hides
 * itself or breaks the line. The mark that makes a picture of a sign is allowed, and a joiner where it is needed.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !hidden.test(text.replace(neededJoiner, ""));
}
