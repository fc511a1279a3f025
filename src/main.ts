import { buildApi } from "./api.ts";
import { InvalidConfiguration, readConfig } from "./config.ts";
import { startMetricsServer } from "./metrics-server.ts";
import { providerPackages } from "./providers/index.ts";
import { buildServices, type Services } from "./services.ts";
import { prepareStart } from "./start-up.ts";
import { showWelcome } from "./welcome.ts";
import { buildWorker } from "./worker.ts";

type Stop = () => Promise<void>;

/** The default grace of container runtimes. Our own drain takes at most a little longer. */
const surpriseStopMs = 15_000;

try {
  await start();
} catch (error) {
  process.stderr.write(`Rollcall could not start. ${explain(error)}\n`);
  process.exitCode = 1;
}

/** Without a stack where the operator can mend it. */
function explain(error: unknown): string {
  if (error instanceof InvalidConfiguration) return error.message;
  if (providerPackages.isRefusal(error)) return `PROVIDERS cannot be used: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function start(): Promise<void> {
  const { config, secrets } = readConfig();
  const services = await buildServices({ config, secrets });
  const stops: Stop[] = [() => services.dispose()];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  try {
    if (config.metricsPort !== undefined)
      stops.push(await startMetricsServer(services, config.metricsPort));
    if (config.role !== "api") {
      const worker = buildWorker(services);
      stops.push(() => worker.stop());
    }
    endOnSignal(stopAll);
    endOnSurprise(services, stopAll);
    if (config.role !== "worker") await serve(services, secrets.sandboxAccessToken, stops);
    services.log.info({ role: config.role, environment: config.environment }, "started");
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function serve(
  services: Services,
  sandboxAccessToken: string | undefined,
  stops: Stop[],
): Promise<void> {
  const { config } = services;
  const app = await buildApi(services);
  stops.push(() => app.close());
  const demo = await prepareStart(services, { sandboxAccessToken, baseUrl: config.publicUrl });
  await app.listen({ host: config.host, port: config.port });
  if (demo) showWelcome(demo);
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

/** The first signal lets running work finish. The second one does not wait. */
function endOnSignal(stop: Stop): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}
