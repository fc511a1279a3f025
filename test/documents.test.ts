import type { Command } from "commander";
import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { buildProgram } from "../src/cli/build-program.ts";
import { variables } from "../src/config/index.ts";
import { linkParameters } from "../src/connect/link.ts";
import { tellEmployeeData } from "../src/connect/texts/employee-data.ts";
import { en } from "../src/connect/texts/en.ts";
import {
  authErrorCodes,
  locales,
  resourceRecords,
  scopesOfMode,
  splitScope,
} from "../src/model/index.ts";
import { rateLimitWindows } from "../src/platform/http/index.ts";
import { describeProvider } from "../src/conformance/index.ts";
import { kit } from "../src/providers/kit.ts";
import { readValue } from "../src/providers/kit/readers.ts";
import { builtInProviders } from "./support/built-in-providers.ts";
import { sandboxConformances } from "../src/providers/sandbox/conformance.ts";
import { sandbox } from "../src/providers/sandbox/index.ts";
import { scenarios } from "../src/providers/sandbox/scenarios.ts";
import { bareSchema, innerShape, sourceShapes } from "../src/providers/source-fields.ts";
import { nextAttempt } from "../src/webhooks/retry-schedule.ts";
import { rows } from "./chaos/rows.ts";
import {
  codeBlocksOf,
  codeRowsOf,
  documents,
  findLinkFault,
  inlineCodeOf,
  proseOf,
  readDocument,
  relativeLinksOf,
} from "./support/documents.ts";
import {
  describeProviders,
  guideOf,
  replaceDescribed,
  replaceProviders,
} from "./support/coverage.ts";
import { projectDir } from "./support/program-environment.ts";

const maxProseColumns = 120;
const { scripts } = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const pages = documents.filter(({ path }) => path.startsWith("docs/"));

/** Rows that begin with these names in code, without their backticks. */
const namesOf = (cell = ""): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

