import { once } from "node:events";
import { Session } from "node:inspector/promises";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";

/** What Node listens on after SIGUSR1. */
const address = "http://127.0.0.1:9229/json/list";
const startLimitMs = 10_000;
const intervalUs = 200;

/** A profile as V8 writes it into a file `.cpuprofile`. */
export interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
  /** Microseconds between samples. */
  timeDeltas: number[];
}

interface Answer {
  id?: number;
  result?: { profile?: CpuProfile; result?: { value?: unknown } };
}

/** Profiles a Node process that runs, while `work` runs. It is told by its inspector, which SIGUSR1 opens. */
export async function profileProcess(pid: number, work: () => Promise<void>): Promise<CpuProfile> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await findTarget());
  try {
    await once(socket, "open");
    const ask = asking(socket);
    const { result } = await ask("Runtime.evaluate", { expression: "process.pid" });
    if (result?.result?.value !== pid) throw new Error(`port 9229 is not of process ${pid}`);
    await ask("Profiler.enable");
    await ask("Profiler.setSamplingInterval", { interval: intervalUs });
    await ask("Profiler.start");
    await work();
    const { profile } = (await ask("Profiler.stop")).result ?? {};
    if (!profile) throw new Error("V8 gave no profile");
    return profile;
  } finally {
    socket.close();
  }
}

/** Profiles this process, while `work` runs. */
export async function profileHere(work: () => Promise<void>): Promise<CpuProfile> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: intervalUs });
    await session.post("Profiler.start");
    await work();
    return (await session.post("Profiler.stop")).profile as CpuProfile;
  } finally {
    session.disconnect();
  }
}

async function findTarget(): Promise<string> {
  const deadline = performance.now() + startLimitMs;
  while (performance.now() < deadline) {
    const found = await request(address).then(
      async ({ body }) => (await body.json()) as { webSocketDebuggerUrl: string }[],
      () => [],
    );
    if (found[0]) return found[0].webSocketDebuggerUrl;
    await delay(100);
  }
  throw new Error("the inspector of the server does not answer on port 9229");
}

type Ask = (method: string, params?: object) => Promise<Answer>;

function asking(socket: WebSocket): Ask {
  let asked = 0;
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  return async (method, params = {}) => {
    const id = (asked += 1);
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    return await answered;
  };
}
