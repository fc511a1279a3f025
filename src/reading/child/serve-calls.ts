import { setDefaultCACertificates, getCACertificates } from "node:tls";
import { CarriedClock, systemClock } from "../../platform/clock.ts";
import { GuardedWays } from "../../platform/outbound/index.ts";
import { systemRandom } from "../../platform/random.ts";
import { usePlainWords } from "../../platform/plain-words.ts";
import {
  ProviderHost,
  providerPackages,
  type LocatedPackage,
  type ProviderDefinition,
} from "../../providers/index.ts";
import { ChildCalls } from "./child-calls.ts";
import { createChildLog, type ChildLog } from "./child-log.ts";
import { KnownSecrets, runningCall } from "./known-secrets.ts";
import { logRefusals } from "./log-refusals.ts";
import type { ChildSettings, FromChild, ToChild } from "./messages.ts";

/** Does what the parent sends, until the channel closes. */
export function serveCalls(): void {
  const clock = new CarriedClock(systemClock);
  let calls: ChildCalls | undefined;
  const begin = async (settings: ChildSettings): Promise<void> => {
    try {
      const secrets = new KnownSecrets();
      const log = createChildLog({ send, isDebugLogged: settings.isDebugLogged, secrets });
      surviveStrayErrors(log);
      logRefusals(log, settings.providerPackages);
      const loaded = await loadPackages(settings.providerPackages);
      calls = prepare(settings, loaded, { clock, log, secrets });
      const definitions = loaded.flatMap((one) => one.definitions);
      await send({ type: "ready", declared: definitions.map(providerPackages.declare) });
    } catch (error) {
      const refusal = providerPackages.toPlainRefusal(error);
      if (refusal) await send({ type: "refused", refusal });
      else process.exit(1);
    }
  };
  process.on("message", (message: ToChild) => {
    switch (message.type) {
      case "settings":
        void begin(message.settings);
        break;
      case "call":
        calls?.start(message.id, message.call);
        break;
      case "reply":
        calls?.receive(message.id, message.number, message);
        break;
      case "abort":
        calls?.abort(message.id, message.isTimeout);
        break;
      case "ping":
        clock.set(message.now);
        void send({ type: "pong" });
        break;
    }
  });
  void send({ type: "loaded" });
}

interface Loaded {
  name: string;
  definitions: readonly ProviderDefinition[];
}

async function loadPackages(packages: readonly LocatedPackage[]): Promise<Loaded[]> {
  return await Promise.all(
    packages.map(async (one) => {
      const load = () => providerPackages.load(one);
      const { definitions } = await runningCall.run({ package: one.name }, load);
      return { name: one.name, definitions };
    }),
  );
}

function prepare(
  settings: ChildSettings,
  loaded: readonly Loaded[],
  { clock, log, secrets }: { clock: CarriedClock; log: ChildLog; secrets: KnownSecrets },
): ChildCalls {
  const { applications, outboundAllow, allowsHttp, extraCertificates } = settings;
  usePlainWords();
  if (extraCertificates.length > 0)
    setDefaultCACertificates([...getCACertificates("default"), ...extraCertificates]);
  const definitions = loaded.flatMap((one) => one.definitions);
  const ways = new GuardedWays(outboundAllow, { allowsHttp });
  const registry = providerPackages.createRegistry(definitions);
  const host = new ProviderHost({
    registry,
    agentOf: (clientId) => ways.agentOf(clientId),
    openWay: (clientId) => ways.open(clientId),
    clock,
    random: systemRandom,
    log,
    limits: settings.answerLimits,
    applications,
  });
  const packageOf = new Map(
    loaded.flatMap((one) => one.definitions.map((definition) => [definition.name, one.name])),
  );
  const { readMemoryBytes, isTraced } = settings;
  return new ChildCalls({
    host,
    registry,
    applications,
    clock,
    readMemoryBytes,
    send,
    packageOf,
    secrets,
    isTraced,
  });
}

/** An error in a callback of one adapter does not end the reads of the others. */
function surviveStrayErrors(log: ChildLog): void {
  const note = (error: unknown): void =>
    log.warn({ err: error }, "an adapter left an error unhandled; its process goes on");
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
}

/** Never rejects: without a parent there is nobody to tell, and this process ends. */
async function send(message: FromChild): Promise<void> {
  await new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()));
}
