import type { ProviderResponse } from "../../platform/outbound/index.ts";
import { ProviderBug } from "../errors.ts";

/** The most values of one answer: each takes memory, however short it is as text. */
export const mostValues = 2_000_000;

/** How the bodies of answers are written. */
export interface BodyFormat<Body = unknown> {
  readonly name: string;
  /** What a request asks for. */
  readonly accept: string;
  /** Whether an answer says that it is of this kind. */
  fits(answer: ProviderResponse): boolean;
  /** What an answer without a body is. Null unless said otherwise. */
  readonly empty?: Body;
  /** Throws ProviderBug for what is not written so, with `what`, such as `GET /people`, and nothing of the body. */
  read(answer: ProviderResponse, what?: string): Body;
  /** Undefined for what is not written so: for a look at a refusal, whose body may be anything. */
  tryRead(answer: ProviderResponse): Body | undefined;
}

export function defineFormat<Body>(format: Omit<BodyFormat<Body>, "tryRead">): BodyFormat<Body> {
  const tryRead = (answer: ProviderResponse): Body | undefined => {
    try {
      return format.fits(answer) ? format.read(answer) : undefined;
    } catch {
      return undefined;
    }
  };
  return { ...format, tryRead };
}

export const json: BodyFormat = defineFormat<unknown>({
  name: "JSON",
  accept: "application/json",
  fits: ({ headers }) => (headers["content-type"] ?? "").includes("json"),
  read: (answer) => answer.json(),
});

/** The encoding that a system writes where its answers do not say so, or say another one: `utf-8` by default. */
export interface Encoded {
  charset?: string;
}

/** What the bytes begin with says more than what anybody declares. */
const marks: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];
const charsetOfType = /;\s?charset="?([\w.:-]+)/i;

/** Throws ProviderBug for bytes that are no text in the encoding, because they would become other letters. */
export function decodeText(
  { bytes, headers }: ProviderResponse,
  what: string,
  charset: string | undefined,
  declared?: string,
): string {
  const marked = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1];
  const said = charsetOfType.exec(headers["content-type"] ?? "")?.[1];
  const chosen = marked ?? charset ?? said ?? declared ?? "utf-8";
  try {
    return new TextDecoder(chosen, { fatal: true }).decode(bytes);
  } catch {
    throw new ProviderBug(`${what} was answered with a text that is not in its encoding`);
  }
}

/** The type without its parameters. */
export function typeOf({ headers }: ProviderResponse): string {
  return (headers["content-type"] ?? "").toLowerCase().split(";", 1)[0] ?? "";
}
