import { LRUCache } from "lru-cache";

/** The encodings of replies. On a tie, the first one wins. */
export const encodings = ["br", "gzip", "deflate", "identity"] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The encoding with the highest q-value (RFC 9110, 12.5.3). Without the header, or when the caller accepts
 * none of ours, the reply is sent as it is.
 */
export function negotiateEncoding(header: string | undefined): Encoding {
  if (header === undefined) return "identity";
  const known = negotiated.get(header);
  if (known) return known;
  const encoding = chooseEncoding(header);
  if (header.length <= longestKept) negotiated.set(header, encoding);
  return encoding;
}

/** Callers send the same few headers again and again. */
const negotiated = new LRUCache<string, Encoding>({ max: 100 });
const longestKept = 200;

function chooseEncoding(header: string): Encoding {
  const weights = parseWeights(header);
  let best: Encoding = "identity";
  let bestWeight = 0;
  for (const encoding of encodings) {
    const weight =
      weights.get(encoding) ??
      (encoding === "identity" ? implicitIdentityWeight(weights) : (weights.get("*") ?? 0));
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

/** A header that does not name `identity` accepts it, but prefers every encoding that it names. */
function implicitIdentityWeight(weights: ReadonlyMap<string, number>): number {
  return weights.get("*") === 0 ? 0 : Number.MIN_VALUE;
}

function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const entry of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim());
    if (coding === "") continue;
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
    weights.set(coding === "x-gzip" ? "gzip" : coding, q === undefined ? 1 : parseQ(q));
  }
  return weights;
}

function parseQ(parameter: string): number {
  const value = parameter.slice(parameter.indexOf("=") + 1).trim();
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}
