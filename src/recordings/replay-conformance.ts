import { addSeconds } from "../platform/clock.ts";
import type { Resource } from "../model/index.ts";
import type { Conformance, FakeSystem, ProviderMode, Scenario } from "../providers/index.ts";
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
  "whole-lists": "nobody has counted what a recording has to have",
};
const json = { "content-type": "application/json" };

/** What is answered in place of what was recorded, after the sign-in. One is made for each fake. */
type Play = (recording: Recording, options: ReplayedBeside) => TwistOne;
type TwistOne = (exchange: Exchange) => Twist | undefined;

const plays: Partial<Record<Scenario, Play>> = {
  nulls: (recording, { modeOf }) => {
    const needed = listNeeded(modeOf?.());
    return (exchange) => withNulls(exchange, recording, needed);
  },
  "dead-session": (recording) => (exchange) => refuseSession(exchange, recording),
  "expired-session": (recording) => endSession(recording, 0),
  "expired-between-pages": (recording) => endSession(recording, 1),
  "missing-rights": (recording) => (exchange) => refuseOneResource(exchange, recording),
  "rate-limited-seconds": () => () => refusal(429, { "retry-after": String(waitSeconds) }),
  "rate-limited-date":
    ({ today }) =>
    () =>
      refusal(429, { "retry-after": addSeconds(noonOf(today), waitSeconds).toUTCString() }),
  "rate-limited": () => () => refusal(429),
  "server-error": () => () => refusal(503),
  "cut-off":
    () =>
    ({ status, headers, body }) => ({ status, headers, body, isCutOff: true }),
};

/** What a replay is told by who checks beside it. */
export interface ReplayedBeside {
  /** Called for a request that the recording has no answer to. */
  onMissing: (request: string) => void;
  /** What is checked, once it is found. Its tables say what nobody lacks. */
  modeOf?: () => ProviderMode | undefined;
}

/** A recording as the fake that a provider is checked beside. What it cannot play is left out, with the reason. */
export function conformanceOf(recording: Recording, options: ReplayedBeside): Conformance {
  return {
    provider: recording.provider,
    mode: recording.mode,
    leavesOut: listLeftOut(recording),
    leavesOutChecks: { ...leavesOutChecks, ...(!recording.meanings && { meanings: saysNothing }) },
    ...(recording.meanings && { meanings: recording.meanings }),
    ...(recording.neverFilled && { neverFilled: recording.neverFilled }),
    played: listPlayed(recording),
    start: async (scenario) => await startReplay(recording, scenario, options),
  };
}

async function startReplay(
  recording: Recording,
  scenario: Scenario,
  options: ReplayedBeside,
): Promise<FakeSystem> {
  const twist = plays[scenario]?.(recording, options);
  let isSignedIn = false;
  const missing: string[] = [];
  const server = new ReplayServer(recording, {
    onMissing: (request) => {
      missing.push(request);
      options.onMissing(request);
    },
    twist: (exchange) => (isSignedIn ? twist?.(exchange) : undefined),
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
    missing,
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
    ...(!hasJson(employees?.exchanges ?? []) && {
      nulls: unknownNulls("whose answers are no JSON"),
    }),
    ...listRefusalsLeftOut(recording),
    ...(callsProcedures(recording) && {
      "missing-rights": ownRefusals,
      nulls: unknownNulls("that is called by procedures"),
    }),
    ...(answers.length === 0 && { "second-factor": "nothing was asked when it was recorded" }),
    "wrong-second-factor": "a recording has right answers alone",
    ...(!hasPages && { "expired-between-pages": "the recording has one page of employees" }),
    unicode: "the texts of a recording are made up",
    changes: "a recording is of one moment",
    "no-rights": "a recording is of an account that may read",
  };
}

const unknownNulls = (of: string): string =>
  `what stands for an unknown value is not known of a system ${of}`;

function hasJson(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ headers }) => (headers["content-type"] ?? "").includes("json"));
}

