import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadPackage as load } from "../../src/providers/load-package.ts";
import {
  listPackageFiles,
  locatePackage,
  openPackage,
} from "../../src/providers/locate-package.ts";
import { loadAllBuiltIn } from "../../src/providers/built-in.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { readDocument } from "../support/documents.ts";
import { programEnvironment, projectDir } from "../support/program-environment.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rollcall-packages-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let made = 0;
const definition = (name: string): string =>
  `{ apiVersion: 1, name: "${name}", title: "${name}", modes: {} }`;

/** The path of a new module. */
async function write(source: string, path = `module-${(made += 1)}.js`): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, source);
  return file;
}

async function install(name: string, manifest: object, files: Record<string, string>) {
  for (const [path, source] of Object.entries(files))
    await write(source, join("node_modules", name, path));
  const text = JSON.stringify({ name, type: "module", ...manifest });
  await write(text, join("node_modules", name, "package.json"));
}

/** In this process. */
const loadPackage = async (path: string) => await load(openPackage(path));
const loadRegistry = async (
  path: string,
  applications: Parameters<ProviderRegistry["offerWith"]>[0] = {},
) => {
  const { definitions } = await loadPackage(path);
  const all = [...(await loadAllBuiltIn()), ...definitions];
  return new ProviderRegistry(all).offerWith(applications);
};

const namesOf = async (path: string): Promise<string[]> =>
  (await loadPackage(path)).definitions.map(({ name }) => name);

describe("the default export of a package", () => {
  test.each([
    ["a definition", `export default ${definition("one")};`, ["one"]],
    ["a list", `export default [${definition("one")}, ${definition("two")}];`, ["one", "two"]],
    [
      "a function of the kit",
      `export default (kit) => kit.defineProvider(${definition("one")});`,
      ["one"],
    ],
    [
      "a function of the kit that gives a list",
      `export default (kit) => [${definition("one")}, kit.defineProvider(${definition("two")})];`,
      ["one", "two"],
    ],
    [
      "a list of both",
      `export default [${definition("one")}, (kit) => kit.defineProvider(${definition("two")})];`,
      ["one", "two"],
    ],
  ])("is %s", async (_case, source, names) => {
    expect(await namesOf(await write(source))).toEqual(names);
  });

  test.each([
    ["is missing", "export const provider = 1;", /has no default export/],
    ["is nothing", "export default [];", /has to be a definition/],
    ["makes nothing", "export default () => undefined;", /has to be a definition/],
    ["throws", 'export default () => { throw new Error("no licence"); };', /no licence/],
    ["does not load", 'import "./is-not-there.js";', /cannot be loaded: .*is-not-there/],
  ])("is refused with the name of the package when it %s", async (_case, source, said) => {
    const path = await write(source);
    await expect(loadPackage(path)).rejects.toThrow(said);
    await expect(loadPackage(path)).rejects.toThrow(path);
  });

  test("is handed the host's zod, so that its form has titles", async () => {
    const path = await write(`
      export default ({ defineProvider, formField, z, ...others }) => defineProvider({
        apiVersion: 1, name: "formed", title: "Formed", tags: Object.keys(others).sort(),
        modes: { xhr: { form: z.object({ key: formField({ title: "The key", isSecret: true }) }), resources: {} } },
      });`);
    const registry = await loadRegistry(path);
    const [field] = registry.findMode("formed", "xhr")!.fields;
    expect(field).toMatchObject({ name: "key", title: "The key", isSecret: true });
    const given =
      "AuthError FieldError OperationNotSupported ProviderBug ProviderDown ProviderRateLimited RequestRefused";
    const others =
      "addDays always auth csv defineFields definePart defineReader defineSource each eachAtOnce findRights findStarts inParts json listChanges lookup oauth2 oneByOne onlyOne openZone part read readApprovedBy readList readTokenClaims recordsAt requestOAuth2Tokens rest signInByKey toMinorUnits together tokenFields whereReadable xml";
    expect(registry.find("formed")?.tags).toEqual(`${given} ${others}`.split(" "));
  });
});

test("the first package of docs/providers.md is one", async () => {
  const [, source = ""] =
    /^```js\n(const origin = [\s\S]*?)^```$/m.exec(readDocument("docs/providers.md")) ?? [];
  const { definitions } = await loadPackage(await write(source));
  const registry = new ProviderRegistry(definitions);
  expect(registry.hasResource({ provider: "acme", mode: "official", resource: "employees" })).toBe(
    true,
  );
});

