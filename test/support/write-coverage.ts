import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInProviders } from "../../src/providers/built-in.ts";
import { checkedProviders } from "./built-in-conformances.ts";
import {
  describeFilled,
  describeProviders,
  guideOf,
  replaceFilled,
  replaceProviders,
} from "./coverage.ts";
import { projectDir } from "./program-environment.ts";

// npm run coverage: writes what each provider has into docs/coverage.md and docs/providers/.
rewrite("docs/coverage.md", (text) => replaceProviders(text, describeProviders(builtInProviders)));
for (const checked of checkedProviders.filter(({ definition }) => !definition.isSimulated)) {
  const filled = await describeFilled(checked);
  rewrite(guideOf(checked.definition), (text) => replaceFilled(text, filled));
}

function rewrite(path: string, change: (text: string) => string): void {
  const file = join(projectDir, path);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
