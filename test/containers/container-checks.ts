import { words } from "./engine.ts";
import { assert, type Check } from "./trial.ts";

const ours = ["api", "worker"] as const;

/** What the containers may do, and within which bounds. */
export const containerChecks: readonly Check[] = [
  {
    name: "every service of the compose files comes up, with passwords of any characters",
    run: async (trial) => {
      trial.readyMs = await trial.stack.up();
      await trial.trustAuthorities();
      return Object.entries(trial.readyMs)
        .map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`)
        .join(", ");
    },
  },
  {
    name: "nothing can be written but /tmp",
    run: async ({ stack }) => {
      for (const name of ours) {
        const written = await stack.exec(name, ["touch", "/app/src/new", "/home/node/new"]);
        assert(/Read-only file system/.test(written.stderr), `${name}: ${written.stderr}`);
        assert((await stack.exec(name, ["touch", "/tmp/new"])).code === 0, `${name} has no /tmp`);
      }
      return "read-only root, a /tmp in memory";
    },
  },
  {
    name: "an account that is not root, no capabilities, no new privileges",
    run: async ({ stack }) => {
      const seen = new Set<string>();
      for (const name of ours) {
        const { stdout } = await stack.exec(name, [
          "sh",
          "-c",
          "id -u; grep -hE '^(Uid|Cap(Eff|Prm|Bnd|Inh|Amb)|NoNewPrivs)' /proc/1/status",
        ]);
        const [uid = "0", ...lines] = stdout.trim().split("\n");
        assert(uid !== "0" && !lines[0]?.includes("\t0"), `${name} runs as root`);
        for (const line of lines.filter((each) => each.startsWith("Cap")))
          assert(/:\s0+$/.test(line), `${name} has ${line}`);
        assert(stdout.includes("NoNewPrivs:\t1"), `${name} may gain privileges`);
        seen.add(uid);
      }
      return `uid ${[...seen].join(", ")}`;
    },
  },
  {
    name: "memory is bounded",
    run: async ({ stack, engine }) => {
      const shown: string[] = [];
      for (const [name, { mem_limit: limit }] of Object.entries(stack.project.services)) {
        const bytes = Number(await stack.inspect(name, "{{.HostConfig.Memory}}"));
        assert(bytes === parseSize(limit), `${name} may use ${bytes} bytes, not ${limit}`);
        if (!(await stack.isRunning(name))) continue;
        const used = await engine.must([
          ...words("stats --no-stream --format {{.MemUsage}}"),
          stack.nameOf(name),
        ]);
        shown.push(`${name} ${used.replaceAll(" ", "")}`);
      }
      return shown.join(", ");
    },
  },
  {
    name: "logs are bounded",
    run: async ({ stack }) => {
      const shown = new Set<string>();
      for (const name of [...ours, "postgres", "redis"]) {
        const config = await stack.inspect(name, "{{json .HostConfig.LogConfig}}");
        assert(/"20m"|"20MB"/.test(config), `the log of ${name} is not bounded: ${config}`);
        shown.add(/"20m"|"20MB"/.exec(config)?.[0] ?? "");
      }
      return [...shown].join(", ");
    },
  },
  {
    name: "no secret is in a list of processes or in an image",
    run: async ({ stack, engine }) => {
      const image = await engine.must(["image", "inspect", "rollcall"]);
      for (const variable of ["MASTER_KEYS", "DATABASE_PASSWORD", "REDIS_PASSWORD"]) {
        const secret = stack.variables[variable] ?? "";
        assert(secret !== "" && !image.includes(secret), `${variable} is in the image`);
        for (const name of [...ours, "redis", "postgres"]) {
          const { stdout } = await stack.exec(name, ["sh", "-c", "cat /proc/[0-9]*/cmdline"]);
          assert(!stdout.includes(secret), `${variable} is in the list of processes of ${name}`);
        }
      }
      return "none";
    },
  },
];

function parseSize(limit: string): number {
  const [, number = "", unit = ""] = /^(\d+)([mg])$/.exec(limit) ?? [];
  return Number(number) * (unit === "g" ? 1024 ** 3 : 1024 ** 2);
}