describe("a mode that is signed in to by OAuth2", () => {
  const source = `
    export default ({ z }) => {
      const mode = { form: z.object({}), resources: {} };
      const oauth2 = { authorizationUrl: () => "https://vendor.example/", scopes: () => [] };
      return {
        apiVersion: 1, name: "vendor", title: "Vendor",
        modes: { xhr: mode, official: { ...mode, oauth2 } },
      };
    };`;
  const application = { clientId: "rollcall", clientSecret: "a secret" };

  test("is there with an application of the operator alone", async () => {
    const path = await write(source);
    const modesWith = async (applications: Parameters<typeof loadRegistry>[1]) =>
      Object.keys((await loadRegistry(path, applications)).find("vendor")?.modes ?? {});
    expect(await modesWith({})).toEqual(["xhr"]);
    expect(await modesWith({ vendor: application })).toEqual(["xhr", "official"]);
  });

  test("is the only one that takes an application", async () => {
    const path = await write(source);
    for (const name of ["odoo", "vender"])
      await expect(loadRegistry(path, { [name]: application })).rejects.toThrow(
        `an application for ${name}, and no provider of this name`,
      );
  });
});

test.each([
  "javascript:alert(1)",
  "http://acme.example/help",
  "https://acme.example/ x",
  "/connect",
])("a guide at %s is refused", (guide) => {
  const definition = { ...sandbox, name: "acme", guide };
  expect(() => new ProviderRegistry([definition])).toThrow(
    "provider acme: `guide` has to be an address with https",
  );
});

test("a mode that there is not is refused by its name", () => {
  const definition = { ...sandbox, name: "acme", modes: { api: sandbox.modes.xhr } as never };
  expect(() => new ProviderRegistry([definition])).toThrow(
    "provider acme: there is no mode api, only official and xhr",
  );
});

test("a reader that nothing could ask for in its mode is refused", () => {
  const definition = { ...sandbox, name: "acme", modes: { official: sandbox.modes.xhr! } };
  expect(() => new ProviderRegistry([definition])).toThrow(
    "provider acme: the mode official has payruns, which the API has in the mode xhr alone",
  );
});

