import { z } from "zod";

/** A colour as `#rrggbb`. */
type Color = string;

/** The contrast of two colours by WCAG 2: from 1, the same, to 21, black on white. */
export function contrastOf(one: Color, other: Color): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour mixed with another one: 0 is all of the first, 1 all of the other. */
export function mixColors(one: Color, other: Color, share: number): Color {
  const parts = partsOf(other);
  const mixed = partsOf(one).map((part, index) => part + ((parts[index] ?? 0) - part) * share);
  return `#${mixed.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function luminanceOf(color: Color): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function partsOf(color: Color): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** On the pages for end users, behind text. */
const lightGround = "#f3f4f8";

/** A colour as `#rrggbb`, dark enough for text on a light page, by WCAG 2. */
export const textColor = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, { error: "is a colour such as #1f5aa6", abort: true })
  .toLowerCase()
  .refine((color) => contrastOf(color, lightGround) >= 4.5, {
    error: ({ input }) =>
      `has a contrast of ${contrastOf(input as string, lightGround).toFixed(1)} on the pages; 4.5 is needed, so take a darker one`,
  });
