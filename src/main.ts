import { buildApi } from "./api.ts";
import { readConfig } from "./config.ts";
import { explainStart } from "./explain-start.ts";
import type { Demo } from "./local-state.ts";
import { startMetricsServer } from "./metrics-server.ts";
import { buildServices, type Services } from "./services.ts";
import { prepareStart } from "./start-up.ts";
import { readProgramVersion } from "./platform/program-version.ts";
import { showWelcome } from "./welcome.ts";
import { buildWorker, type Worker } from "./worker.ts";

type Stop = () => Promise<void>;

/** The default grace of container runtimes. Our own drain takes at most a little longer. */
const surpriseStopMs = 15_000;
/** A signal that comes so soon after the first one is the same one. */
const repeatedSignalMs = 400;

try {
  await start();
} catch (error) {
  process.stderr.write(`Rollcall could not start. ${explainStart(error)}\n`);
  process.exitCode = 1;
}

async function start(): Promise<void> {
  const { config, secrets } = readConfig();
  const services = await buildServices({ config, secrets }, { awaitsDatabase: true });
  const stops: Stop[] = [() => services.dispose()];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  try {
    let worker: Worker | undefined;
    const listLate = (): readonly string[] => worker?.listLateSchedules() ?? [];
    if (config.metricsPort !== undefined)
      stops.push(await startMetricsServer(services, config.metricsPort, listLate));
    const telling = services.keys.tellKeys(config.role, {
      version: readProgramVersion(),
      listSchedules: () => worker?.listSchedules() ?? [],
    });
    stops.push(() => telling.stop());
    if (config.role !== "api") {
      const built = (worker = buildWorker(services));
      stops.push(() => built.stop());
    }
    endOnSignal(stopAll);
    endOnSurprise(services, stopAll);
    const demo =
      config.role === "worker"
        ? undefined
        : await serve(services, secrets.sandboxAccessToken, stops);
    services.log.info({ role: config.role, environment: config.environment }, "started");
    if (demo) showWelcome(demo);
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** Nothing is written to the state folder before the port is ours: whoever owns it may use the folder. */
async function serve(
  services: Services,
  sandboxAccessToken: string | undefined,
  stops: Stop[],
): Promise<Demo | undefined> {
  const { config } = services;
  const preparation = Promise.withResolvers<void>();
  const app = await buildApi(services, { prepared: preparation.promise });
  stops.push(() => app.close());
  await app.listen({ host: config.host, port: config.port });
  const preparing = prepareStart(services, { sandboxAccessToken, baseUrl: config.publicUrl });
  preparing.then(() => preparation.resolve(), preparation.reject);
  return await preparing;
}

/** A failure that nothing handled is a bug of ours. It is logged, and the process shuts down in good order. */
function endOnSurprise(services: Services, stop: Stop): void {
  let isStopping = false;
  const end = (error: unknown): void => {
    services.log.fatal({ err: error }, "an error that nothing handled: the process stops");
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), surpriseStopMs).unref();
    void endAfter(stop());
  };
  process.on("unhandledRejection", end);
  process.on("uncaughtException", end);
}

async function endAfter(stopping: Promise<void>): Promise<never> {
  await stopping.catch(() => undefined);
  process.exit(1);
}

/**
 * The first signal lets running work finish. A second one does not wait, unless it comes at once: npm passes on what
 * the terminal sent to all of its programs. A terminal that is closed is no reason to hurry.
 */
function endOnSignal(stop: Stop): void {
  let stoppingSince: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > repeatedSignalMs) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}
