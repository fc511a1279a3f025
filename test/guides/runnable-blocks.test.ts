import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDocumentedService, type DocumentedService } from "../support/documented-service.ts";
import { documents } from "../support/documents.ts";
import { runSample, type SampleLanguage } from "../support/guide-code.ts";

// A block of a guide whose language is followed by `run` works as it stands. Those of one guide in `sh` are for one
// shell. What a block prints is in the block of the language `text` behind it; … stands for anything.

interface Block {
  language: SampleLanguage;
  code: string;
  expected: readonly string[];
}

const languages: Record<string, SampleLanguage> = {
  sh: "curl",
  ts: "TypeScript",
  python: "Python",
};
const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython)
  process.stdout.write("The blocks in Python are left out: there is no python3 on this machine.\n");

const guides = documents
  .map(({ path, text }) => ({ path, blocks: runnableBlocksOf(text) }))
  .filter(({ blocks }) => blocks.length > 0);

let service: DocumentedService;
beforeAll(async () => {
  service = await startDocumentedService();
});
afterAll(() => service.close());

function runnableBlocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+) run\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```)?/gm)].map(
    ([, language = "", code = "", expected = ""]) => ({
      language: languages[language]!,
      code,
      expected: expected.split("\n").filter(Boolean),
    }),
  );
}

test("there are some in the guides that a newcomer reads", () => {
  expect(guides.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "docs/quickstart.md",
      "docs/waiting-and-freshness.md",
      "docs/going-live.md",
    ]),
  );
});

test.each(guides)("$path: its runnable blocks work as they stand", async ({ blocks }) => {
  const env = await environment();
  const end = "\necho; echo @@@\n";
  const shell = blocks.filter(({ language }) => language === "curl");
  const script = shell.map(({ code }) => code).join(end);
  const { code, output, errors } = await runSample("curl", script, { folder: service.folder, env });
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  const outputs = output.split("@@@\n");
  for (const [index, { expected }] of shell.entries()) expectLines(outputs[index] ?? "", expected);
  for (const { language, code } of blocks.filter(({ language }) => language !== "curl")) {
    if (language === "Python" && !hasPython) continue;
    const ended = await runSample(language, code, { folder: service.folder, env });
    expect(ended).toMatchObject({ code: 0, errors: "" });
  }
});

/** What a developer has: a client, a code of a sign-in, and in local mode the file with the demo. */
async function environment(): Promise<Record<string, string>> {
  const owner = await service.createOwner();
  const credentials = service.credentialsOf(owner);
  const demo = {
    base_url: service.baseUrl,
    sandbox_token: service.sandboxToken,
    client_id: credentials["CLIENT_ID"],
    client_secret: credentials["CLIENT_SECRET"],
    redirect_uri: credentials["REDIRECT_URI"],
  };
  await writeFile(join(service.folder, "demo.json"), JSON.stringify(demo));
  return {
    ...credentials,
    BASE: service.baseUrl,
    TOKEN: (await service.connectAs(owner)).token,
    CODE: await service.codeFor(owner),
    STATE_DIR: service.folder,
  };
}

/** The lines appear in this order. */
function expectLines(output: string, expected: readonly string[]): void {
  const pattern = expected
    .map((line) =>
      line
        .split("…")
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
        .join(".*?"),
    )
    .join(String.raw`[\s\S]*?`);
  expect(output).toMatch(new RegExp(pattern));
}
