import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** The policy of the pages lets no script of ours in; the debugger of the browser does. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
/** A folder for pictures of every page, for whoever wants to look at them. */
const pictures = process.env["CONNECT_PICTURES"];

const everyRule = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
  rules: { "target-size": { enabled: true } },
};
/** What colours and widths can break. The markup is the same. */
const rulesOfLooks = {
  runOnly: {
    type: "rule",
    values: ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"],
  },
};
export const narrow = { width: 320, height: 640 };
const wide = { width: 1280, height: 900 };

/** Everything that axe finds on a page that was opened narrow and light: there, and wide and dark. */
export async function findViolations(page: Page, name: string): Promise<unknown[]> {
  await page.evaluate(axeSource);
  const found = await run(page, everyRule);
  await takePictures(page, name, narrow);
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await run(page, rulesOfLooks)));
  await takePictures(page, name, wide);
  return found;
}

async function run(page: Page, options: object): Promise<unknown[]> {
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  }>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
  }));
}

export async function takePictures(
  page: Page,
  name: string,
  viewport: typeof narrow,
): Promise<void> {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({
      path: join(pictures, `${name}-${viewport.width}-${scheme}.png`),
      fullPage: true,
    });
  }
}
