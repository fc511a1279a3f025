import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { openSocket } from "./raw-http.ts";

const host = "Host: localhost\r\n";
const post = `POST /2023-03-01/management/token HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;

type Behaviour = (socket: Socket, signal: AbortSignal) => Promise<void>;

const sends =
  (text: string): Behaviour =>
  async (socket) =>
    void socket.write(text);

/** One byte each half second, for as long as it is let. */
const trickles =
  (start: string, rest: string): Behaviour =>
  async (socket, signal) => {
    socket.write(start);
    for (const byte of rest) {
      await delay(500, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || socket.destroyed) return;
      socket.write(byte);
    }
  };

/** What who never reads asks for, again and again. */
export const bulk = "/openapi.json";
const bulkRequests = 60;

/** Asks for more than the buffers of both sides can hold, and reads none of it. */
const neverReads: Behaviour = async (socket) => {
  socket.pause();
  socket.write(`GET ${bulk} HTTP/1.1\r\n${host}\r\n`.repeat(bulkRequests));
};

/** What slow clients do, and whether they are told why they are cut off. */
export const slowKinds: Record<string, { behave: Behaviour; isAnswered: boolean }> = {
  "sends nothing": { behave: async () => undefined, isAnswered: false },
  "sends half its first line": { behave: sends("GET /prov"), isAnswered: true },
  "sends half its headers": {
    behave: sends(`GET /providers HTTP/1.1\r\n${host}X-A: b\r\n`),
    isAnswered: true,
  },
  "sends its headers byte by byte": {
    behave: trickles(`GET /providers HTTP/1.1\r\n${host}`, "X-Slow: ".padEnd(100, "a")),
    isAnswered: true,
  },
  "sends half its body": {
    behave: sends(`${post}Content-Length: 100\r\n\r\n{"code":`),
    isAnswered: true,
  },
  "sends no body": { behave: sends(`${post}Content-Length: 100\r\n\r\n`), isAnswered: true },
  "sends its body byte by byte": {
    behave: trickles(`${post}Content-Length: 100\r\n\r\n`, "{".padEnd(100)),
    isAnswered: true,
  },
  "sends its chunks byte by byte": {
    behave: trickles(`${post}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n{\r\n".repeat(20)),
    isAnswered: true,
  },
  "never reads its answers": { behave: neverReads, isAnswered: false },
};

export interface SlowFate {
  kind: string;
  isGone: boolean;
  received: string;
}

/**
 * What becomes of a slow client until `over`, which begins when its socket is open: of thousands at once, some wait
 * seconds for that. `bulkBytes` is the length of one answer that is never read.
 */
export async function watchSlowSocket(
  baseUrl: string,
  kind: string,
  { over: begin, bulkBytes }: { over: () => AbortSignal; bulkBytes: number },
): Promise<SlowFate> {
  const socket = await openSocket(baseUrl);
  const over = begin();
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  // A server that closes before it has read all resets, which is an error here.
  const gone = Promise.allSettled([
    Promise.race([once(socket, "end"), once(socket, "close")]),
  ]).then(() => true);
  void slowKinds[kind]!.behave(socket, over);
  const isGone = await Promise.race([
    gone,
    untilOver(over).then(() => (socket.isPaused() ? wasCutOff(socket, gone, bulkBytes) : false)),
  ]);
  socket.destroy();
  return { kind, isGone, received: Buffer.concat(chunks).toString("latin1") };
}

async function untilOver(over: AbortSignal): Promise<void> {
  if (!over.aborted) await once(over, "abort");
}

/** Who does not read does not see the end. When reading at last, what was in the buffers comes and then the end, or else all that was asked for. */
async function wasCutOff(
  socket: Socket,
  gone: Promise<boolean>,
  bulkBytes: number,
): Promise<boolean> {
  const whole = bulkBytes * bulkRequests;
  const all = new Promise<boolean>((resolve) => {
    let count = 0;
    socket.on("data", (chunk: Buffer) => {
      count += chunk.length;
      if (count >= whole) resolve(false);
    });
  });
  socket.resume();
  return await Promise.race([gone, all]);
}
