/**
 * A text as careless programs write it, inside of larger texts: as it is, in JSON, in JSON within JSON, in addresses and
 * forms, and in base64 with everything that may stand before it.
 */
export function writeCarelessly(secret: string): string[] {
  const json = JSON.stringify({ secret });
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const escaped = encodeURIComponent(secret);
  return [
    `the secret is ${secret}.`,
    json,
    ascii,
    JSON.stringify({ body: json }),
    `https://vendor.example/?secret=${escaped}&more=1`,
    `https://vendor.example/?secret=${escaped.replace(/%../g, (two) => two.toLowerCase())}`,
    new URLSearchParams({ user: "ann", secret }).toString(),
    ...["", "a", "an", "ann:"].flatMap((before) =>
      (["base64", "base64url"] as const).map(
        (alphabet) => `Basic ${Buffer.from(`${before}${secret}!`).toString(alphabet)}`,
      ),
    ),
  ];
}

/** The secrets that stand in a text, decoded from whatever spelling. */
export function findSecrets(text: string, secrets: readonly string[]): string[] {
  const readings = [text, ...decodeAll(text)];
  return secrets.filter((secret) => readings.some((reading) => reading.includes(secret)));
}

/** What stands in it as JSON, once and twice, as HTML, as parts of addresses, and as base64 at any place. */
function decodeAll(text: string): string[] {
  const unescaped = unescapeJson(text);
  const texts = [text, unescaped, unescapeJson(unescaped), unescapeHtml(text)];
  return [
    ...texts,
    ...texts.map((one) => one.replaceAll("+", " ").replace(/(?:%[0-9a-f]{2})+/gi, decodePercent)),
    ...texts.flatMap((one) =>
      [...one.matchAll(/[\w+/-]{8,}/g)].flatMap(([run]) =>
        [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64").toString()),
      ),
    ),
  ];
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function unescapeJson(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_whole, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    )
    .replace(/\\(["\\/])/g, "$1");
}

function decodePercent(escapes: string): string {
  return Buffer.from(escapes.replaceAll("%", ""), "hex").toString();
}
