import { setDefaultCACertificates, getCACertificates } from "node:tls";
import { systemClock } from "../../platform/clock.ts";
import { GuardedWays, NameResolver } from "../../platform/outbound/index.ts";
import { systemRandom } from "../../platform/random.ts";
import { loadRegistry, ProviderHost } from "../../providers/index.ts";
import { ChildCalls } from "./child-calls.ts";
import { createChildLog, type ChildLog } from "./child-log.ts";
import type { ChildSettings, FromChild, ToChild } from "./messages.ts";

/** Does what the parent sends, until the channel closes. */
export function serveCalls(): void {
  let calls: ChildCalls | undefined;
  const begin = async (settings: ChildSettings): Promise<void> => {
    try {
      calls = await prepare(settings);
      await send({ type: "ready" });
    } catch {
      process.exit(1);
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
        void send({ type: "pong" });
        break;
    }
  });
}

async function prepare(settings: ChildSettings): Promise<ChildCalls> {
  const { providerPackages, applications, outboundAllow, allowsHttp, extraCertificates } = settings;
  const log = createChildLog(send, settings.isDebugLogged);
  surviveStrayErrors(log);
  if (extraCertificates.length > 0)
    setDefaultCACertificates([...getCACertificates("default"), ...extraCertificates]);
  const registry = await loadRegistry(providerPackages, applications);
  const names = new NameResolver();
  const ways = new GuardedWays(outboundAllow, { resolve: names.resolve.bind(names), allowsHttp });
  const host = new ProviderHost({
    registry,
    agentOf: (clientId) => ways.agentOf(clientId),
    clock: systemClock,
    random: systemRandom,
    log,
    limits: settings.answerLimits,
    applications,
  });
  const { readMemoryBytes } = settings;
  return new ChildCalls({ host, clock: systemClock, readMemoryBytes, send });
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
