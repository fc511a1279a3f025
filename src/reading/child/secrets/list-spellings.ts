/** What a careless program makes of a text when it writes it: as it is, in JSON, in a URL or a form, in base64. */
export function listSpellings(secret: string): ReadonlySet<string> {
  const inJson = [escapeJson(secret), escapeUnicode(escapeJson(secret))];
  const inUrls = [encodeForUrl(secret), encodeForForm(secret)];
  return new Set([
    secret,
    ...inJson,
    ...inJson.map(escapeJson),
    ...inUrls,
    ...inUrls.map(lowerEscapes),
    ...listBase64(secret),
  ]);
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As programs do that write ASCII alone. */
function escapeUnicode(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** `encodeURIComponent` throws for half of a surrogate pair. */
function encodeForUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function encodeForForm(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}

/**
 * The characters of base64 and base64url that do not depend on what stands before and after the secret, for each of the
 * three places where it can begin in a group of three bytes.
 */
function listBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor((padded.length * 8) / 6);
    return (["base64", "base64url"] as const).map((alphabet) =>
      padded.toString(alphabet).slice(first, end),
    );
  });
}
