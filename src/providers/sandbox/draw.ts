/**
 * A number from 0 to 2^32 - 1 that depends only on its parts: the same parts always give the same
 * number.
 */
export function draw(...parts: (string | number)[]): number {
  const text = parts.join("/");
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function drawBelow(limit: number, ...parts: (string | number)[]): number {
  return draw(...parts) % limit;
}

export function pick<Item>(list: readonly Item[], ...parts: (string | number)[]): Item {
  return list[draw(...parts) % list.length] as Item;
}
