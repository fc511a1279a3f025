import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const stepSeconds = 30;

/** The six digits that an authenticator app shows, by RFC 6238, some steps of 30 seconds after `now`. */
export function timeCode(secret: string, now: Date, stepsAhead = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / 1000 / stepSeconds) + stepsAhead));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((each) => alphabet.indexOf(each).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
