import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { drawingCells, type DrawnLook, type Drawing } from "../../providers/index.ts";
import { formatText } from "./format.ts";
import type { PageContext } from "./layout.ts";
import { translateText } from "./translate.ts";

type Box = Drawing[number];

interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** In units of the drawing, as all that follows. A label is 12 units high. */
const cell = { width: 18, height: 24 };
const margin = 7;
const lineHeight = 14;
const characterWidth = 6.7;
/** On each side, of a box and of the label in it. An area is larger than its cells: what is in it has room. */
const gaps: Record<DrawnLook, { box: number; label: number; corner: number }> = {
  area: { box: -4, label: 8, corner: 6 },
  button: { box: 2, label: 4, corner: 4 },
  field: { box: 2, label: 6, corner: 2 },
  text: { box: 2, label: 4, corner: 3 },
  picture: { box: 2, label: 3, corner: 12 },
};

/** Boxes where things are on a page of the provider. What others wrote is text in it, never markup. */
export function renderDrawing(context: PageContext, drawing: Drawing): Html {
  const rows = Math.max(...drawing.map(({ y, height }) => y + height));
  const width = drawingCells.width * cell.width + 2 * margin;
  const height = rows * cell.height + 2 * margin;
  const marked = drawing.find(({ isMarked }) => isMarked);
  const label = translateText(context, marked?.label ?? "").text;
  const description = formatText(context.texts.recipe.drawing, { label });
  return html`<svg class="drawing" role="img" aria-label="${description}" viewBox="${-margin} ${-margin} ${width} ${height}">
${drawing.map((box) => renderBox(context, box))}${marked && renderPointer(placeOf(marked))}</svg>`;
}

function renderBox(context: PageContext, box: Box): Html {
  const { look, isMarked = false, label } = box;
  const place = placeOf(box);
  const name = isMarked ? `${look} marked` : look;
  const hasFrame = look !== "text" || isMarked;
  const hasBar = label === undefined && (look === "text" || look === "button");
  return html`<g class="${name}">${hasFrame && renderRect("frame", place, gaps[look].corner)}
${hasBar && renderRect("bar", barOf(place), 3)}
${label !== undefined && renderLabel(translateText(context, label).text, look, place)}</g>`;
}

/** In a frame of its own, so that no font makes it longer than its box. */
function renderLabel(text: string, look: DrawnLook, place: Place): HtmlValue {
  const gap = gaps[look].label;
  const room = place.width - 2 * gap;
  const lines = wrapLabel(text, {
    perLine: Math.max(1, Math.floor(room / characterWidth)),
    lines: Math.max(1, Math.floor(place.height / lineHeight)),
  });
  const isCentred = look === "button" || look === "picture";
  const x = isCentred ? place.width / 2 : gap;
  const top = look === "area" ? gap : (place.height - lines.length * lineHeight) / 2;
  const rows = lines.map(
    (line, index) => html`<text x="${x}" y="${top + index * lineHeight + 11}">${line}</text>`,
  );
  return html`<svg${isCentred && html` class="centred"`} x="${place.x}" y="${place.y}" width="${place.width}" height="${place.height}">${rows}</svg>`;
}

function renderRect(name: string, { x, y, width, height }: Place, corner: number): Html {
  const rounded = Math.min(corner, width / 2, height / 2);
  return html`<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${rounded}"></rect>`;
}

/** The arrow of a mouse at the corner of what is marked, because colour alone tells not everybody. */
function renderPointer({ x, y, width, height }: Place): Html {
  const start = `M${x + width - 9} ${y + height - 8}`;
  return html`<path class="pointer" d="${start}v15l3.6 -3.3 2.5 5.6 2.6 -1.2 -2.5 -5.5 4.9 -.4z"></path>`;
}

function placeOf({ x, y, width, height, look }: Box): Place {
  const gap = gaps[look].box;
  const place = {
    x: x * cell.width + gap,
    y: y * cell.height + gap,
    width: width * cell.width - 2 * gap,
    height: height * cell.height - 2 * gap,
  };
  return look === "picture" && width === height ? squareIn(place) : place;
}

/** A picture of as many cells in both directions is a circle. */
function squareIn({ x, y, width, height }: Place): Place {
  const size = Math.min(width, height);
  return { x: x + (width - size) / 2, y: y + (height - size) / 2, width: size, height: size };
}

function barOf({ x, y, width, height }: Place): Place {
  const gap = Math.min(6, width / 4);
  return { x: x + gap, y: y + height / 2 - 3, width: width - 2 * gap, height: 6 };
}

/** The lines of a label. What has no room is cut, and three dots say so. */
function wrapLabel(
  text: string,
  { perLine, lines: most }: { perLine: number; lines: number },
): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s/).filter((part) => part !== "")) {
    const longer = [...lines.slice(-1), word].join(" ");
    if (lines.length > 0 && lengthOf(longer) <= perLine) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const kept = lines.slice(0, most - 1);
  const last = lines.slice(most - 1).join(" ");
  return [...kept, ...(last === "" ? [] : [last])].map((line) => cut(line, perLine));
}

function cut(line: string, perLine: number): string {
  if (lengthOf(line) <= perLine) return line;
  return `${[...line].slice(0, perLine - 1).join("")}…`;
}

function lengthOf(text: string): number {
  return [...text].length;
}
