/** A shorter text may be there by chance, as a part of another one. */
const leastPart = 6;

/** Whether a value, or one inside of it, is the text or has it as a part: also in a query, a form, JSON or Basic. */
export function carries(values: readonly unknown[], text: string): boolean {
  if (text === "") return false;
  return values.some((value) => {
    if (typeof value === "string") return spellingsOf(value).some((one) => has(one, text));
    if (value instanceof URL) return carries([value.href], text);
    if (value instanceof Uint8Array) return carries([Buffer.from(value).toString()], text);
    return typeof value === "object" && value !== null && carries(Object.values(value), text);
  });
}

function has(value: string, text: string): boolean {
  return value === text || (text.length >= leastPart && value.includes(text));
}

/** The text itself, the values of a query or a form, the parts of Basic, and what JSON has. */
function spellingsOf(value: string): string[] {
  const query = [...new URLSearchParams(value.slice(value.indexOf("?") + 1)).values()];
  const basic = value.startsWith("Basic ")
    ? Buffer.from(value.slice("Basic ".length), "base64").toString().split(":")
    : [];
  return [value, ...query, ...basic, ...textsOfJson(value)];
}

function textsOfJson(value: string): string[] {
  if (!/^[[{]/.test(value)) return [];
  try {
    const texts: string[] = [];
    JSON.parse(value, (_name, inner: unknown) => {
      if (typeof inner === "string") texts.push(inner);
      return inner;
    });
    return texts;
  } catch {
    return [];
  }
}
