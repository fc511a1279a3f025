/** The text of `error_description`: RFC 6749, section 5.2, has no quotation marks, backslashes and other letters in it. */
export function toErrorDescription(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}