describe("each document", () => {
  test("of docs/ begins with a title and says who it is for", () => {
    expect(pages.length).toBeGreaterThan(9);
    const others = pages.filter(({ text }) => !/^# .+\n\nFor .+/.test(text));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  test("is one click away from README.md, or from the list of runbooks", () => {
    const linked = relativeLinksOf(readDocument("README.md"));
    const runbooks = relativeLinksOf(readDocument("docs/runbooks.md"));
    const others = documents.map(({ path }) => path).filter((path) => path !== "README.md");
    const reached = new Set([...linked, ...runbooks.map((path) => `docs/${path}`)]);
    expect(others.filter((path) => !reached.has(path))).toEqual([]);
  });

  test("docs/operating.md is short enough to be read when something is wrong", () => {
    expect(readDocument("docs/operating.md").split(/\s+/).length).toBeLessThan(3_000);
  });

  test("has no long line outside of tables and code", () => {
    const long = documents.flatMap(({ path, text }) =>
      proseOf(text)
        .split("\n")
        .filter((line) => !line.startsWith("|") && [...line].length > maxProseColumns)
        .map((line) => `${path}: ${line}`),
    );
    expect(long).toEqual([]);
  });
});

describe("what the documents name exists", () => {
  test("every relative link leads to a file, and to a heading if it names one", () => {
    const links = documents.flatMap(({ path, text }) =>
      relativeLinksOf(text).map((target) => findLinkFault(path, target)),
    );
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter((fault) => fault !== undefined)).toEqual([]);
  });

  test("every picture, which says what it shows, and each that there is", () => {
    const shown = documents.flatMap(({ path, text }) =>
      [...proseOf(text).matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(
        ([, alt = "", target = ""]) => ({
          file: join(dirname(path), target),
          alt,
        }),
      ),
    );
    expect(shown.filter(({ alt }) => alt.split(" ").length < 4)).toEqual([]);
    const there = readdirSync(join(projectDir, "docs/pictures"));
    expect(shown.map(({ file }) => file).toSorted()).toEqual(
      there.map((name) => `docs/pictures/${name}`).toSorted(),
    );
    const sizes = there.map((name) => statSync(join(projectDir, "docs/pictures", name)).size);
    expect(Math.max(...sizes)).toBeLessThan(150_000);
  });

  test("every npm script", () => {
    const named = documents.flatMap(({ path, text }) =>
      [...inlineCodeOf(text), ...codeBlocksOf(text)].flatMap((code) =>
        [...code.matchAll(/\bnpm (?:run (?:-s )?)?([a-z][a-z0-9:-]*)/g)].map(([, script = ""]) => ({
          path,
          script,
        })),
      ),
    );
    expect(named.length).toBeGreaterThan(4);
    const ofNpm = ["ci", "install", "create", "pack", "sbom"];
    const template = join(projectDir, "packages/create-rollcall-provider/template/package.json");
    const ofTemplate = JSON.parse(readFileSync(template, "utf8")) as {
      scripts: Record<string, string>;
    };
    const known = new Set([...ofNpm, ...Object.keys({ ...scripts, ...ofTemplate.scripts })]);
    expect(named.filter(({ script }) => !known.has(script))).toEqual([]);
  });

  test("every path of the repository in backticks", () => {
    // What npm and the service write is there after they ran.
    const entries = new Set(readdirSync(projectDir).filter((name) => name !== "node_modules"));
    const isPath = (code: string): boolean =>
      /^[\w.<>-]+(\/[\w.<>-]+)*\/?$/.test(code) &&
      code.includes("/") &&
      entries.has(code.split("/", 1)[0] ?? "");
    const paths = documents.flatMap(({ path, text }) =>
      inlineCodeOf(text)
        .filter(isPath)
        .map((code) => ({ path, code })),
    );
    expect(paths.length).toBeGreaterThan(60);
    // Angle brackets stand around a name that the reader chooses. These are examples of such names.
    const examples: Record<string, string> = { "<name>": "odoo", "<resource>": "company" };
    const missing = paths.filter(({ code }) => {
      const path = code.replaceAll(/<\w+>/g, (name) => examples[name] ?? name);
      return !existsSync(join(projectDir, path));
    });
    expect(missing).toEqual([]);
  });

  test("every file in backticks that is named without a folder", () => {
    const known = new Set(
      globSync(["*", ".*", "{src,test,bench,docs,examples,migrations,packages}/**/*"], {
        cwd: projectDir,
      }).map((path) => basename(path)),
    );
    const written = readFileSync(join(projectDir, "src/start/local-state.ts"), "utf8");
    const unknown = documents.flatMap(({ path, text }) =>
      inlineCodeOf(text)
        .filter((code) => /^[\w.-]+\.(ts|js|json|md|sql|yml)$/.test(code))
        .filter((name) => !known.has(name) && !written.includes(`"${name}"`))
        .map((name) => `${name} in ${path}`),
    );
    expect(unknown).toEqual([]);
  });

  test("every variable in backticks", () => {
    const readElsewhere: Record<string, string> = {
      NO_COLOR: "src/platform/terminal-log.ts",
      CLIENT_SECRET: "examples/webhook-receivers/receiver.ts",
      POSTGRES_PASSWORD: "docker-compose.yml",
      ODOO_URL: "test/live/odoo.test.ts",
      MALLOC_ARENA_MAX: "bin/start",
      // Refused, in a sentence.
      OUTBOUND_ALLOW: "src/config/outbound-ranges.ts",
      // Node itself reads it.
      NODE_EXTRA_CA_CERTS: "test/containers/base-images.ts",
    };
    for (const [name, path] of Object.entries(readElsewhere))
      expect(readFileSync(join(projectDir, path), "utf8")).toContain(name);
    const named = documents.flatMap(({ path, text }) =>
      inlineCodeOf(text)
        .filter((code) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(code))
        .map((name) => ({ path, name })),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(
      named.filter(({ name }) => !(name in variables.shape) && !(name in readElsewhere)),
    ).toEqual([]);
  });
});

const program = await buildProgram({ isJson: false });

describe("the operator's commands", () => {
  test("are there with every option that a document gives them", () => {
    const calls = documents.flatMap(({ path, text }) =>
      [...inlineCodeOf(text), ...codeBlocksOf(text)].flatMap((code) =>
        [...code.matchAll(/\b(?:npx |bin\/)rollcall(-provider)?(?![\w-])([^\n&|)]*)/g)].map(
          ([call, isOfBench, words = ""]) => ({
            path,
            call,
            // The bench has the commands of `rollcall provider`.
            fault: findCallFault(program, [
              ...(isOfBench ? ["provider"] : []),
              ...words.split(/\s+/).filter(Boolean),
            ]),
          }),
        ),
      ),
    );
    expect(calls.length).toBeGreaterThan(15);
    expect(calls.filter(({ fault }) => fault !== undefined)).toEqual([]);
  });

  test("are listed in docs/commands.md, each of them and no others", () => {
    const names = leavesOf(program).map(([name]) => name);
    const listed = codeRowsOf(readDocument("docs/commands.md"))
      .flatMap(([cell]) => namesOf(cell))
      .filter((name) =>
        program.commands.some((command) => `${name} `.startsWith(`${command.name()} `)),
      );
    expect(listed.sort()).toEqual(names.sort());
  });
});

/** Undefined for a call that the program takes: its words are commands, then arguments and known options. */
function findCallFault(command: Command, words: readonly string[]): string | undefined {
  const [word, ...rest] = words;
  const child = command.commands.find((candidate) => candidate.name() === word);
  if (child) return findCallFault(child, rest);
  const options = words.filter((candidate) => candidate.startsWith("--"));
  const known = new Set(["--help", "--json", ...command.options.map(({ long }) => long)]);
  const unknown = options.filter((option) => !known.has(option));
  if (unknown.length > 0) return `${command.name()} has no option ${unknown.join(" ")}`;
  if (command.commands.length > 0 && word !== undefined && !word.startsWith("--"))
    return `${command.name()} has no command ${word}`;
  return undefined;
}

function leavesOf(command: Command, words: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[words.join(" "), command]];
  return command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]));
}

