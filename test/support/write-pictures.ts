import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { indexPng } from "./indexed-png.ts";
import { projectDir } from "./program-environment.ts";
import { startShownService, type ShownService } from "./shown-service.ts";

// npm run pictures: writes what documents show of the console into docs/pictures/.
const folder = join(projectDir, "docs/pictures");
const width = 1_280;
const usualHeight = 800;
const maxBytes = 150_000;

const browser = await launchBrowser();
if (!browser) throw new Error("no picture is taken: this machine has no browser");
const shown = await startShownService();
try {
  const context = await browser.newContext({
    viewport: { width, height: usualHeight },
    colorScheme: "light",
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
  });
  const page = await context.newPage();
  for (const name of readdirSync(folder).filter((file) => file.startsWith("console-")))
    rmSync(join(folder, name));
  await takeAll(page, shown);
} finally {
  await browser.close();
  await shown.stop();
}

async function takeAll(page: Page, { baseUrl, makeLink, tokenIds }: ShownService): Promise<void> {
  const open = (path: string): Promise<unknown> => page.goto(`${baseUrl}/console${path}`);
  await page.goto(await makeLink());
  await page.getByRole("button", { name: "Sign in to the console" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await take(page, "overview", 1_290);
  await open("/problems");
  await take(page, "problems");
  await open(`/connections/${tokenIds["blue-door-books"]}`);
  await take(page, "connection", 1_000);
  await open("/webhooks");
  await take(page, "webhooks");
  await open("/try");
  await page.getByRole("button", { name: "Connect the sandbox" }).click();
  await page.getByRole("heading", { name: "The sandbox is connected" }).waitFor();
  await take(page, "try");
}

/** No picture has a credential, not even of a service that is gone. */
async function take(page: Page, name: string, height = usualHeight): Promise<void> {
  await page.evaluate(`{
    const hide = (text) => text.replaceAll(/\\b(rc_[a-z]+_[a-z]+_)\\w+/g, "$1…");
    for (const field of document.querySelectorAll("input")) field.value = hide(field.value);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = hide(texts.currentNode.data);
  }`);
  await page.setViewportSize({ width, height });
  const bytes = indexPng(await page.screenshot());
  if (bytes.length > maxBytes)
    throw new Error(`the picture of ${name} has ${bytes.length} bytes, more than ${maxBytes}`);
  writeFileSync(join(folder, `console-${name}.png`), bytes);
  process.stdout.write(`console-${name}.png: ${Math.ceil(bytes.length / 1_000)} kB\n`);
}
