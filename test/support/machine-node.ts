import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, sep } from "node:path";

const folders = (process.env["PATH"] ?? "").split(delimiter);

/** Where a program of the machine is; undefined when it has none of this name. */
export function findProgram(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Node of the machine, where it is an older one than ours, which stands before it in the path of a script of npm. */
const machineNode = folders
  .filter((folder) => !folder.split(sep).includes("node_modules"))
  .map((folder) => join(folder, "node"))
  .find((path) => existsSync(path));
const version = machineNode
  ? spawnSync(machineNode, ["--version"], { encoding: "utf8" }).stdout.trim()
  : "";
const isOlder = /^v2[0-2]\./.test(version);

/** The version of each Node that a package is tried with: ours, and an older one where the machine has it. */
export const nodeVersions: readonly string[] = [process.version, ...(isOlder ? [version] : [])];

export function nodeOf(wanted: string): string {
  return machineNode && wanted !== process.version ? machineNode : process.execPath;
}
