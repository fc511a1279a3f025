import type { Recording } from "../recordings/index.ts";
import type { RunEvent } from "../workbench/index.ts";

/** What a provider makes of all that a recording has. So many records of each resource are told. */
export async function runRecording(
  name: string,
  replayed: Recording,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<RunEvent[]> {
  const [{ readConfig }, { runInChild }] = await Promise.all([
    import("../config/index.ts"),
    import("../workbench/index.ts"),
  ]);
  const { providerPackages, stateDir, secretFiles } = readConfig().config;
  const events: RunEvent[] = [];
  await runInChild(
    {
      name,
      mode: replayed.mode,
      packages: providerPackages,
      withheld: [stateDir, ...secretFiles],
    },
    {
      prepare: async () => ({
        resources: replayed.steps.map((step) => step.resource),
        range: replayed.steps.find((step) => step.range)?.range ?? {
          start: replayed.today,
          end: replayed.today,
        },
        limit,
        isWhole: true,
        isRecorded: false,
        signIn: { formValues: {} },
        redirectUri: "",
        outboundAllow: [],
        allowsHttp: false,
        replayed,
      }),
      ask: refuseQuestion,
      approve: refuseQuestion,
      onEvent: (event) => void events.push(event),
      onSession: () => undefined,
      onRefused: () => undefined,
    },
  );
  return events;
}

async function refuseQuestion(): Promise<string> {
  throw new Error("the recording has no answer to a question of the sign-in");
}
