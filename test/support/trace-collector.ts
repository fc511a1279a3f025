import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { decodeTraces, type TracedSpan } from "./otlp-decoder.ts";

export type TraceCollector = Awaited<ReturnType<typeof startTraceCollector>>;

/** A collector of OpenTelemetry on loopback, which takes traces as the protocol says. */
export async function startTraceCollector() {
  const requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const spans: TracedSpan[] = [];
  const faults: unknown[] = [];
  let gate: Promise<void> | undefined;
  let status = 200;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    requests.push({ path: `${request.method} ${request.url}`, headers: request.headers, body });
    if (status === 200) spans.push(...decodeTraces(body));
    await gate;
    response.writeHead(status, { "content-type": "application/x-protobuf" }).end();
  };
  const server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => {
      faults.push(error);
      response.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** As they came. */
    requests,
    spans,
    /** Of requests that are not of the protocol. */
    faults,
    /** From now on requests are answered with this status. */
    answer: (next: number) => void (status = next),
    /** From now on no request is answered. The function that it returns answers them all. */
    fallSilent: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A trace as a tree: each span with those inside it, in the order of their beginning. */
export function formatTrace(spans: readonly TracedSpan[]): string {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const inside = (parent: string | undefined): TracedSpan[] =>
    spans
      .filter(({ parentSpanId }) =>
        parent === undefined
          ? parentSpanId === undefined || !known.has(parentSpanId)
          : parentSpanId === parent,
      )
      .toSorted((one, other) => one.startMs - other.startMs);
  const lines = (parent: string | undefined, depth: number): string[] =>
    inside(parent).flatMap((one) => [
      `${"  ".repeat(depth)}${one.name}`,
      ...lines(one.spanId, depth + 1),
    ]);
  return lines(undefined, 0).join("\n");
}
