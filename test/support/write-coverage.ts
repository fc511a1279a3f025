import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInProviders } from "./built-in-providers.ts";
import { describeProviders, guideOf, replaceDescribed, replaceProviders } from "./coverage.ts";
import { projectDir } from "./program-environment.ts";

// npm run coverage: writes what each provider has into docs/coverage.md and docs/providers/.
rewrite("docs/coverage.md", (text) => replaceProviders(text, describeProviders(builtInProviders)));
for (const definition of builtInProviders.filter(({ isSimulated }) => !isSimulated))
  rewrite(guideOf(definition), (text) => replaceDescribed(text, definition));

function rewrite(path: string, change: (text: string) => string): void {
  const file = join(projectDir, path);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
