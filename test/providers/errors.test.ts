import { describe, expect, test } from "vitest";
import {
  AuthError,
  FieldError,
  isProviderFailure,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  ProviderRateLimited,
} from "../../src/providers/errors.ts";
import type * as errorsOfHost from "../../src/providers/errors.ts";
import { toPlainFailure } from "../../src/providers/plain-failure.ts";

const brand = Symbol.for("rollcall.provider-failure");
// Another copy of the module has other classes. Its path is hidden from the compiler.
const copyPath: string = "../../src/providers/errors.ts?copy";
const copy = (await import(copyPath)) as typeof errorsOfHost;

const failures = (errors: typeof copy): [string, Error, object][] => [
  ["auth", new errors.AuthError("captcha_challenge"), { code: "captcha_challenge" }],
  ["field", new errors.FieldError("url", "No."), { field: "url", explanation: "No." }],
  ["not-supported", new errors.OperationNotSupported("no module"), { message: "no module" }],
  ["rate-limited", new errors.ProviderRateLimited(7), { afterSeconds: 7 }],
  ["down", new errors.ProviderDown("away"), { message: "away" }],
  [
    "bug",
    new errors.ProviderBug("odd", { fields: ["gender"] }),
    { message: "odd", fields: ["gender"] },
  ],
];
const own = {
  AuthError,
  FieldError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  ProviderRateLimited,
};

describe("a failure of the contract", () => {
  test.each(failures({ ...own, isProviderFailure }))("counts: %s", (kind, error, fields) => {
    expect(isProviderFailure(error)).toBe(true);
    expect(toPlainFailure(error)).toMatchObject({ kind, ...fields });
  });

  test.each(failures(copy))("counts when another copy made it: %s", (kind, error, fields) => {
    expect(error).not.toBeInstanceOf(own.AuthError);
    expect(isProviderFailure(error)).toBe(true);
    expect(toPlainFailure(error)).toMatchObject({ kind, ...fields });
  });
});

const branded = (kind: unknown, fields: object = {}): Error =>
  Object.assign(new Error("branded"), { [brand]: kind, kind }, fields);
const throwing = (): never => {
  throw new Error("a trap");
};

describe("an error with the brand and nonsense in it", () => {
  test.each([
    ["an unknown kind", branded("gone")],
    ["a kind that every object has", branded("constructor")],
    ["a kind that is no text", branded(7)],
    ["another kind than the brand", branded("auth", { kind: "down" })],
    ["a code that does not exist", branded("auth", { code: "no_valid_accounts" })],
    ["no code", branded("auth")],
    ["a field that is no text", branded("field", { field: {}, explanation: "No." })],
    ["no explanation", branded("field", { field: "url" })],
    ["a wait that is no number", branded("rate-limited", { afterSeconds: "soon" })],
    ["a message that is no text", branded("down", { message: { toString: throwing } })],
    ["no error around it", { [brand]: "down", kind: "down", message: "away" }],
    ["a getter that throws", Object.defineProperty(branded("down"), "kind", { get: throwing })],
    ["a trap for every property", new Proxy(branded("down"), { get: throwing, has: throwing })],
  ])("counts as a ProviderBug: %s", (_case, error) => {
    expect(isProviderFailure(error)).toBe(false);
    expect(toPlainFailure(error)).toMatchObject({ kind: "bug", message: "the adapter failed" });
  });

  test.each([[undefined], ["gender"], [[7, {}]]])("names no field when it has %s", (fields) => {
    expect(toPlainFailure(branded("bug", { fields }))).toMatchObject({ kind: "bug", fields: [] });
  });

  test("is described as far as it can be", () => {
    const circle = new ProviderDown("in a circle");
    Object.assign(circle, { cause: circle });
    expect(toPlainFailure(circle)).toMatchObject({ kind: "down", message: "in a circle" });
    const cause = new Proxy(new Error("x"), { get: throwing });
    const { description } = toPlainFailure(Object.assign(new ProviderDown("away"), { cause }));
    expect(description).toMatchObject({ type: "ProviderDown", cause: { type: "object" } });
  });

  test.each([[null], [undefined], ["down"], [7], [Symbol("down")]])(
    "does not come from %s",
    (value) => {
      expect(isProviderFailure(value)).toBe(false);
    },
  );
});
