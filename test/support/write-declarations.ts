import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeDeclarations } from "./declarations.ts";
import { projectDir } from "./program-environment.ts";

// npm run types: writes the types that provider packages compile with.
for (const [name, text] of Object.entries(writeDeclarations()))
  writeFileSync(join(projectDir, "packages/provider", name), text);
