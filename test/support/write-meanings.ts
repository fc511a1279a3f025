import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkedProviders } from "./built-in-conformances.ts";
import { meaningsGuide, replaceMeanings } from "./meanings.ts";
import { projectDir } from "./program-environment.ts";

// npm run meanings: writes into docs/meanings.md which systems tell what.
const file = join(projectDir, meaningsGuide);
writeFileSync(file, replaceMeanings(readFileSync(file, "utf8"), checkedProviders));
