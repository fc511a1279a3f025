import { buildApi } from "./start/api.ts";
import { ConsoleSessions, sessionSeconds } from "./console/index.ts";
import { readConfig, type Config, type Secrets } from "./config/index.ts";
import { explainStart } from "./start/explain-start.ts";
import { readDemo, type Demo } from "./start/local-state.ts";
import { MetricsServer } from "./start/metrics-server.ts";
import { buildServices, type Services } from "./start/services.ts";
import { StartServer } from "./start/start-server.ts";
import { StartSteps, StartStopped } from "./start/start-steps.ts";
import { prepareStart } from "./start/prepare-start.ts";
import { systemClock } from "./platform/clock.ts";
import { listen, portOf } from "./platform/listen.ts";
import { createLog, type Log } from "./platform/log.ts";
import { readProgramVersion } from "./platform/program-version.ts";
import { describeCurrentSpan, openTracing } from "./platform/tracing/index.ts";
import { warmUp } from "./start/warm-up.ts";
import { showWelcome } from "./start/welcome.ts";
import { buildWorker, type Worker } from "./start/worker.ts";

type Stop = () => Promise<void>;

/** The default grace of container runtimes. Our own drain takes at most a little longer. */
const surpriseStopMs = 15_000;
/** A signal that comes so soon after the first one is the same one. */
const repeatedSignalMs = 400;

try {
  await start();
} catch (error) {
  if (!(error instanceof StartStopped)) {
    process.stderr.write(`Rollcall could not start. ${explainStart(error)}\n`);
    process.exitCode = 1;
  }
}

async function start(): Promise<void> {
  const { config, secrets } = readConfig();
  const { tracing, log } = await openLog(config, secrets);
  const awayMs = config.databaseWaitSeconds * 1_000;
  const patience = { awayMs, silentMs: awayMs, busyMs: Infinity };
  const steps = new StartSteps({ clock: systemClock, log }, patience);
  const stops: Stop[] = [() => tracing.stop()];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  try {
    let worker: Worker | undefined;
    const listLateSchedules = (): readonly string[] => worker?.listLateSchedules() ?? [];
    const ports = await claimPorts(config, { log, steps, listLateSchedules }, stops);
    const services = await buildServices({ config, secrets }, { log, tracing, steps });
    stops.push(() => services.dispose());
    ports.metrics?.observe(services);
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
    const { sandboxAccessToken } = secrets;
    const demo =
      ports.api && (await serve(services, { api: ports.api, sandboxAccessToken, steps, stops }));
    // Whoever starts a local service waits for it.
    if (ports.api && !config.isLocal) await warmUp(services);
    steps.finish();
    const { role, environment } = config;
    log.info({ role, environment, processId: telling.id }, "started");
    if (demo) await showWelcome(demo, () => makeConsoleUrl(services));
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** The lines of what is traced name their trace. */
async function openLog({ tracing: settings, logLevel: level }: Config, secrets: Secrets) {
  const headers = secrets.collectorHeaders;
  const tracing = await openTracing(settings && { ...settings, headers });
  const log = createLog({ level, mixin: tracing.isOn ? describeCurrentSpan : undefined });
  tracing.complainTo(log);
  return { tracing, log };
}

/** Whoever started the service at a terminal comes in by it. It works for as long as a session does. */
async function makeConsoleUrl(services: Services): Promise<string | undefined> {
  const { config } = services;
  if (!config.console.isOn) return undefined;
  const sessions = new ConsoleSessions({ ...services, environment: config.environment });
  const { credential } = await sessions.createLink("start", sessionSeconds);
  return `${config.publicUrl}/console/sign-in?link=${credential}`;
}

/**
 * Comes first: a port that is taken is known before anything is opened or written, and whoever asks how far the start
 * is gets an answer.
 */
async function claimPorts(
  config: Config,
  tools: { log: Log; steps: StartSteps; listLateSchedules: () => readonly string[] },
  stops: Stop[],
): Promise<{ api?: StartServer; metrics?: MetricsServer }> {
  const ports: Awaited<ReturnType<typeof claimPorts>> = {};
  if (config.role !== "worker") {
    const api = new StartServer(config, tools.steps);
    await listen(api.server, { host: config.host, port: config.port });
    stops.push(() => api.close());
    ports.api = api;
  }
  if (config.metricsPort !== undefined) {
    const metrics = new MetricsServer(config, tools);
    await metrics.listen({ host: config.metricsHost, port: config.metricsPort });
    stops.push(() => metrics.close());
    ports.metrics = metrics;
  }
  return ports;
}

/** What cannot be mended by waiting is found before the app is there: from then on each step is repeated. */
async function serve(
  services: Services,
  {
    api,
    sandboxAccessToken,
    steps,
    stops,
  }: {
    api: StartServer;
    sandboxAccessToken: string | undefined;
    steps: StartSteps;
    stops: Stop[];
  },
): Promise<Demo | undefined> {
  const { config } = services;
  if (config.isLocal) await readDemo(config.stateDir);
  const app = await buildApi(services, { steps, server: api.server });
  await api.handTo(app);
  services.log.info({ port: portOf(api.server) }, "the service listens");
  stops.push(() => app.close());
  stops.push(async () => steps.stop());
  return await prepareStart(services, { sandboxAccessToken, baseUrl: config.publicUrl, steps });
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
