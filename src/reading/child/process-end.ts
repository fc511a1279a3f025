/** Why a child process ended, as a label of a metric. */
type EndReason = "silent" | "memory" | "heap" | "start" | "signal" | "exit";

export interface ProcessEnd {
  reason: EndReason;
  /** For operators. */
  explanation: string;
}

/** What the parent saw of a child that ended by itself. */
interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The beginning of its standard error. */
  errorOutput: string;
}

const abortSignals = new Set<string | null>(["SIGABRT", "SIGTRAP", "SIGILL"]);
const abortCodes = new Set<number | null>([133, 134]);
/** V8's own words. Anything else that a process prints may be data, also behind the same beginning. */
const fatalLine =
  /^FATAL ERROR: (?:Reached heap limit|Ineffective mark-compacts near heap limit|Committing semi space failed\.|Scavenger: semi-space copy|invalid array length|invalid table size|CALL_AND_RETRY_LAST)? ?Allocation failed - (?:JavaScript heap|process) out of memory/m;

export function describeExit({ code, signal, errorOutput }: Exit): ProcessEnd {
  if (abortSignals.has(signal) || abortCodes.has(code)) {
    const said = fatalLine.exec(errorOutput)?.[0];
    return { reason: "heap", explanation: said ?? "its engine gave up" };
  }
  return signal === null
    ? { reason: "exit", explanation: `it ended with code ${code}` }
    : { reason: "signal", explanation: `it was ended by ${signal}` };
}

/** Whether every call of the process may be the cause. */
export function isLimit({ reason }: ProcessEnd): boolean {
  return reason === "silent" || reason === "memory" || reason === "heap";
}
