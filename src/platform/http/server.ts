import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { randomFillSync } from "node:crypto";
import { v7 as uuidv7 } from "uuid";

/** Enough for a sign-in link with a `state` of 4,096 characters of three percent-encoded bytes each. */
export const maxUrlLength = 40_960;
const maxHeaderBytes = maxUrlLength + 8_192;
const receiveTimeoutMs = 10_000;
/** Longer than proxies keep a socket for their next request, so that none is sent to one that ends. */
const keepAliveMs = 72_000;

/** How long and how large a request may be while it arrives, as the server of Node has to know it. */
export const serverLimits = {
  requestTimeout: receiveTimeoutMs,
  keepAliveTimeout: keepAliveMs,
  http: {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
  },
};

/** For who listens before there is an app. */
export function createLimitedServer(answer: RequestListener): Server {
  const { http, ...timeouts } = serverLimits;
  return Object.assign(createServer(http, answer), timeouts);
}

const protocols = [Buffer.from(" RTSP/"), Buffer.from(" ICE/")];
const requestLine = /(?<=^|\n)[A-Z_-]{1,32} [^ \r\n]+ (?=(?:RTSP|ICE)\/)/g;
const begunLine = /^[A-Z_-]{0,32}(?: [^ \r\n]*(?: [A-Z]{0,4})?)?$/;
const lineFeed = 0x0a;
const noLetter = 0x21;

/**
 * Node's parser takes the request lines of RTSP and of ICE for HTTP. The name of their protocol is overwritten before
 * the parser has it, so that they are refused like every other protocol.
 */
export function breakOtherProtocols(server: Server): void {
  server.on("connection", (socket: Socket) => {
    let begun = "";
    socket.prependListener("data", (piece: Buffer) => {
      if (begun !== "" || protocols.some((protocol) => piece.includes(protocol)))
        overwrite(piece, begun);
      begun = findBegunLine(piece, begun);
    });
  });
}

function overwrite(piece: Buffer, begun: string): void {
  for (const { index, 0: before } of (begun + piece.toString("latin1")).matchAll(requestLine))
    piece[Math.max(0, index + before.length - begun.length)] = noLetter;
}

/** What the piece ends with of a request line, and of its target only that there is one. */
function findBegunLine(piece: Buffer, begun: string): string {
  const start = piece.lastIndexOf(lineFeed) + 1;
  if (start === piece.length) return "";
  const line = (start === 0 ? begun : "") + piece.toString("latin1", start);
  return begunLine.test(line) ? line.replace(/ [^ ]+/, " *") : "";
}

const bytesOfId = 16;
const idsAtOnce = 256;

/** Version 7 UUIDs. One call to the system gives the random bytes of many. */
export function createRequestIds(): () => string {
  const drawn = new Uint8Array(bytesOfId * idsAtOnce);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    return uuidv7({ random: drawn.subarray(used, (used += bytesOfId)) });
  };
}
