import { connect } from "node:net";

/** Posts up to 200 MB that nobody signed. Resolves with how many of them were taken. */
export async function pour(url: string, { framing }: { framing: string }): Promise<number> {
  const { port, pathname } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  const closed = new Promise((resolve) => void socket.once("close", resolve));
  socket.on("error", () => undefined);
  socket.resume();
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
  const megabyte = Buffer.concat([
    Buffer.from("100000\r\n"),
    Buffer.alloc(2 ** 20, " "),
    Buffer.from("\r\n"),
  ]);
  let sent = 0;
  for (; sent < 200 && !socket.closed && socket.writable; sent += 1) {
    const taken = new Promise((resolve) => void socket.write(megabyte, resolve));
    await Promise.race([taken, closed]);
  }
  socket.destroy();
  return sent;
}
