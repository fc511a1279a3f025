const hidden = /^(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?!\ufe0f)\p{Default_Ignorable_Code_Point})$/u;
const joiners = new Set(["\u200c", "\u200d"]);
const letterOrMark = /^[\p{L}\p{M}]$/u;
/** In these a joiner or non-joiner between two letters is a part of how a word is spelt. */
const scriptsWithJoiners = [
  /^\p{scx=Arabic}$/u,
  /^\p{scx=Bengali}$/u,
  /^\p{scx=Devanagari}$/u,
  /^\p{scx=Gujarati}$/u,
  /^\p{scx=Gurmukhi}$/u,
  /^\p{scx=Kannada}$/u,
  /^\p{scx=Malayalam}$/u,
  /^\p{scx=Mongolian}$/u,
  /^\p{scx=Nko}$/u,
  /^\p{scx=Oriya}$/u,
  /^\p{scx=Sinhala}$/u,
  /^\p{scx=Syriac}$/u,
  /^\p{scx=Tamil}$/u,
  /^\p{scx=Telugu}$/u,
];

/**
 * Whether the text shows all that it holds: without it nothing turns the direction of what stands around it, hides
 * itself or breaks the line. The mark that makes a picture of a sign is allowed, and a joiner where it is needed.
 */
export function isPlainText(text: string): boolean {
  const characters = [...text];
  return (
    text.isWellFormed() &&
    characters.every(
      (character, index) =>
        !hidden.test(character) ||
        (joiners.has(character) && isJoined(characters[index - 1], characters[index + 1])),
    )
  );
}

/** Both are letters of one script that needs joiners, or marks of such letters. */
function isJoined(before = "", after = ""): boolean {
  return (
    [before, after].every((character) => letterOrMark.test(character)) &&
    scriptsWithJoiners.some((script) => script.test(before) && script.test(after))
  );
}
