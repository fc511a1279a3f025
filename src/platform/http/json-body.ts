import { isUtf8 } from "node:buffer";
import { printParseErrorCode, visit, type ParseErrorCode } from "jsonc-parser";

/** The body is not JSON or repeats a property. `position` says where and why. */
export class MalformedJson extends Error {
  readonly position: string;
  constructor(position: string) {
    super("The body is not valid JSON.");
    this.name = "MalformedJson";
    this.position = position;
  }
}

/** Every body that an endpoint takes is an object. */
export function isJsonText(text: string): boolean {
  return text.trimStart().startsWith("{");
}

const maxDepth = 32;

/** Undefined for an empty text. Throws MalformedJson. */
export function parseJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  checkJson(text);
  return JSON.parse(text);
}

/** Refuses bytes that are not UTF-8 instead of replacing them. */
export function decodeText(body: string | Buffer): string {
  if (typeof body === "string") return body;
  if (!isUtf8(body)) throw new MalformedJson("encoding: the body is not UTF-8");
  return body.toString();
}

function checkJson(text: string): void {
  const scopes: Set<string>[] = [];
  const enter = (offset: number): void => {
    if (scopes.push(new Set()) > maxDepth) fail(offset, `nested deeper than ${maxDepth} levels`);
  };
  const leave = (): void => void scopes.pop();
  visit(
    text,
    {
      onObjectBegin: enter,
      onArrayBegin: enter,
      onObjectEnd: leave,
      onArrayEnd: leave,
      onObjectProperty: (name, offset) => {
        const names = scopes.at(-1);
        if (names?.has(name)) fail(offset, "the property is repeated");
        names?.add(name);
      },
      onError: (code, offset) => fail(offset, describe(code)),
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
}

function fail(offset: number, why: string): never {
  throw new MalformedJson(`position ${offset}: ${why}`);
}

function describe(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
}