/** An ended session is not known where each refusal is an answer of its own. */
function listRefusalsLeftOut(recording: Recording): Partial<Record<Scenario, string>> {
  const isOfProcedures = callsProcedures(recording);
  const isUnknown = isOfProcedures && !findEndedSession(recording);
  const isUnseen = isOfProcedures || !recording.signIn.some(({ method }) => method === "POST");
  const reason = "nobody sees in the recording which request makes a new session";
  return {
    ...(isUnknown && { "dead-session": ownRefusals }),
    ...(isUnseen && { "expired-session": reason, "expired-between-pages": reason }),
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
function refuseSession({ sent }: Exchange, recording: Recording): Twist {
  if (!sent || !/grant_type["=]/.test(sent)) return findEndedSession(recording) ?? refusal(401);
  return { status: 400, headers: json, body: JSON.stringify({ error: "invalid_grant" }) };
}

/**
 * How the system was seen to refuse a session that had ended: with 401, or with what it answered to a request that it
 * answered otherwise when somebody had signed in again.
 */
function findEndedSession({ signIn, steps }: Recording): Twist | undefined {
  const exchanges = [...signIn, ...steps.flatMap((step) => step.exchanges)];
  const isLater = (refused: Exchange, index: number): boolean =>
    exchanges.slice(index + 1).some((one) => one.status < 300 && isSameRequest(one, refused));
  const refused = exchanges.find(
    (one, index) => one.status === 401 || (one.status === 403 && isLater(one, index)),
  );
  return refused && { status: refused.status, headers: refused.headers, body: refused.body };
}

function isSameRequest(one: Exchange, other: Exchange): boolean {
  return one.method === other.method && one.path === other.path && one.sent === other.sent;
}

/** After so many answers with employees, every request is refused until somebody signs in again. */
function endSession(recording: Recording, answers: number): TwistOne {
  const employees = recording.steps.find(({ resource }) => resource === "employees");
  const known = new Set([
    ...recording.signIn,
    ...recording.steps.flatMap(({ exchanges }) => exchanges),
  ]);
  let left = answers;
  let isEnded = false;
  let isRenewed = false;
  return (exchange) => {
    if (isRenewal(exchange, recording)) isRenewed = true;
    if (isRenewed || !known.has(exchange)) return undefined;
    isEnded ||= left === 0;
    if (isEnded) return refuseSession({ ...exchange, sent: null }, recording);
    if (employees?.exchanges.includes(exchange)) left -= 1;
    return undefined;
  };
}

/** What signs in also makes a new session, and so does a token endpoint. */
function isRenewal({ method, path }: Exchange, { signIn }: Recording): boolean {
  return method === "POST" && signIn.some((one) => one.method === "POST" && one.path === path);
}

/** How scenarios are played, where there is a choice. */
function listPlayed(recording: Recording): Partial<Record<Scenario, string>> {
  const { status } = findEndedSession(recording) ?? {};
  const played =
    status === undefined
      ? "played with 401, because no refusal was recorded"
      : `played with the ${status} that was recorded`;
  return {
    "dead-session": played,
    "expired-session": played,
    "expired-between-pages": played,
  };
}

function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Twist {
  return { status, headers: { ...json, ...headers }, body: "{}" };
}

/** What the system has to tell of everybody, such as `name.family`: who lacks it is no employee. */
function listNeeded(mode: ProviderMode | undefined): string[] {
  const fields = mode?.resources.employees?.fields?.() ?? [];
  return fields
    .filter(({ field }) => field === "remote_id" || field === "last_name")
    .flatMap(({ from }) => from);
}

/** Each text that the adapter's own requests do not name is null, but for what somebody has to have. */
function withNulls(
  exchange: Exchange,
  recording: Recording,
  needed: readonly string[],
): Twist | undefined {
  const { status, headers, body } = exchange;
  if (!hasJson([exchange]) || body === "") return undefined;
  const asked = [...recording.signIn, ...recording.steps.flatMap(({ exchanges }) => exchanges)]
    .map(({ path, query, sent }) => [path, ...query.flat(), sent ?? ""].join(" "))
    .join(" ");
  const isKept = (path: string, value: string): boolean =>
    asked.includes(value) ||
    /id$/i.test(path) ||
    needed.some((one) => path === one || path.endsWith(`.${one}`));
  return { status, headers, body: JSON.stringify(nullTexts(JSON.parse(body), isKept)) };
}

/** `path` has no places in lists. */
function nullTexts(
  value: unknown,
  isKept: (path: string, value: string) => boolean,
  path = "",
): unknown {
  if (typeof value === "string") return isKept(path, value) ? value : null;
  if (Array.isArray(value)) return value.map((one) => nullTexts(one, isKept, path));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      nullTexts(inner, isKept, path === "" ? name : `${path}.${name}`),
    ]),
  );
}
