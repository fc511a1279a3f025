import type { Server } from "node:http";
import type { Socket } from "node:net";

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
