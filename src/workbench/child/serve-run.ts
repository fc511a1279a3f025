import { once } from "node:events";
import type { Mode } from "../../model/index.ts";
import {
  listFormFields,
  type ProgramSubject,
  type ProviderMode,
  providerPackages,
} from "../../providers/index.ts";
import type { FromRun, RunDescription, ToRun } from "./messages.ts";
import { runProvider, type RunnableMode } from "./run.ts";

type Subject = ProgramSubject & { mode?: Mode };

/** Runs the provider that the parent names. */
export function serveRun(): void {
  providerPackages.serveProgram(serve);
}

async function serve(subject: Subject): Promise<boolean> {
  const found = await findMode(subject);
  if (!found) return false;
  send({ type: "described", description: describe(found) });
  const { task } = await receive("run");
  await runProvider(found, task, {
    onEvent: (event) => send({ type: "event", event }),
    onSession: (kept) => send({ type: "session", kept }),
    ask: async (challenge) => {
      send({ type: "ask", challenge });
      return (await receive("answer")).answer;
    },
    approve: async (url, state) => {
      send({ type: "approve", url, state });
      return (await receive("answer")).answer;
    },
  });
  return true;
}

/** Undefined when nothing has the name. Throws for a mode that the provider has not. */
async function findMode({ name, mode, ...packages }: Subject): Promise<RunnableMode | undefined> {
  const found = await providerPackages.findProviders(name, packages);
  const definition = found?.definitions[0];
  if (!definition) return undefined;
  // Refuses what is wrong with the definition, before anything of it runs.
  providerPackages.createRegistry([definition]);
  const modes = Object.entries(definition.modes) as [Mode, ProviderMode][];
  const chosen = modes.find(([modeName]) => mode === undefined || modeName === mode);
  if (!chosen)
    throw new Error(
      `${definition.name} has no mode ${mode ?? ""}; it has ${modes.map(([modeName]) => modeName).join(", ")}`,
    );
  return { definition, modeName: chosen[0], mode: chosen[1] };
}

function describe({ definition, mode, modeName }: RunnableMode): RunDescription {
  return {
    provider: definition.name,
    title: definition.title,
    mode: modeName,
    modes: Object.keys(definition.modes) as Mode[],
    fields: listFormFields(mode.form),
    resources: Object.keys(mode.resources) as RunDescription["resources"],
    origins: Object.fromEntries(
      Object.entries(mode.resources).map(([resource, reader]) => [
        resource,
        reader.fields?.() ?? [],
      ]),
    ),
    isElsewhere: mode.oauth2 !== undefined,
    isSimulated: definition.isSimulated ?? false,
  };
}

async function receive<Type extends ToRun["type"]>(
  type: Type,
): Promise<Extract<ToRun, { type: Type }>> {
  for (;;) {
    const [message] = (await once(process, "message")) as [ToRun];
    if (message.type === type) return message as Extract<ToRun, { type: Type }>;
  }
}

function send(message: FromRun): void {
  process.send?.(message);
}
