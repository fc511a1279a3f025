import type { Conformance } from "../../src/providers/conformance.ts";
import type { Mode } from "../../src/model/index.ts";
import type { SeenRecording } from "../../src/recordings/index.ts";
import {
  RecordingCollector,
  runInChild,
  type RunDescription,
  type RunEvent,
} from "../../src/workbench/index.ts";

interface Recorded {
  seen: SeenRecording;
  events: RunEvent[];
}

const dayMs = 86_400_000;

/** What a built-in provider reads of its fake, as `provider run --record` sees it. */
export async function recordFake(
  provider: string,
  mode: Mode,
  conformance: Conformance,
): Promise<Recorded> {
  const fake = await conformance.start("usual");
  const collector = new RecordingCollector();
  const events: RunEvent[] = [];
  const answers = [...(fake.answers ?? [])];
  let description: RunDescription | undefined;
  const now = new Date();
  try {
    await runInChild(
      { name: provider, mode, packages: [], withheld: [] },
      {
        prepare: async (found) => {
          description = found;
          collector.formValues = fake.formValues;
          return {
            resources: found.resources.toSorted(
              (a, b) => Number(a === "payslips") - Number(b === "payslips"),
            ),
            range: fake.range ?? { start: dayBefore(now, 60), end: dayBefore(now, 0) },
            limit: Number.MAX_SAFE_INTEGER,
            isWhole: true,
            isRecorded: true,
            signIn: { formValues: fake.formValues },
            application: { clientId: "rollcall", clientSecret: "secret of rollcall" },
            redirectUri: "https://rollcall.invalid/connect/callback",
            outboundAllow: [],
            allowsHttp: true,
            baseUrl: fake.baseUrl ?? findAddress(fake.formValues),
          };
        },
        ask: async () => {
          const answer = answers.shift() ?? "";
          collector.answers.push(answer);
          return answer;
        },
        approve: async () => fake.code ?? "",
        onEvent: (event) => {
          events.push(event);
          collector.note(event);
        },
        onSession: () => undefined,
        onRefused: (what) => {
          throw new Error(`the adapter was refused ${what}`);
        },
      },
    );
  } finally {
    await fake.close();
  }
  if (!description) throw new Error("nothing was run");
  return { seen: collector.finish(description, now), events };
}

function findAddress(formValues: Readonly<Record<string, string>>): string | undefined {
  return Object.values(formValues).find((value) => /^https?:/.test(value));
}

function dayBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10);
}
