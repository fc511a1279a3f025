/**
 * Whether the text shows all that it holds: without it nothing turns the direction of what stands around it, hides
 * itself or breaks the line. The mark that makes a picture of a sign is allowed.
 */
export function isPlainText(text: string): boolean {
  return (
    text.isWellFormed() &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/u.test(text)
  );
}
