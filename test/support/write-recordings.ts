import { join } from "node:path";
import { rmSync } from "node:fs";
import type { Mode } from "../../src/model/index.ts";
import { keepRecording, recordings } from "../../src/recordings/index.ts";
import { checkedProviders } from "./built-in-conformances.ts";
import { recordFake } from "./record-fake.ts";

// `npm run recordings`: records what the fakes of the built-in providers answer. Their companies are invented, so that
// every value stays.
for (const { definition, conformances } of checkedProviders) {
  if (definition.isSimulated) continue;
  for (const conformance of conformances) {
    const mode = conformance.mode ?? (Object.keys(definition.modes)[0] as Mode);
    const { seen } = await recordFake(definition.name, mode, conformance);
    const folder = join(recordings.builtInFolder, `${definition.name}-${mode}`);
    const { meanings, neverFilled } = conformance;
    recordings.write(folder, {
      ...keepRecording(seen),
      ...(meanings && { meanings }),
      ...(neverFilled && { neverFilled }),
    });
    rmSync(join(folder, ".gitignore"), { force: true });
    process.stdout.write(`${folder}\n`);
  }
}
