import { contrastOf, mixColors, textColor } from "../platform/html/index.ts";
import { makeAsset, type Asset } from "../platform/http/index.ts";

/** Where the styles of all colours are. */
export const colorFolder = "/connect/colors";

/** WCAG 2 asks for this of text, also of that on a button. */
const leastContrast = 4.5;
const black = "#000000";
const white = "#ffffff";
/** Behind text on the pages, as in base.css: the one with the least contrast. */
const darkGround = "#1f2532";
const onAccentWhenDark = "#0e1530";

/** What gives the pages this colour, which is dark enough for text on a light page. */
export function makeColorStyle(color: string): Asset {
  const bytes = `:root{--accent:${color};--accent-strong:${mixColors(color, black, 0.2)};--on-accent:${white}}
@media (prefers-color-scheme:dark){:root{${renderDark(color)}}}
`;
  return makeAsset(bytes, {
    folder: `${colorFolder}/${color.slice(1)}`,
    type: "text/css; charset=utf-8",
    name: "brand.css",
  });
}

/** The style that is at this address. It is made of the colour in the address alone, so nothing is stored for it. */
export function findColorStyle(path: string): Asset | undefined {
  const { data: color } = textColor.safeParse(`#${path.slice(colorFolder.length + 1).slice(0, 6)}`);
  const style = color === undefined ? undefined : makeColorStyle(color);
  return style?.path === path ? style : undefined;
}

/** The colour with so much white that it can be read on a dark page, and a dark text on it. */
function renderDark(color: string): string {
  const shares = Array.from({ length: 21 }, (_, index) => index / 20);
  const share = shares.find((each) =>
    [darkGround, onAccentWhenDark].every(
      (other) => contrastOf(mixColors(color, white, each), other) >= leastContrast,
    ),
  );
  const accent = mixColors(color, white, share ?? 1);
  const strong = mixColors(accent, white, 0.3);
  return `--accent:${accent};--accent-strong:${strong};--on-accent:${onAccentWhenDark}`;
}
