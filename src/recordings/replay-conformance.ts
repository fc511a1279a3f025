import { addSeconds } from "../platform/clock.ts";
import type { Resource } from "../model/index.ts";
import type { Conformance, FakeSystem, Scenario } from "../providers/index.ts";
import type { Exchange, Recording } from "./recording.ts";
import { ReplayServer, type Twist } from "./replay-server.ts";

const waitSeconds = 30;
/** Checks look at the payslips of so many pay runs, and so a recording has them. */
export const checkedPayruns = 12;
/** Of a sign-in on the provider's own page. */
export const recordedCode = "recorded-code";
const saysNothing = "a recording says what was answered, and not what is right";
const leavesOutChecks = {
  accounts: "a recording is of one account",
  "log-out": "nobody logged out when it was recorded",
  money: saysNothing,
  times: saysNothing,
  values: saysNothing,
  unsaid: saysNothing,
  ranges: "a recording is of one range",
};
const json = { "content-type": "application/json" };

/** How a scenario differs from the recording, for answers after the sign-in. */
interface Play {
  twist?: (exchange: Exchange, recording: Recording) => Twist | undefined;
}

const plays: Partial<Record<Scenario, Play>> = {
  usual: {},
  leavers: {},
  "two-pages": {},
  nulls: { twist: (exchange, recording) => withNulls(exchange, recording) },
  "dead-session": { twist: refuseSession },
  "missing-rights": { twist: refuseOneResource },
  "rate-limited-seconds": { twist: () => refusal(429, { "retry-after": String(waitSeconds) }) },
  "rate-limited-date": {
    twist: (_exchange, { today }) =>
      refusal(429, { "retry-after": addSeconds(noonOf(today), waitSeconds).toUTCString() }),
  },
  "rate-limited": { twist: () => refusal(429) },
  "server-error": { twist: () => refusal(503) },
  "cut-off": { twist: ({ status, headers, body }) => ({ status, headers, body, isCutOff: true }) },
};

/** A recording as the fake that a provider is checked beside. What it cannot play is left out, with the reason. */
export function conformanceOf(
  recording: Recording,
  onMissing: (request: string) => void,
): Conformance {
  return {
    provider: recording.provider,
    mode: recording.mode,
    leavesOut: listLeftOut(recording),
    leavesOutChecks: { ...leavesOutChecks, ...(!recording.meanings && { meanings: saysNothing }) },
    ...(recording.meanings && { meanings: recording.meanings }),
    ...(recording.neverFilled && { neverFilled: recording.neverFilled }),
    start: async (scenario) => await startReplay(recording, { scenario, onMissing }),
  };
}

async function startReplay(
  recording: Recording,
  { scenario, onMissing }: { scenario: Scenario; onMissing: (request: string) => void },
): Promise<FakeSystem> {
  const { twist } = plays[scenario] ?? {};
  let isSignedIn = false;
  const server = new ReplayServer(recording, {
    onMissing,
    twist: (exchange) => (isSignedIn ? twist?.(exchange, recording) : undefined),
  });
  await server.start();
  return {
    formValues: formValuesAt(recording, server.baseUrl),
    code: recordedCode,
    answers: recording.answers,
    baseUrl: server.baseUrl,
    ...rangeOf(recording),
    waitSeconds,
    now: noonOf(recording.today),
    counts: countsOf(recording),
    afterSignIn: () => void (isSignedIn = true),
    close: async () => await server.close(),
  };
}

/** A recording is read on its own day. */
export function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}

/** What is typed into the form of a replay. */
export function formValuesAt(recording: Recording, baseUrl: string): Record<string, string> {
  const addresses = recording.addressFields.map((name) => [name, baseUrl]);
  return { ...recording.formValues, ...(Object.fromEntries(addresses) as Record<string, string>) };
}

function rangeOf({ steps }: Recording): Pick<FakeSystem, "range"> {
  const range = steps.find((step) => step.range)?.range;
  return range ? { range } : {};
}

function countsOf({ steps }: Recording): Partial<Record<Resource, number>> {
  return Object.fromEntries(
    steps.flatMap(({ resource, records }) =>
      resource === "employees" ? [[resource, records]] : [],
    ),
  );
}

function listLeftOut(recording: Recording): Partial<Record<Scenario, string>> {
  const { steps, answers } = recording;
  const employees = steps.find(({ resource }) => resource === "employees") ?? steps[0];
  const hasPages = (employees?.pages ?? 0) > 1;
  return {
    ...(!hasPages && {
      "two-pages": `the recording has one page of ${employees?.resource ?? "nothing"}: record more`,
    }),
    "wrong-password":
      "how the system refuses one was not recorded: a wrong try can lock an account",
    ...(callsProcedures(recording) && {
      "missing-rights": ownRefusals,
      "dead-session": ownRefusals,
      nulls:
        "what stands for an unknown value is not known of a system that is called by procedures",
    }),
    ...(answers.length === 0 && { "second-factor": "nothing was asked when it was recorded" }),
    "wrong-second-factor": "a recording has right answers alone",
    "expired-session": "a recording has no session that ends",
    "expired-between-pages": "a recording has no session that ends",
    unicode: "the texts of a recording are made up",
    changes: "a recording is of one moment",
    "no-rights": "a recording is of an account that may read",
  };
}

const ownRefusals = "the system tells refusals inside of its answers, in its own words";

/** JSON-RPC and XML-RPC: every request is a POST, and an answer with 200 may be a refusal. */
function callsProcedures({ steps }: Recording): boolean {
  const exchanges = steps.flatMap((step) => step.exchanges);
  return exchanges.length > 0 && exchanges.every(({ method }) => method === "POST");
}

/** Of the resource with employees, or else the last one. */
function refuseOneResource(exchange: Exchange, { steps }: Recording): Twist | undefined {
  const refused = steps.find(({ resource }) => resource === "employees") ?? steps.at(-1);
  return refused?.exchanges.includes(exchange) ? refusal(403) : undefined;
}

/** A token endpoint has words of its own, which RFC 6749 gives it. */
function refuseSession({ sent }: Exchange): Twist {
  if (!sent?.includes("grant_type=")) return refusal(401);
  return { status: 400, headers: json, body: JSON.stringify({ error: "invalid_grant" }) };
}

function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Twist {
  return { status, headers: { ...json, ...headers }, body: "{}" };
}

/** Each text that the adapter's own requests do not name is null. */
function withNulls(exchange: Exchange, recording: Recording): Twist | undefined {
  const { status, headers, body } = exchange;
  if (!(headers["content-type"] ?? "").includes("json") || body === "") return undefined;
  const asked = [...recording.signIn, ...recording.steps.flatMap(({ exchanges }) => exchanges)]
    .map(({ path, query, sent }) => [path, ...query.flat(), sent ?? ""].join(" "))
    .join(" ");
  const nulled = JSON.stringify(JSON.parse(body), (name, value: unknown) => {
    const isKept = typeof value !== "string" || asked.includes(value) || /id$/i.test(name);
    return isKept ? value : null;
  });
  return { status, headers, body: nulled };
}
