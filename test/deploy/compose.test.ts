import { globSync } from "node:fs";
import { BlockList } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProject } from "../containers/compose.ts";
import { projectDir } from "../support/program-environment.ts";

/** Whatever the files ask for. */
const variables = new Proxy({}, { get: () => "set" }) as Record<string, string>;
const cwd = join(projectDir, "examples/operations");
const examples = globSync("docker-compose.*.yml", { cwd }).map((file) => join(cwd, file));
const project = readProject([join(projectDir, "docker-compose.yml"), ...examples], variables);

test("an address that a container has for good is given to no other one", () => {
  const [{ subnet, ip_range: given = subnet }] = project.networks!.default.ipam.config;
  const kept = Object.values(project.services).flatMap(
    ({ networks }) => networks?.default.ipv4_address ?? [],
  );
  expect(kept.length).toBeGreaterThan(0);
  for (const address of kept)
    expect([address, isWithin(subnet, address), isWithin(given, address)]).toEqual([
      address,
      true,
      false,
    ]);
});

test("Postgres counts as healthy when others reach it, and not while its image makes the data folder", () => {
  const { test: asks } = project.services["postgres"]!.healthcheck!;
  expect(asks.join(" ")).toMatch(/^CMD pg_isready -h 127\.0\.0\.1 /);
});

function isWithin(range: string, address: string): boolean {
  const [network = "", length] = range.split("/");
  const list = new BlockList();
  list.addSubnet(network, Number(length));
  return list.check(address);
}
