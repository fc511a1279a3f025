import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rollcall, type CommandResult } from "../support/command-line.ts";
import { projectDir } from "../support/program-environment.ts";

/** The help of every command that does something. The help of each command lists its commands. */
async function readHelp(words: string[] = []): Promise<[string, CommandResult][]> {
  const help = await rollcall([...words, "--help"], {});
  const [, listed = ""] = /^Commands:\n((?: .*\n?)+)/m.exec(help.stdout) ?? [];
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name]) =>
    name === undefined || name === "help" ? [] : [name],
  );
  if (names.length === 0) return [[words.join(" "), help]];
  return (await Promise.all(names.map((name) => readHelp([...words, name])))).flat();
}

const commands = await readHelp();

test("the operator has these commands", () => {
  expect(commands.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      "client create",
      "client list",
      "client show",
      "client update",
      "connection create",
      "connection reauth",
      "token list",
      "token disconnect",
      "sandbox advance",
      "sandbox fail",
      "audit list",
      "keys generate",
    ]),
  );
});

describe("--help", () => {
  test.each(commands)(
    "of %s says what it does and how it is called",
    (name, { code, stdout, stderr }) => {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^Usage: rollcall ${name}`));
      expect(stdout).toContain("--json");
    },
  );

  test("of every command shows an example", () => {
    const without = commands.filter(
      ([, { stdout }]) => !/^Examples?\b.*:\n +\$ rollcall /m.test(stdout),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  test.concurrent("of the program names the exit codes", async () => {
    const { code, stdout } = await rollcall(["--help"], {});
    expect(code).toBe(0);
    expect(stdout).toMatch(/Exit codes: 0 .* 1 .* 2 /);
  });
});

describe("arguments that are not valid end with exit code 2 and a message on standard error", () => {
  test.concurrent.each<[string, string[]]>([
    ["no command", []],
    ["half a command", ["client"]],
    ["an unknown command", ["nonsense"]],
    ["an unknown second word", ["client", "nonsense"]],
    ["an unknown option", ["client", "list", "--nonsense"]],
    ["a surplus argument", ["client", "list", "more"]],
    ["a missing argument", ["token", "disconnect"]],
  ])("%s", async (_what, words) => {
    const { code, stdout, stderr } = await rollcall(words, {});
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toBe("");
  });
});

/** The modules that a command imports, as V8 saw them; those of Node are left out. */
async function modulesOf(words: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-modules-"));
  const hook = join(folder, "hook.mjs");
  const record = join(folder, "modules");
  await writeFile(
    hook,
    `import { registerHooks } from "node:module";
import { appendFileSync } from "node:fs";
registerHooks({
  load(url, context, next) {
    if (url.startsWith("file:")) appendFileSync(${JSON.stringify(record)}, url + "\\n");
    return next(url, context);
  },
});`,
  );
  const { code } = await rollcall(words, { NODE_OPTIONS: `--import=${hook}` });
  expect(code).toBe(0);
  const urls = (await readFile(record, "utf8")).trim().split("\n");
  await rm(folder, { recursive: true });
  return [...new Set(urls)].map((url) => url.replace(/^.*\/(?:node_modules|src)\//, ""));
}

describe("a command that only prints starts with what it needs", () => {
  const ownModules = [
    "build-program",
    "command-failure",
    "format-examples",
    "output",
    "run-words",
    "table-layout",
  ];

  test.each([["--help"], ["--version"]])("%s", async (word) => {
    const modules = await modulesOf([word]);
    const allowed = ownModules.map((name) => `cli/${name}.ts`);
    expect(
      modules.filter(
        (name) =>
          !name.startsWith("commander/") &&
          !["cli.ts", "model/errors.ts", "platform/program-version.ts", ...allowed].includes(name),
      ),
    ).toEqual([]);
  });

  test("the help of every group: no package but commander", async () => {
    const { stdout } = await rollcall(["--help"], {});
    const listed = stdout.slice(stdout.indexOf("Commands:"), stdout.indexOf("\nExit codes"));
    const names = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names.filter((each) => each !== "help")) {
      const modules = await modulesOf([name, "--help"]);
      expect(
        modules.filter(
          (path) =>
            !/^(?:commander\/|cli\/|cli\.ts|model\/errors\.ts|platform\/program-version\.ts)/.test(
              path,
            ),
        ),
      ).toEqual([]);
    }
  });
});

test("--version is that of package.json", async () => {
  const { version } = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8")) as {
    version: string;
  };
  expect(await rollcall(["--version"], {})).toMatchObject({ code: 0, stdout: `${version}\n` });
});

/** What bash offers for the last of these words. */
const complete = async (...words: string[]): Promise<string[]> => {
  const { stdout } = await rollcall(["completion", "bash"], {});
  const line = ["rollcall", ...words].map((word) => `'${word}'`).join(" ");
  const script = `${stdout}
COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _rollcall; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout: offered } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  return offered.trim().split("\n");
};

describe("completion", () => {
  test("in bash offers what the commands are made of", async () => {
    expect(await complete("")).toEqual(expect.arrayContaining(["client", "demo", "--version"]));
    expect(await complete("client", "")).toEqual(expect.arrayContaining(["create", "update"]));
    expect(await complete("client", "update", "--rot")).toEqual(["--rotate-secret"]);
    expect(await complete("--json", "delivery", "re")).toEqual(["replay"]);
  });

  test("has every command and option in each shell", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await rollcall(["completion", shell], {});
      expect(code).toBe(0);
      for (const [name, { stdout: help }] of commands) {
        const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, o = ""]) => o);
        for (const word of [...name.split(" "), ...options]) expect(stdout).toContain(word);
      }
    }
  });

  test("of another shell is a usage error", async () => {
    expect((await rollcall(["completion", "csh"], {})).code).toBe(2);
  });
});
