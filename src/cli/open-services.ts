import { readConfig } from "../config/index.ts";
import { explainRefusal } from "../start/explain-start.ts";
import { isStateFolder } from "../start/local-state.ts";
import { createLog } from "../platform/log.ts";
import { systemClock } from "../platform/clock.ts";
import { isProviderFailure } from "../providers/index.ts";
import { buildServices, type Overrides, type Services } from "../start/services.ts";
import { StartSteps } from "../start/start-steps.ts";
import { CommandFailure } from "./command-failure.ts";

/** A command says at once that the database is away, and gives a busy one some time. */
const patience = { awayMs: 0, silentMs: 20_000, busyMs: 20_000 };

/** Everything that a command can use. It is loaded by the commands that do more than print. */
export async function openServices(
  work: (services: Services) => Promise<void>,
  overrides: Pick<Overrides, "checksKeys" | "isReadOnly">,
): Promise<void> {
  const { config, secrets } = readConfig();
  if (config.isLocal && secrets.masterKeys === undefined && !isStateFolder(config.stateDir))
    throw new CommandFailure(
      `No service was started in ${config.stateDir}. Start one with npm start, or set DATABASE_URL and the other ` +
        "variables of the service that you operate.",
    );
  const log = createLog({
    level: config.logLevel === "debug" ? "debug" : "error",
    destination: process.stderr,
  });
  try {
    const steps = new StartSteps({ clock: systemClock, log }, patience);
    const own = { ...overrides, log, steps, isCommand: true };
    const services = await buildServices({ config, secrets }, own);
    try {
      await work(services);
    } finally {
      await services.dispose();
    }
  } catch (error) {
    throw toFailure(error);
  }
}

/** In words for the operator. Values that somebody typed into a provider's form are never part of it. */
function toFailure(error: unknown): unknown {
  if (isProviderFailure(error)) {
    if (error.kind === "auth")
      return new CommandFailure(`the provider refused the sign-in: ${error.code}`, error.code);
    if (error.kind === "field")
      return new CommandFailure(`${error.field}: ${error.explanation}`, "invalid_field");
    return new CommandFailure(`the provider cannot be used now (${error.kind})`, error.kind);
  }
  const refusal = explainRefusal(error);
  return refusal === undefined ? error : new CommandFailure(refusal);
}
