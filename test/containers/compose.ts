import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

// The part of the compose format that the project's files use. A key that is not here is refused, so that nothing in
// those files is left out unseen.

const conditions = ["service_healthy", "service_completed_successfully"] as const;
const dependencies = z.union([
  z.record(z.string(), z.strictObject({ condition: z.enum(conditions) })),
  z.array(z.string()),
]);

const service = z.strictObject({
  build: z.literal(".").optional(),
  image: z.string(),
  restart: z.enum(["unless-stopped", "on-failure"]),
  init: z.boolean().default(false),
  env_file: z.literal(".env").optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: dependencies.default([]),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  read_only: z.boolean().default(false),
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  logging: z
    .strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) })
    .optional(),
  ports: z.array(z.string()).default([]),
  mem_limit: z.string(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.number(),
      start_period: z.string().optional(),
    })
    .optional(),
  volumes: z.array(z.string()).default([]),
  networks: z
    .strictObject({
      default: z.strictObject({
        ipv4_address: z.string().optional(),
        aliases: z.array(z.string()).optional(),
      }),
    })
    .optional(),
  command: z.array(z.string()).default([]),
});

const project = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  networks: z
    .strictObject({
      default: z.strictObject({
        ipam: z.strictObject({
          config: z.tuple([
            z.strictObject({ subnet: z.string(), ip_range: z.string().optional() }),
          ]),
        }),
      }),
    })
    .optional(),
});

export type Service = z.infer<typeof service>;
export type Project = z.infer<typeof project>;

type Tree = Record<string, unknown>;

/** Reads compose files, each over the one before, with the variables of `.env` filled in. */
export function readProject(
  files: readonly string[],
  variables: Readonly<Record<string, string>>,
): Project {
  const merged = files
    .map((file) => parse(readFileSync(file, "utf8"), { merge: true }) as Tree)
    .reduce((below, above) => merge(below, above) as Tree, {});
  const known = Object.entries(merged).filter(([key]) => !key.startsWith("x-"));
  return project.parse(fillIn(Object.fromEntries(known), variables));
}

export function dependenciesOf({ depends_on: given }: Service): string[] {
  return Array.isArray(given) ? given : Object.keys(given);
}

/** Whether others wait for the end of the service, and not for its health. */
export function isTask({ services }: Project, name: string): boolean {
  return Object.values(services).some(
    ({ depends_on: given }) =>
      !Array.isArray(given) && given[name]?.condition === "service_completed_successfully",
  );
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function merge(below: unknown, above: unknown): unknown {
  if (Array.isArray(below) && Array.isArray(above)) return [...below, ...(above as unknown[])];
  if (!isTree(below) || !isTree(above)) return above;
  const merged: Tree = { ...below };
  for (const [key, value] of Object.entries(above))
    merged[key] = key in below ? merge(below[key], value) : value;
  return merged;
}

function fillIn(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables));
  if (isTree(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, fillIn(item, variables)]),
    );
  if (typeof value !== "string") return value;
  return value.replaceAll(/\$\{(\w+)(?::\?([^}]*))?\}/g, (_, name: string, message?: string) => {
    const found = variables[name] ?? "";
    if (found === "" && message !== undefined) throw new Error(`${name}: ${message}`);
    return found;
  });
}