describe("a package is found", () => {
  test("by its name, from the working directory, whatever its exports look like", async () => {
    const source = `export default ${definition("one")};`;
    const files = { "index.js": source, "lib/entry.js": source };
    const entry = (name: string, path: string): string => join(folder, "node_modules", name, path);
    const shapes: [string, object, string][] = [
      ["plain", {}, "index.js"],
      ["with-main", { main: "./lib/entry.js" }, "lib/entry.js"],
      ["@acme/scoped", { exports: "./lib/entry.js" }, "lib/entry.js"],
      [
        "conditional",
        { exports: { require: "./no.cjs", import: "./lib/entry.js" } },
        "lib/entry.js",
      ],
      [
        "nested",
        { exports: { ".": { types: "./x.d.ts", node: [{ import: "./lib/entry.js" }] } } },
        "lib/entry.js",
      ],
    ];
    for (const [name, manifest, path] of shapes) {
      await install(name, manifest, files);
      expect(locatePackage(name, folder)).toBe(entry(name, path));
    }
    await install("sub", { exports: { "./provider": "./lib/entry.js" } }, files);
    expect(locatePackage("sub/provider", folder)).toBe(entry("sub", "lib/entry.js"));
    expect(() => locatePackage("sub", folder)).toThrow(/sub does not export itself/);
  });

  test("from a folder above the working directory", async () => {
    await install("above", {}, { "index.js": "" });
    const below = join(folder, "a/b");
    await mkdir(below, { recursive: true });
    expect(locatePackage("above", below)).toBe(join(folder, "node_modules/above/index.js"));
  });

  test("by its path, from the working directory", () => {
    expect(locatePackage("./here.js", folder)).toBe(join(folder, "here.js"));
    expect(locatePackage("/opt/there.js", folder)).toBe("/opt/there.js");
    expect(locatePackage("file:///opt/a%20b.js", folder)).toBe("/opt/a b.js");
  });

  test("beside Rollcall when the working directory has none", () => {
    expect(locatePackage("zod", folder)).toMatch(/node_modules\/zod\/index\.js$/);
  });

  test("or refused with its name and what to do", async () => {
    expect(() => locatePackage("@acme/missing", folder)).toThrow(
      `the provider package @acme/missing is not installed: run \`npm install @acme/missing\` in ${folder}, or correct the name`,
    );
    await expect(loadPackage("@acme/missing")).rejects.toThrow(
      /^the provider package @acme\/missing is not/,
    );
  });

  test("or stops the start in one line", async () => {
    const args = [join(projectDir, "src/main.ts")];
    const env = programEnvironment({ PROVIDERS: "@acme/missing" });
    const started = promisify(execFile)(process.execPath, args, { cwd: folder, env });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Rollcall could not start\. PROVIDERS cannot be used: the provider package [^\n]+\n$/,
      ) as string,
    });
  });

  test("by the path of its folder, with all of its files", async () => {
    const manifest = { type: "module", exports: { import: "./lib/entry.js" } };
    await write(JSON.stringify(manifest), "folded/package.json");
    await write(`export default ${definition("folded")};`, "folded/lib/entry.js");
    expect(await namesOf(join(folder, "folded"))).toEqual(["folded"]);
    expect(locatePackage("./folded", folder)).toBe(join(folder, "folded/lib/entry.js"));
    expect(locatePackage(".", join(folder, "folded"))).toBe(join(folder, "folded/lib/entry.js"));
    expect(listPackageFiles("./folded", folder)).toEqual(
      ["lib/entry.js", "package.json"].map((path) => join(folder, "folded", path)),
    );
    expect(() => locatePackage("./folded/lib", folder)).toThrow(
      "the folder ./folded/lib has no package.json: name the file that has the provider",
    );
  });

  test("with all of its files and none of its own packages", async () => {
    await install(
      "whole",
      {},
      {
        "index.js": "",
        "lib/map.js": "",
        "node_modules/inner/index.js": "",
      },
    );
    const root = join(folder, "node_modules/whole");
    expect(listPackageFiles("whole", folder)).toEqual(
      ["index.js", "lib/map.js", "package.json"].map((path) => join(root, path)),
    );
    expect(listPackageFiles("/opt/there.js", folder)).toEqual(["/opt/there.js"]);
  });

  test("through a link, as npm makes one for a folder", async () => {
    await write(`export default ${definition("linked")};`, "elsewhere/index.js");
    await write('{ "name": "linked", "type": "module" }', "elsewhere/package.json");
    await mkdir(join(folder, "node_modules"), { recursive: true });
    await symlink(join(folder, "elsewhere"), join(folder, "node_modules/linked"));
    expect(await namesOf(locatePackage("linked", folder))).toEqual(["linked"]);
  });
});

test("the recipe in docs/providers.md is one", async () => {
  const [, recipe = ""] =
    /^```js\n(const recipe = \{[\s\S]*?)^```$/m.exec(readDocument("docs/providers.md")) ?? [];
  const path = await write(`export default ({ z, formField }) => {
    ${recipe}
    const form = z.object({ key: formField({ title: "Acme key", isSecret: true }) });
    return { apiVersion: 1, name: "told", title: "Told", modes: { xhr: { form, recipe, resources: {} } } };
  };`);
  expect((await loadRegistry(path)).findMode("told", "xhr")?.recipe?.steps).toHaveLength(2);
});

test("the table of fields in docs/providers.md is one", async () => {
  const [, table = ""] =
    /^```js\n(const \{ text, day[\s\S]*?)^```$/m.exec(readDocument("docs/providers.md")) ?? [];
  const path = await write(`export default (kit) => {
    ${table}
    const reader = { async *fetch() {}, map: (raw, context) => employees.map(raw, context) };
    return kit.defineProvider({
      apiVersion: 1, name: "tabled", title: "Tabled",
      modes: { xhr: { form: kit.z.object({}), resources: { employees: kit.defineReader(reader) } } },
    });
  };`);
  const { definitions } = await loadPackage(path);
  const { map } = definitions[0]!.modes.xhr!.resources.employees!;
  const raw = { id: 7, name: { given: "Ann" }, privateMail: "ann@home.example", state: "away" };
  expect(map(raw as never, { today: "2026-03-02", parameters: {} })).toMatchObject({
    remote_id: "7",
    first_name: "Ann",
    last_name: "",
    work_email: "ann@home.example",
    employment_status: "leave",
    start_date: null,
  });
});
