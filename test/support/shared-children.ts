import type { SteadyClock } from "../../src/platform/clock.ts";
import { digestCode } from "../../src/platform/program-version.ts";
import { createLog } from "../../src/platform/log.ts";
import { providerPackages } from "../../src/providers/index.ts";
import type { BuildAdapters } from "../../src/start/build-adapters.ts";
import type { Adapters } from "../../src/reading/adapters.ts";

type Dependencies = Parameters<BuildAdapters>[0];
type Built = Awaited<ReturnType<BuildAdapters>>;

interface Shared {
  key: string;
  /** Of the command that uses them now. */
  current: Dependencies;
  built: Promise<Built>;
  stop: () => Promise<void>;
}

const silent = createLog({ level: "silent" });
let shared: Shared | undefined;

/**
 * Adapters for commands that run in this process, one after another. Their child processes serve each command of the
 * same configuration: to start one takes half a second of a core.
 */
export function shareChildren(build: BuildAdapters): BuildAdapters {
  return async (dependencies) => {
    const key = keyOf(dependencies);
    if (shared?.key !== key) {
      await shared?.stop();
      shared = open(build, key, dependencies);
    }
    shared.current = dependencies;
    return leaveRunning(await shared.built);
  };
}

/** Ends those of the latest configuration. For files that look at processes, or remove what these read. */
export async function endSharedChildren(): Promise<void> {
  await shared?.stop();
  shared = undefined;
}

/** A package whose code was changed is loaded again. */
function keyOf({ config, applications }: Dependencies): string {
  const code = digestCode(
    config.providerPackages.flatMap((name) => providerPackages.listFiles(name)),
  );
  return JSON.stringify([config, applications, code]);
}

function open(build: BuildAdapters, key: string, first: Dependencies): Shared {
  const disposals: (() => Promise<void>)[] = [];
  const now = (): Dependencies => made.current;
  const clock: SteadyClock = {
    now: () => now().clock.now(),
    elapsedMs: () => now().clock.elapsedMs(),
    sleep: (ms, signal) => now().clock.sleep(ms, signal),
  };
  const log = new Proxy(first.log, { get: (_first, name) => getOf(now().log, name) });
  const made: Shared = {
    key,
    current: first,
    built: Promise.resolve().then(() =>
      build({ ...first, clock, log, findQuotas: () => now().findQuotas() }, disposals),
    ),
    stop: async () => {
      // The command that used them has ended, and what another writes is not theirs.
      made.current = { ...made.current, log: silent };
      for (const dispose of disposals.splice(0).toReversed()) await dispose();
    },
  };
  made.built.catch(() => {
    shared = undefined;
    return made.stop();
  });
  return made;
}

/** The end of a command does not end them. */
function leaveRunning({ adapters, registry }: Built): Built {
  return { adapters: new Proxy(adapters, { get: getOfRunning }), registry };
}

function getOf(of: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(of, name);
  return typeof value === "function" ? (value.bind(of) as unknown) : value;
}

function getOfRunning(adapters: Adapters, name: keyof Adapters): unknown {
  return name === "stop" ? async () => undefined : getOf(adapters, name);
}
