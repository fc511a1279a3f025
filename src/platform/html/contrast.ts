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
