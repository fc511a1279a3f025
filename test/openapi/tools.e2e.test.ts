import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness } from "../support/harness.ts";
import { projectDir } from "../support/program-environment.ts";

const run = promisify(execFile);

/** Nothing is sent to the makers of the tools. */
const withoutTelemetry = {
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  DO_NOT_TRACK: "1",
};
/** Programs of client developers. They are no part of this project's program, which has no generated client. */
const programs = ["with-openapi-typescript.ts", "with-hey-api.ts"];
const timeoutMs = 240_000;

let dir: string;

beforeAll(async () => {
  // The linters complain of an address at example.com, which the harness has by default.
  const harness = await createHarness({ env: { PUBLIC_URL: "https://api.rollcall.test" } });
  const { bytes } = await harness.http.get("/openapi.json");
  await harness.close();
  dir = await mkdtemp(join(tmpdir(), "openapi-"));
  await writeFile(join(dir, "openapi.json"), bytes);
  await writeFile(join(dir, "spectral.yaml"), 'extends: ["spectral:oas"]\n');
  await writeFile(join(dir, "package.json"), '{"type":"module"}');
  for (const program of programs)
    await copyFile(join(projectDir, `test/openapi/clients/${program}.txt`), join(dir, program));
}, timeoutMs);
afterAll(() => rm(dir, { recursive: true }));

/** Runs a tool that is installed here. Returns what it prints, whatever its exit code. */
async function runTool(script: string, ...given: string[]): Promise<string> {
  const options = { cwd: dir, env: { ...process.env, ...withoutTelemetry }, maxBuffer: 2 ** 26 };
  const path = join(projectDir, "node_modules", script);
  const { stdout } = await run(process.execPath, [path, ...given], options).catch(
    (error: unknown) => error as { stdout: string },
  );
  return stdout;
}

/** The complaints of the compiler, with the settings of this project and these. */
async function compile(
  files: readonly string[],
  settings: Record<string, unknown> = {},
): Promise<string> {
  const config = join(dir, `tsconfig.${files.length}.json`);
  const compilerOptions = {
    skipLibCheck: false,
    lib: ["esnext", "dom", "dom.iterable"],
    types: [],
    ...settings,
  };
  await writeFile(
    config,
    JSON.stringify({
      extends: join(projectDir, "tsconfig.json"),
      compilerOptions,
      include: [],
      files,
    }),
  );
  return await runTool("typescript-native/bin/tsc", "--noEmit", "-p", config);
}

test(
  "Redocly finds nothing, with its strict recommendations",
  async () => {
    const output = await runTool(
      ".bin/redocly",
      "lint",
      "openapi.json",
      "--extends=recommended-strict",
      "--format=json",
    );
    const { totals, problems } = JSON.parse(output) as { totals: object; problems: unknown[] };
    expect(problems).toEqual([]);
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  },
  timeoutMs,
);

test(
  "Spectral finds nothing, with its rules for OpenAPI",
  async () => {
    const output = await runTool(
      ".bin/spectral",
      "lint",
      "openapi.json",
      "--ruleset=spectral.yaml",
      "--format=json",
      "--quiet",
    );
    expect(JSON.parse(output)).toEqual([]);
  },
  timeoutMs,
);

test(
  "the types of openapi-typescript compile with the strict settings of this project",
  async () => {
    await runTool(".bin/openapi-typescript", "openapi.json", "-o", "schema.ts");
    expect(await compile(["schema.ts", "with-openapi-typescript.ts"])).toBe("");
  },
  timeoutMs,
);

test(
  "the types and the client of @hey-api/openapi-ts compile with the strict settings of this project",
  async () => {
    await runTool(".bin/openapi-ts", "-i", "openapi.json", "-o", "client", "--no-log-file", "-s");
    expect(await compile(["client/types.gen.ts"])).toBe("");
    // The part of its client that is the same for every API does not compile with this setting.
    const lenient = { exactOptionalPropertyTypes: false };
    const files = ["client/types.gen.ts", "client/index.ts", "with-hey-api.ts"];
    expect(await compile(files, lenient)).toBe("");
  },
  timeoutMs,
);
