import { accessSync, constants, existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { dirname } from "node:path";
import { request } from "undici";
import { canBelt } from "../../platform/belt/index.ts";
import { failed, ok, warning, type CheckGroup } from "./finding.ts";

const lowDiskBytes = 2_000_000_000;
const leastDiskBytes = 200_000_000;
const dnsTryMs = 2_000;
const timeoutMs = 5_000;

export const node: CheckGroup = {
  name: "node",
  async *look() {
    yield canBelt()
      ? ok(`Node ${process.versions.node}`)
      : failed(
          `Node ${process.versions.node} is too old`,
          "Use Node 24.20 or 26.5, or a newer one; npm ci brings one on Linux.",
        );
  },
};

/** Only local mode and the embedded Postgres keep anything there. */
export const disk: CheckGroup = {
  name: "STATE_DIR",
  async *look({ config, secrets }) {
    if (secrets.databaseUrl !== undefined && secrets.masterKeys !== undefined) {
      yield ok("not used: the data is in DATABASE_URL");
      return;
    }
    let folder = config.stateDir;
    while (!existsSync(folder)) folder = dirname(folder);
    try {
      accessSync(folder, constants.W_OK | constants.X_OK);
    } catch {
      yield failed(
        `this account may not write to ${folder}`,
        "Give the folder to the account that runs the service, or set another STATE_DIR.",
      );
      return;
    }
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const found = `${Math.floor(free / 1_000_000)} MB are free for ${config.stateDir}`;
    const advice = "Make room on the disk: Postgres stops taking writes when it is full.";
    if (free < leastDiskBytes) yield failed(found, advice);
    else if (free < lowDiskBytes) yield warning(found, advice);
    else yield ok(found);
  },
};

/** Names of providers and receivers are looked up as the service does it: by DNS directly. */
export const dns: CheckGroup = {
  name: "DNS",
  async *look({ config }) {
    const host = new URL(config.publicUrl).hostname;
    const name =
      isIP(host.replaceAll(/[[\]]/g, "")) === 0 && host !== "localhost" ? host : "example.com";
    const resolver = new Resolver({ timeout: dnsTryMs, tries: 2 });
    const servers = resolver.getServers().join(", ");
    try {
      await resolver.resolve4(name);
      yield ok(`${servers} answers`);
    } catch (error) {
      const { code } = error as { code?: string };
      // A server that says that there is no such name works.
      if (code === "ENOTFOUND" || code === "ENODATA") yield ok(`${servers} answers`);
      else
        yield (config.isLocal ? warning : failed)(
          `${servers || "no server"} does not answer (${code})`,
          "Correct the servers in /etc/resolv.conf: no provider and no receiver can be found.",
        );
    }
  },
};

export const providers: CheckGroup = {
  name: "PROVIDERS",
  async *look({ config }) {
    const [{ findProviders }, { providerPackages }] = await Promise.all([
      import("../../start/build-adapters.ts"),
      import("../../providers/index.ts"),
    ]);
    try {
      const limits = (await findProviders(config)).limits();
      const names = limits.map(({ name }) => name).join(", ");
      yield ok(`${limits.length} providers can be used: ${names}`);
    } catch (error) {
      if (!providerPackages.isRefusal(error)) throw error;
      yield failed(error.message, "Mend or reinstall the package, or take it out of PROVIDERS.");
    }
  },
};

export const metricsPort: CheckGroup = {
  name: "METRICS_PORT",
  async *look({ config }) {
    const { metricsPort: port, metricsHost, isLocal } = config;
    if (port === undefined) {
      yield isLocal
        ? ok("not set: no metrics in local mode")
        : warning(
            "not set: nobody can see the metrics, nor the health of a worker",
            "Set METRICS_PORT, and scrape every process; examples/operations has alerts.",
          );
      return;
    }
    const host = /^(?:0\.0\.0\.0|::)$/.test(metricsHost) ? "127.0.0.1" : metricsHost;
    const authority = isIP(host) === 6 ? `[${host}]` : host;
    try {
      const { statusCode, body } = await request(`http://${authority}:${port}/readyz`, {
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { message } = (await body.json()) as { message?: string };
      yield statusCode === 200
        ? ok(`the process on ${authority}:${port} is ready`)
        : failed(
            `the process on ${authority}:${port} is not ready: ${message ?? statusCode}`,
            "Look at its log.",
          );
    } catch {
      yield warning(
        `nothing answers on ${authority}:${port}`,
        "Start the service, or run this where it runs.",
      );
    }
  },
};
