import { fileURLToPath } from "node:url";

const ownUrl = new URL("..", import.meta.url).href;

/** File and line of a package in which an error began, such as `/srv/acme/map.js:7`. */
export function findPlace(error: unknown): string | undefined {
  const { stack = "", message = "" } = error instanceof Error ? error : {};
  for (const line of stack.replace(message, "").split("\n")) {
    const place = line.trim().startsWith("at ") ? readPlace(line, 2) : undefined;
    if (place && !place.url.startsWith(ownUrl)) return `${fileURLToPath(place.url)}:${place.row}`;
  }
  return undefined;
}

/** What stands in `file:///srv/acme/map.js?v=2:7`, or with a column after the row and brackets around it. */
export function readPlace(text: string, numbers: 1 | 2): { url: string; row: string } | undefined {
  const start = text.indexOf("file://");
  if (start === -1) return undefined;
  const parts = text.slice(start).trim().replace(")", "").split(":");
  const row = parts.at(-numbers) ?? "";
  const [url = ""] = parts.slice(0, -numbers).join(":").split("?", 1);
  return /^\d+$/.test(row) && URL.canParse(url) ? { url, row } : undefined;
}