describe("tables and lists are those of the code", () => {
  test("the tables of the database in docs/architecture.md", () => {
    const migrations = globSync("migrations/*.sql", { cwd: projectDir }).map((path) =>
      readFileSync(join(projectDir, path), "utf8"),
    );
    const tablesAfter = (verb: string): string[] =>
      migrations.flatMap((sql) =>
        [...sql.matchAll(new RegExp(`^${verb} table (\\w+)`, "gm"))].map(([, name = ""]) => name),
      );
    const dropped = tablesAfter("drop");
    const created = tablesAfter("create").filter((name) => !dropped.includes(name));
    const rows = codeRowsOf(readDocument("docs/architecture.md"));
    const listed = rows.flatMap(([, , , cell]) => namesOf(cell));
    expect(listed.sort()).toEqual(created.sort());
  });

  test("the metrics in docs/runbooks.md", () => {
    const registered = globSync("src/**/*.ts", { cwd: projectDir }).flatMap((path) =>
      [...readFileSync(join(projectDir, path), "utf8").matchAll(/"(rollcall_[a-z_]+)"/g)].map(
        ([, name = ""]) => name,
      ),
    );
    expect(registered.length).toBeGreaterThan(5);
    const listed = codeRowsOf(readDocument("docs/runbooks.md"))
      .flatMap(([cell]) => namesOf(cell))
      .filter((name) => name.startsWith("rollcall_"));
    expect(listed.sort()).toEqual(registered.sort());
  });

  test("the codes of a 401 that the provider causes in docs/errors-and-limits.md", () => {
    const text = readDocument("docs/errors-and-limits.md");
    const table = text.slice(
      text.indexOf("| `code` | what happened |"),
      text.indexOf("## What a 403 means"),
    );
    expect(codeRowsOf(table).flatMap(([cell]) => namesOf(cell))).toEqual([
      "code",
      ...authErrorCodes,
    ]);
  });

  test("the classes of rate limits in docs/errors-and-limits.md", () => {
    const text = readDocument("docs/errors-and-limits.md");
    const names = codeRowsOf(text.slice(text.indexOf("## Rate limits"))).flatMap(([cell]) =>
      namesOf(cell),
    );
    const windows = rateLimitWindows({ open1m: 1, open5m: 1, gatedIp1m: 1, gatedClient5m: 1 });
    expect([...new Set(names)]).toEqual(Object.keys(windows));
  });

  test("the kit and the checks of providers in docs/providers.md", () => {
    const text = readDocument("docs/providers.md");
    const namesBetween = (start: string, end: string, cell: number): string[] =>
      codeRowsOf(text.slice(text.indexOf(start), text.indexOf(end))).flatMap((cells) =>
        namesOf(cells[cell]),
      );
    const described = namesBetween("| kit | what for |", "The types are in", 0);
    expect(described.sort()).toEqual(Object.keys(kit).sort());
    const checks = describeProvider(sandbox, sandboxConformances[0]!);
    const listed = namesBetween("| check | scenario |", "In the tests of the package", 0);
    expect(listed.sort()).toEqual(checks.map(({ name }) => name).sort());
  });

  test("the readers of the kit in docs/providers.md, each with what it makes of an example", () => {
    const [, section = ""] = readDocument("docs/providers.md").split("\n### Readers\n");
    const rows = codeRowsOf(section.split("\n#", 1)[0]!).map((cells) =>
      cells.map((cell) => cell.replaceAll("`", "")),
    );
    const context = { ...kit.read, kit };
    const read = rows.map(([code = "", of = ""]) => {
      const reader = runInNewContext(code, context) as Parameters<typeof readValue>[0];
      return [code, of, readValue(reader, JSON.parse(of))];
    });
    expect(read).toEqual(rows.map(([code, of, made = ""]) => [code, of, JSON.parse(made)]));
    const named = new Set(rows.map(([code = ""]) => code.split("(", 1)[0]));
    expect([...named].sort()).toEqual(Object.keys(kit.read).sort());
  });

  test("the fields of each record in docs/providers.md", () => {
    const [, text = ""] = readDocument("docs/providers.md").split("## The fields of each record\n");
    const sections = text.split(/\n## /)[0]!.split("### `").slice(1);
    const tables = sections.map((section) => {
      const rows = codeRowsOf(section);
      expect(rows.filter(([, , meaning]) => meaning === "")).toEqual([]);
      const fields = rows.flatMap(([names, type]) => namesOf(names).map((name) => [name, type]));
      return [section.split("`", 1)[0], Object.fromEntries(fields)] as const;
    });
    const inCode = Object.entries(sourceShapes).map(([resource, shape]) => [
      resource,
      Object.fromEntries(describeFields(shape)),
    ]);
    const { address } = resourceRecords.company.shape;
    expect(Object.fromEntries(tables)).toEqual({
      ...Object.fromEntries(inCode),
      address: Object.fromEntries(describeFields(innerShape(address) ?? {})),
    });
  });

  test("the user names in docs/sandbox.md", () => {
    const names = codeRowsOf(readDocument("docs/sandbox.md")).flatMap(([cell]) => namesOf(cell));
    expect(names.sort()).toEqual([...scenarios.keys()].sort());
  });

  test("the parameters and languages in docs/sign-in-link.md", () => {
    const text = readDocument("docs/sign-in-link.md");
    const table = text.slice(text.indexOf("## The link"), text.indexOf("## The scopes"));
    const names = codeRowsOf(table).flatMap(([cell]) => namesOf(cell));
    const ours = ["client_id", "redirect_uri", ...Object.keys(linkParameters.shape)];
    expect(names.sort()).toEqual(ours.sort());
    const row = codeRowsOf(table).find(([cell]) => cell === "`locale`");
    expect(namesOf(row?.[2]).sort()).toEqual([...locales].sort());
  });

  test("the scopes in docs/sign-in-link.md, with their endpoints and the words of the consent page", () => {
    const text = readDocument("docs/sign-in-link.md");
    const table = text.slice(text.indexOf("## The scopes"), text.indexOf("## What comes back"));
    const rows = codeRowsOf(table).map(([scope = "", endpoint = "", words = ""]) => [
      namesOf(scope)[0],
      namesOf(endpoint)[0]?.split("?", 1)[0],
      words,
    ]);
    expect(rows).toEqual(
      scopesOfMode("xhr").map((scope) => {
        const { path } = splitScope(scope);
        const { name, holds = tellEmployeeData("en", en.employeeData) } = en.scopes[path];
        const endpoint = path.replaceAll(/:(\w+)/g, "{$1}");
        return [scope, `GET …/${endpoint}`, `${name}: ${holds}`];
      }),
    );
    const ofOfficial = scopesOfMode("xhr")
      .filter((scope) => !/payruns/.test(scope))
      .map((scope) => scope.replace("/xhr/", "/official/"));
    expect(scopesOfMode("official")).toEqual(ofOfficial);
  });

  test("the coverage of the built-in providers in docs/coverage.md, as `npm run coverage` writes it", () => {
    const text = readDocument("docs/coverage.md");
    expect(text).toEqual(replaceProviders(text, describeProviders(builtInProviders)));
  });

  test.each(builtInProviders.filter(({ isSimulated }) => !isSimulated))(
    "the guide of $name, to which docs/coverage.md leads",
    (definition) => {
      expect(relativeLinksOf(readDocument("docs/coverage.md"))).toContain(
        guideOf(definition).replace("docs/", ""),
      );
    },
  );

  test.each(builtInProviders.filter(({ isSimulated }) => !isSimulated))(
    "where each field of $name comes from, as `npm run coverage` writes it",
    (definition) => {
      const guide = readFileSync(join(projectDir, guideOf(definition)), "utf8");
      expect(guide).toEqual(replaceDescribed(guide, definition));
    },
  );

  test("the figures of the example of rate limits in docs/errors-and-limits.md", () => {
    const { RATE_LIMIT_GATED_CLIENT_5M: most, RATE_LIMIT_GATED_IP_1M: burst } = variables.parse({});
    const text = readDocument("docs/errors-and-limits.md").replaceAll(/\s+/g, " ");
    const rounds = Math.ceil(100 / most);
    expect([burst, rounds]).toEqual([most, 3]);
    for (const figure of [
      `**${burst} a minute is a burst.**`,
      `What lasts is ${most / 5} a minute, or ${most * 12} an hour`,
      `${most} go through at once, ${most} more when the window starts anew after five minutes, and the last ` +
        `${100 - 2 * most} after ten.`,
    ])
      expect(text).toContain(figure);
    expect(Math.round((1_000 / (most * 12)) * 10) / 10).toBeCloseTo(2, 0);
  });

  test("the receivers in docs/webhooks.md are those that are tested", () => {
    const folder = "examples/webhook-receivers";
    const examples = globSync(`${folder}/*`, { cwd: projectDir }).map((path) =>
      readFileSync(join(projectDir, path), "utf8"),
    );
    expect(examples.length).toBe(3);
    const blocks = codeBlocksOf(readDocument("docs/webhooks.md"));
    expect(examples.filter((code) => !blocks.includes(code))).toEqual([]);
  });

  test("the schedule of retries in docs/webhooks.md", () => {
    const random = { between: (low: number, high: number) => (low + high) / 2 };
    const delays: string[] = [];
    for (let step = 0; ; step += 1) {
      const seconds = nextAttempt({ step, random });
      if (seconds === undefined) break;
      delays.push(formatDelay(Math.round(seconds)));
    }
    const sentence = `${delays.slice(0, -1).join(", ")} and ${String(delays.at(-1))}`;
    expect(readDocument("docs/webhooks.md").replaceAll(/\s+/g, " ")).toContain(sentence);
  });
});

function formatDelay(seconds: number): string {
  if (seconds >= 3_600) return `${seconds / 3_600} h`;
  return seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`;
}

/** Each field of a record with its type. The fields of an address have a table of their own. */
function describeFields(
  shape: Readonly<Record<string, z.ZodType>>,
  path = "",
): (readonly [string, string])[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const bare = bareSchema(schema);
    const inner = innerShape(schema) ?? {};
    const isAddress = "post_code" in inner;
    const type = isAddress ? "address" : describeType(bare);
    const isRequired = !schema.safeParse(undefined).success;
    const below = `${path}${name}${bare instanceof z.ZodArray ? "[]" : ""}.`;
    return [
      [`${path}${name}`, `${type}${isRequired ? ", required" : ""}`] as const,
      ...(isAddress ? [] : describeFields(inner, below)),
    ];
  });
}

const mostWords = 10;

function describeType(schema: z.ZodType): string {
  if (schema instanceof z.ZodEnum)
    return schema.options.length > mostWords
      ? "code"
      : schema.options.map((word) => `\`${word}\``).join(", ");
  if (schema instanceof z.ZodISODate) return "date";
  if (schema instanceof z.ZodISODateTime) return "time";
  if (schema instanceof z.ZodURL) return "URL";
  if (schema instanceof z.ZodString) return "text";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  return schema instanceof z.ZodArray ? "list" : "object";
}

describe("the table of promises", () => {
  const promises = readDocument("CONTRIBUTING.md")
    .split("\n")
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));

  test("has each of them once, in order", () => {
    expect(promises.map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 35 }, (_, index) => index + 1),
    );
  });

  test("names rows of the chaos run and files of tests that there are", () => {
    const named = promises.flatMap(([, , , held = ""]) => inlineCodeOf(held));
    const missing = named.filter((name) =>
      name.startsWith("test/")
        ? !existsSync(join(projectDir, name))
        : !rows.some((row) => row.name.split(":", 1)[0] === name),
    );
    expect(missing).toEqual([]);
  });
});
