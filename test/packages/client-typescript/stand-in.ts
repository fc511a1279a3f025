import { Rollcall, type RollcallOptions } from "../../../packages/client-typescript/src/index.ts";

interface Asked {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
  /** Seconds since the first request. */
  at: number;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** What a request is answered: a reply, no reply at all, none that comes, or one whose body takes so many seconds. */
export type Answer = Reply | "network error" | "silence" | { bodySeconds: number };

export const pending = (seconds: number): Answer => ({
  status: 202,
  headers: { "retry-after": String(seconds) },
  body: { message: "The data is being fetched." },
});
export const refused = (status: number, seconds?: number): Answer => ({
  status,
  headers: seconds === undefined ? {} : { "retry-after": String(seconds) },
  body: { message: "No." },
});
export const ready = (body: unknown = [], headers: Record<string, string> = {}): Answer => ({
  status: 200,
  headers,
  body,
});

/** The library in front of a service that answers as it is told, the last answer again and again. */
export function standIn(answers: readonly Answer[], options: Partial<RollcallOptions> = {}) {
  const asked: Asked[] = [];
  const startMs = performance.now();
  const rollcall = new Rollcall({
    url: "https://rollcall.test",
    clientId: "client",
    clientSecret: "secret",
    ...options,
    fetch: async (url, request = {}) => {
      const at = Math.round((performance.now() - startMs) / 100) / 10;
      const { method = "GET", body } = request;
      const path = (url as string).slice("https://rollcall.test".length);
      const headers = new Headers(request.headers);
      asked.push({
        method,
        path,
        headers,
        body: body ? JSON.parse(body as string) : undefined,
        at,
      });
      return await give(answers[Math.min(asked.length, answers.length) - 1], request.signal);
    },
  });
  const connection = rollcall.connection({ access_token: "access", token: "token-1" });
  return { rollcall, connection, asked, times: () => asked.map(({ at }) => at) };
}

async function give(answer: Answer | undefined, signal?: AbortSignal | null): Promise<Response> {
  if (answer === undefined || answer === "network error") throw new TypeError("fetch failed");
  if (answer === "silence")
    return await new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  if ("bodySeconds" in answer) return slowly(answer.bodySeconds, signal);
  const { status, headers = {}, body } = answer;
  const text = status === 304 ? null : JSON.stringify(body);
  return new Response(text, { status, headers: { "x-request-id": "request-1", ...headers } });
}

function slowly(seconds: number, signal?: AbortSignal | null): Response {
  const body = new ReadableStream({
    start(controller) {
      const timer = setTimeout(() => {
        controller.enqueue(new TextEncoder().encode("[1]"));
        controller.close();
      }, seconds * 1_000);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        controller.error(new Error("aborted"));
      });
    },
  });
  return new Response(body, { status: 200 });
}
