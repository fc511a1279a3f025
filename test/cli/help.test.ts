import { describe, expect, test, vi } from "vitest";
import { rollcall, type CommandResult } from "../support/command-line.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

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
    ["a missing argument", ["client", "show"]],
  ])("%s", async (_what, words) => {
    const { code, stdout, stderr } = await rollcall(words, {});
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toBe("");
  });
});
