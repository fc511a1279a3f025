import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adaptText } from "../../src/guides/guide-text.ts";
import { startDocumentedService, type DocumentedService } from "../support/documented-service.ts";
import { documents, readDocument } from "../support/documents.ts";
import { runSample, type SampleLanguage } from "../support/guide-code.ts";

// A block of a guide whose language is followed by `run` works as it stands, in local mode and hosted. Those of one
// guide in `sh` are for one shell. What a block prints is in the block of the language `text` behind it; … stands for
// anything there, and in `NAME=…` for what the reader fills in.

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

const example = "https://rollcall.example.com";
const guides = documents
  .flatMap(({ path, text }) =>
    [true, false].map((isLocal) => ({
      path,
      mode: isLocal ? "in local mode" : "hosted",
      blocks: runnableBlocksOf(adaptText(text, { isLocal, baseUrl: example })),
    })),
  )
  .filter(({ blocks }) => blocks.length > 0);

let service: DocumentedService;
let browser: Server;
/** The sign-in of the person who opened the link of a guide: it answers with the code. */
let signIn: (challenge: string | null) => Promise<string>;
beforeAll(async () => {
  service = await startDocumentedService();
  browser = createServer((request, response) => {
    void signIn(request.url?.slice(1) || null).then((code) => response.end(code));
  }).listen(0, "127.0.0.1");
  await once(browser, "listening");
});
afterAll(async () => {
  browser.close();
  await service.close();
});

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

test("the quickstart needs nothing of local mode when it is hosted", () => {
  const [local, hosted] = [true, false].map((isLocal) =>
    adaptText(readDocument("docs/quickstart.md"), { isLocal, baseUrl: "https://acme.example" }),
  );
  expect(local).toMatch(/npm start[\s\S]*demo\.json[\s\S]*\/connect\/example/);
  expect(hosted).not.toMatch(/npm start|demo\.json|\/connect\/example|<!--/);
  expect(hosted).toContain("export BASE=https://acme.example\n");
});

test.each(guides)("$path, $mode: its runnable blocks work as they stand", async ({ blocks }) => {
  const env = await environment();
  const end = "\necho; echo @@@\n";
  const shell = blocks.filter(({ language }) => language === "curl");
  const script = shell.map(({ code }) => fillIn(code, env)).join(end);
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
  signIn = (challenge) => service.codeFor(owner, challenge);
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
    WEBHOOK_URI: "https://app.example.com/webhooks",
    BROWSER: `http://127.0.0.1:${(browser.address() as AddressInfo).port}`,
    STATE_DIR: service.folder,
  };
}

/** What the reader does: fills in values, and signs in before the code is exchanged. */
function fillIn(code: string, env: Record<string, string>): string {
  const signsIn = code.includes('$CODE"') ? 'CODE=$(curl -s "$BROWSER/$CODE_CHALLENGE")\n' : "";
  return (
    signsIn +
    code
      .replaceAll(/\b([A-Z_]+)=…/g, (_, name: string) => `${name}='${env[name]}'`)
      .replaceAll(example, env["BASE"] ?? "")
  );
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
