import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { markerCore, plainMarkers } from "./markers.ts";

/** The bytes of one text in one encoding. */
interface Pattern {
  text: string;
  encoding: string;
  bytes: Buffer;
}

/** The encodings in which a careless program could write a text. */
export const encodings: Record<string, (text: string) => Buffer[]> = {
  raw: (text) => [Buffer.from(text)],
  "lower case": (text) => [Buffer.from(text.toLowerCase())],
  "upper case": (text) => [Buffer.from(text.toUpperCase())],
  hex: (text) => [
    Buffer.from(Buffer.from(text).toString("hex")),
    Buffer.from(Buffer.from(text).toString("hex").toUpperCase()),
  ],
  base64: (text) =>
    [0, 1, 2].flatMap((offset) => [
      base64Within(text, offset, "base64"),
      base64Within(text, offset, "base64url"),
    ]),
  "URL-encoded": (text) => [
    Buffer.from(
      [...Buffer.from(text)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
        .join(""),
    ),
  ],
  "UTF-16": (text) => [Buffer.from(text, "utf16le"), Buffer.from(text, "utf16le").swap16()],
};

/** The base64 characters of a text inside a longer one that do not depend on the text around it. */
function base64Within(text: string, offset: number, encoding: "base64" | "base64url"): Buffer {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
    .toString(encoding)
    .replace(/=+$/, "");
  const firstWhole = Math.ceil((offset * 8) / 6);
  const lastWhole = Math.floor(((offset + Buffer.byteLength(text)) * 8) / 6);
  return Buffer.from(encoded.slice(firstWhole, lastWhole));
}

/** Searches for all markers and the given credentials in all encodings. */
export class MarkerScan {
  readonly #patterns: Pattern[];
  readonly found = new Set<string>();

  constructor(credentials: readonly string[]) {
    // The prefix of a credential is no secret. A third of the rest identifies the credential.
    const bodies = [
      ...new Set(
        credentials.map((credential) =>
          credential.replace(/^rc_[a-z]{2}_[a-z]+_/, "").slice(0, 18),
        ),
      ),
    ];
    const patternsOf = (text: string, names: readonly string[]): Pattern[] =>
      names.flatMap((encoding) =>
        (encodings[encoding]?.(text) ?? []).map((bytes) => ({ text, encoding, bytes })),
      );
    const encoded = [
      ...patternsOf(markerCore, Object.keys(encodings)),
      ...bodies.flatMap((body) => patternsOf(body, ["raw", "hex", "base64"])),
    ];
    const distinct = encoded.filter(
      ({ bytes }, index) => encoded.findIndex((other) => other.bytes.equals(bytes)) === index,
    );
    this.#patterns = [
      ...distinct,
      ...Object.values(plainMarkers).map((text) => ({
        text,
        encoding: "raw",
        bytes: Buffer.from(text),
      })),
    ];
  }

  /** Records each find with `where` and the text around it. */
  scan(where: string, content: Buffer | string): void {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    for (const { text, encoding, bytes: pattern } of this.#patterns) {
      const at = bytes.indexOf(pattern);
      if (at < 0) continue;
      const around = bytes
        .subarray(Math.max(0, at - 40), at + pattern.length + 40)
        .toString("latin1")
        .replaceAll(/[^\x20-\x7e]+/g, ".");
      this.found.add(`${where}: ${text.slice(0, 12)} ${encoding}: ${around}`);
    }
  }

  /** Scans every file below the folder and returns the number of bytes. */
  async scanFolder(
    folder: string,
    { except = [] }: { except?: readonly string[] } = {},
  ): Promise<number> {
    let scannedBytes = 0;
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || except.includes(relative(folder, path))) continue;
      const content = await readFile(path);
      scannedBytes += content.length;
      this.scan(relative(folder, path), content);
    }
    return scannedBytes;
  }
}
