import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { CpuProfile } from "./profile-process.ts";

interface Frame {
  name: string;
  colour: string;
  us: number;
  children: Map<string, Frame>;
}

const width = 1_200;
const rowHeight = 16;
const characterWidth = 6.6;
/** Narrower frames are left out. */
const leastWidth = 0.6;
const projectDir = fileURLToPath(new URL("..", import.meta.url));

const colours = { ours: "#e8833a", packages: "#6fa8dc", node: "#93c47d", other: "#bbbbbb" };

/** A flame graph: the wider a frame, the more time; below it what it called. Without idle time. */
export function drawFlameGraph(title: string, profile: CpuProfile): string {
  const root = fold(profile);
  const rows: string[] = [];
  const depth = drawFrames(root, { x: 0, depth: 0, usPerPixel: root.us / width, rows });
  const height = (depth + 3) * rowHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="4" y="12">${escapeXml(title)}</text>`,
    ...drawLegend(),
    `<g transform="translate(0 ${2 * rowHeight})">`,
    ...rows,
    "</g>",
    "</svg>\n",
  ].join("\n");
}

/** Calls of the same function from the same place are one frame. */
function fold({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const root: Frame = { name: "all", colour: colours.other, us: 0, children: new Map() };
  for (const [index, sample] of samples.entries()) {
    const stack: CpuProfile["nodes"][number][] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const node = byId.get(id);
      if (node) stack.unshift(node);
    }
    if (stack.at(-1)?.callFrame.functionName === "(idle)") continue;
    const us = Math.max(0, timeDeltas[index] ?? 0);
    root.us += us;
    let frame = root;
    for (const { callFrame } of stack.slice(1)) {
      frame = childOf(frame, callFrame);
      frame.us += us;
    }
  }
  return root;
}

function childOf(parent: Frame, { functionName, url, lineNumber }: CallFrame): Frame {
  const place = url.startsWith("file:") ? relative(projectDir, fileURLToPath(url)) : url;
  const at = place === "" ? "" : ` ${place.replace(/^.*node_modules\//, "")}:${lineNumber + 1}`;
  const name = `${functionName || "(anonymous)"}${at}`;
  const known = parent.children.get(name);
  if (known) return known;
  const made = { name, colour: colourOf(place), us: 0, children: new Map<string, Frame>() };
  parent.children.set(name, made);
  return made;
}

type CallFrame = CpuProfile["nodes"][number]["callFrame"];

function colourOf(place: string): string {
  if (place.includes("node_modules/")) return colours.packages;
  if (place.startsWith("src/")) return colours.ours;
  return place.startsWith("node:") ? colours.node : colours.other;
}

interface Place {
  x: number;
  depth: number;
  usPerPixel: number;
  rows: string[];
}

/** The depth of the deepest frame. */
function drawFrames(
  { name, colour, us, children }: Frame,
  { x, depth, usPerPixel, rows }: Place,
): number {
  const wide = us / usPerPixel;
  const share = ((100 * wide) / width).toFixed(1);
  const y = depth * rowHeight;
  const letters = Math.floor((wide - 4) / characterWidth);
  const label = letters > 3 ? name.slice(0, letters) : "";
  rows.push(
    `<g><title>${escapeXml(name)} (${share} %)</title>` +
      `<rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${rowHeight - 1}" fill="${colour}"/>` +
      (label === ""
        ? ""
        : `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${escapeXml(label)}</text>`) +
      "</g>",
  );
  let deepest = depth;
  let left = x;
  for (const child of [...children.values()].sort((a, b) => b.us - a.us)) {
    if (child.us / usPerPixel >= leastWidth)
      deepest = Math.max(
        deepest,
        drawFrames(child, { x: left, depth: depth + 1, usPerPixel, rows }),
      );
    left += child.us / usPerPixel;
  }
  return deepest;
}

function drawLegend(): string[] {
  return Object.entries(colours).map(([name, colour], index) => {
    const x = width - 440 + index * 110;
    return `<rect x="${x}" y="2" width="12" height="12" fill="${colour}"/><text x="${x + 16}" y="12">${name}</text>`;
  });
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
