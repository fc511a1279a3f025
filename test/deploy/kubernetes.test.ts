import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { variables } from "../../src/config/index.ts";
import { secretVariables } from "../../src/config/secret-files.ts";
import { projectDir } from "../support/program-environment.ts";

const folder = join(projectDir, "deploy/kubernetes");
const overlays = ["small", "large"];

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

/** Where `kubernetes-types`, written from the API's own description, has each kind. */
const modules: Record<string, string> = {
  v1: "core/v1",
  "apps/v1": "apps/v1",
  "batch/v1": "batch/v1",
  "policy/v1": "policy/v1",
  "networking.k8s.io/v1": "networking/v1",
  "autoscaling/v2": "autoscaling/v2",
};

const hasKubectl = spawnSync("kubectl", ["version", "--client"], { stdio: "ignore" }).status === 0;
if (!hasKubectl)
  process.stdout.write(
    "The overlays are not built: there is no kubectl on this machine. Their files are checked one by one.\n",
  );

function readManifests(yaml: string): Manifest[] {
  return parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);
}

/** As `kubectl apply -k` would send it. */
function build(overlay: string): Manifest[] {
  const path = join(folder, "overlays", overlay);
  const built = spawnSync("kubectl", ["kustomize", path], { encoding: "utf8" });
  expect(built.stderr).toBe("");
  return readManifests(built.stdout);
}

const files = globSync("**/*.yaml", { cwd: folder, exclude: ["**/kustomization.yaml"] }).flatMap(
  (path) => readManifests(readFileSync(join(folder, path), "utf8")),
);
const built = hasKubectl ? overlays.flatMap(build) : [];

/** Of a process, as docs/operating.md says: for requests, then for jobs. */
const endingSeconds = 8 + 10;

const isSelected = (labels: Record<string, string>, selector: Record<string, string>): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Fields that the API does not know, that are missing, or that have another type. */
function findFaults(manifests: readonly Manifest[]): string[] {
  const name = join(projectDir, "test/deploy/manifests.ts");
  const text = manifests
    .map(({ apiVersion, kind, ...rest }, index) => {
      const type = `import("kubernetes-types/${modules[apiVersion]}").${kind}`;
      return `export const m${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
    })
    .join("\n");
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ["lib.es5.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...others) =>
    path === name
      ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
      : readSource(path, ...others);
  const program = ts.createProgram([name], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

describe("the manifests for Kubernetes", () => {
  test("are as the API describes them, and a word that it does not know is found", () => {
    const [wrong] = structuredClone(files.filter(({ kind }) => kind === "PodDisruptionBudget"));
    Object.assign((wrong as unknown as { spec: object }).spec, { maxUnavailabel: 1 });
    const faults = findFaults([...files, ...built, wrong!]);
    expect(faults).toEqual([expect.stringContaining("maxUnavailabel")]);
  });

  test("set variables that there are, and secrets as files alone", () => {
    const known = new Set([
      ...Object.keys(variables.shape),
      ...secretVariables.map((name) => `${name}_FILE`),
    ]);
    const names = globSync("**/rollcall.env", { cwd: folder }).flatMap((path) =>
      readFileSync(join(folder, path), "utf8")
        .split("\n")
        .flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []),
    );
    expect(names.length).toBeGreaterThan(8);
    const secrets = new Set<string>(secretVariables);
    const wrong = names.filter((name) => secrets.has(name) || !known.has(name));
    expect(wrong).toEqual([]);
  });

  const pods = files.filter(({ kind }) => kind === "Deployment" || kind === "Job") as (Manifest & {
    spec: { template: { metadata: { labels: Record<string, string> }; spec: Pod } };
  })[];

  interface Pod {
    automountServiceAccountToken: boolean;
    securityContext: object;
    terminationGracePeriodSeconds: number;
    containers: {
      ports?: { name: string; containerPort: number }[];
      securityContext: object;
      resources: { limits: { memory: string } };
      startupProbe?: Probe;
      readinessProbe?: Probe;
      livenessProbe?: Probe;
      lifecycle?: { preStop?: { exec: { command: [string, string] } } };
    }[];
  }
  interface Probe {
    httpGet: { path: string; port: string };
  }

  test.each(pods.map((pod) => [pod.metadata.name, pod.spec.template.spec] as const))(
    "%s has no rights that it does not need, and memory that is bounded",
    (_, { containers, ...pod }) => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      for (const { securityContext, resources } of containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(resources.limits.memory).toMatch(/Mi$|Gi$/);
      }
    },
  );

  test("a process takes work when it is ready, and is ended only when it does not run", () => {
    const served = pods.filter(({ kind }) => kind === "Deployment");
    expect(served.map(({ metadata }) => metadata.name)).toEqual(["worker", "api"].sort());
    for (const { spec } of served)
      for (const { ports = [], ...probes } of spec.template.spec.containers) {
        const named = ports.map(({ name }) => name);
        const { startupProbe, readinessProbe, livenessProbe } = probes;
        expect(
          [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet.path),
        ).toEqual(["/healthz", "/readyz", "/healthz"]);
        for (const probe of [startupProbe, readinessProbe, livenessProbe])
          expect(named).toContain(probe?.httpGet.port);
      }
  });

  test("a process that is asked by others takes requests until nobody is sent to it any more", () => {
    const services = files.filter(({ kind }) => kind === "Service") as (Manifest & {
      spec: { selector: Record<string, string> };
    })[];
    const asked = pods.filter(({ spec: { template } }) =>
      services.some(({ spec }) => isSelected(template.metadata.labels, spec.selector)),
    );
    expect(asked.map(({ metadata }) => metadata.name)).toContain("api");
    for (const { spec } of asked) {
      const { containers, terminationGracePeriodSeconds: graceSeconds } = spec.template.spec;
      for (const { lifecycle } of containers) {
        const [program, seconds] = lifecycle?.preStop?.exec.command ?? [];
        expect(program).toBe("sleep");
        expect(Number(seconds)).toBeGreaterThanOrEqual(5);
        // Then its requests and jobs have their time to end.
        expect(Number(seconds) + endingSeconds).toBeLessThan(graceSeconds);
      }
    }
  });

  test("every process that speaks with a provider reaches public addresses, and no other does", () => {
    const policies = files.filter(({ kind }) => kind === "NetworkPolicy") as (Manifest & {
      spec: {
        podSelector: { matchExpressions?: { values: string[] }[] };
        egress?: { to?: object[] }[];
      };
    })[];
    const toPublic = policies.filter(({ spec }) =>
      JSON.stringify(spec.egress ?? []).includes("0.0.0.0/0"),
    );
    const selected = toPublic.map(({ spec }) => spec.podSelector.matchExpressions?.[0]?.values);
    // Workers read; what is disconnected over the API is ended at the provider by the process that took the request.
    expect(selected).toEqual([["api", "worker"]]);
  });

  test.skipIf(!hasKubectl)(
    "each overlay has both roles, the migration and what bounds them",
    () => {
      for (const overlay of overlays) {
        const kinds = build(overlay).map(({ kind, metadata: { name } }) => `${kind} ${name}`);
        expect(kinds).toEqual(
          expect.arrayContaining([
            "Deployment api",
            "Deployment worker",
            "Job migrate",
            "PodDisruptionBudget api",
            "PodDisruptionBudget worker",
            "NetworkPolicy nothing",
          ]),
        );
      }
    },
  );
});
