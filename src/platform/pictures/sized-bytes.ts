/** What is served of a picture, with its size in pixels, or for an SVG in any unit. */
export interface SizedBytes {
  bytes: Buffer;
  width: number;
  height: number;
}
