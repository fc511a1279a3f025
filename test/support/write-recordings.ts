import { join } from "node:path";
import { rmSync } from "node:fs";
import type { Mode } from "../../src/model/index.ts";
import { keepRecording, recordings } from "../../src/recordings/index.ts";
import { checkedProviders } from "./built-in-conformances.ts";
import { recordFake } from "./record-fake.ts";

// `npm run recordings`: records what the fakes of the built-in providers answer. Their companies are invented, so that
// every value stays.
for (const { definition, conformances, abroad = {} } of checkedProviders) {
  if (definition.isSimulated) continue;
  const places = Object.entries(abroad);
  const all = [...conformances.map((one) => ["", one] as const), ...places];
  for (const [place, conformance] of all) {
    const mode = conformance.mode ?? (Object.keys(definition.modes)[0] as Mode);
    const { seen } = await recordFake(definition.name, mode, conformance);
    const name = [definition.name, mode, ...(place === "" ? [] : [place])].join("-");
    const folder = join(recordings.builtInFolder, name);
    const { meanings, neverFilled } = conformance;
    // What was named of an earlier one is not kept.
    rmSync(folder, { recursive: true, force: true });
    recordings.write(folder, {
      ...keepRecording(seen),
      ...(meanings && { meanings }),
      ...(neverFilled && { neverFilled }),
    });
    rmSync(join(folder, ".gitignore"), { force: true });
    process.stdout.write(`${folder}\n`);
  }
}
