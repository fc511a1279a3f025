import { join } from "node:path";
import { rmSync } from "node:fs";
import type { Mode } from "../../src/model/index.ts";
import { describeProvider } from "../../src/conformance/index.ts";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import { keepRecording, recordings, replay } from "../../src/recordings/index.ts";
import { checkedProviders } from "./built-in-conformances.ts";
import { recordFake } from "./record-fake.ts";

// `npm run recordings`: records what the fakes of the built-in providers answer, and runs every check of the contract
// beside what was recorded. Their companies are invented, so that every value stays.
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
    const wrong = await findWrong(definition, folder);
    process.stdout.write([folder, ...wrong.map((one) => `  failed: ${one}`), ""].join("\n"));
    if (wrong.length > 0) process.exitCode = 1;
  }
}

/** What fails of `rollcall provider check` with this recording. */
async function findWrong(definition: ProviderDefinition, folder: string): Promise<string[]> {
  const recording = recordings.read(folder);
  const conformance = replay.conformanceOf(recording, {
    onMissing: () => undefined,
    modeOf: () => definition.modes[recording.mode],
  });
  const wrong: string[] = [];
  for (const check of describeProvider(definition, conformance))
    if (check.leftOut === undefined)
      await check.run().catch((error: unknown) => void wrong.push(String(error)));
  return wrong;
}
