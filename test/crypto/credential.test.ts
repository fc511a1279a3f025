import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  checkCredential,
  mintCredential,
  type Environment,
} from "../../src/platform/crypto/index.ts";

type Kind = Parameters<typeof mintCredential>[0];

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const environments: Environment[] = ["dev", "prod"];
const all: [Kind, Environment][] = (["cs", "ac", "at", "ln", "bs"] as const).flatMap((kind) =>
  environments.map((environment): [Kind, Environment] => [kind, environment]),
);
const security = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");

/** The polynomial of zlib and PNG, bit by bit. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function toBase62(value: number): string {
  let [digits, rest] = ["", value];
  for (let place = 0; place < 6; place += 1)
    [digits, rest] = [alphabet[rest % 62] + digits, Math.floor(rest / 62)];
  return digits;
}

const another = (character: string): string => alphabet[(alphabet.indexOf(character) + 1) % 62]!;

describe.each(all)("a credential of kind %s in %s", (kind, environment) => {
  test("has the prefix, 43 base62 characters and 6 of the checksum", () => {
    expect(mintCredential(kind, environment)).toMatch(
      new RegExp(`^rc_${kind}_${environment}_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$`),
    );
  });

  test("ends with the CRC32 of all before, in base62", () => {
    for (let made = 0; made < 50; made += 1) {
      const credential = mintCredential(kind, environment);
      expect(credential.slice(-6)).toBe(toBase62(crc32(credential.slice(0, -6))));
    }
  });

  test("is found by the expression that SECURITY.md publishes for secret scanners", () => {
    const published = /^rc_\(.*\)_\(.*\)_\S+$/m.exec(security)?.[0];
    expect(published).toBeDefined();
    const scanner = new RegExp(published!, "g");
    const credential = mintCredential(kind, environment);
    expect(`{"a":"x","b":"${credential}"}`.match(scanner)).toEqual([credential]);
    expect(`https://a.example/?c=${credential}&d=1`.match(scanner)).toEqual([credential]);
  });

  test("is valid as itself, of the other environment there, and malformed as any other kind", () => {
    const credential = mintCredential(kind, environment);
    for (const [asKind, inEnvironment] of all) {
      const expected =
        asKind !== kind
          ? "malformed"
          : inEnvironment === environment
            ? "valid"
            : "other-environment";
      expect([asKind, inEnvironment, checkCredential(credential, asKind, inEnvironment)]).toEqual([
        asKind,
        inEnvironment,
        expected,
      ]);
    }
  });
});

test("the body is 256 random bits: within their range, never the same, every character in use", () => {
  const bodies = Array.from({ length: 2_000 }, () => mintCredential("at", "dev").slice(-49, -6));
  expect(new Set(bodies).size).toBe(2_000);
  expect(new Set(bodies.join("")).size).toBe(62);
  const values = bodies.map((body) =>
    [...body].reduce((value, digit) => value * 62n + BigInt(alphabet.indexOf(digit)), 0n),
  );
  const largest = values.reduce((a, b) => (a > b ? a : b));
  expect(largest < 2n ** 256n).toBe(true);
  expect(largest > 2n ** 255n).toBe(true);
});

describe("malformed", () => {
  const credential = mintCredential("at", "dev");

  test("with any one character changed", () => {
    for (let position = 0; position < credential.length; position += 1) {
      const changed =
        credential.slice(0, position) +
        another(credential[position]!) +
        credential.slice(position + 1);
      expect([position, checkCredential(changed, "at", "dev")]).toEqual([position, "malformed"]);
    }
  });

  test("with any two neighbours of the body swapped", () => {
    for (let position = credential.length - 49; position < credential.length - 1; position += 1) {
      const [one, two] = [credential[position]!, credential[position + 1]!];
      if (one === two) continue;
      const swapped = credential.slice(0, position) + two + one + credential.slice(position + 2);
      expect([position, checkCredential(swapped, "at", "dev")]).toEqual([position, "malformed"]);
    }
  });

  test("with the environment changed and the checksum kept", () => {
    expect(checkCredential(credential.replace("_dev_", "_prod_"), "at", "dev")).toBe("malformed");
    expect(checkCredential(credential.replace("_dev_", "_prod_"), "at", "prod")).toBe("malformed");
  });

  test("with the kind changed and the checksum kept", () => {
    expect(checkCredential(credential.replace("_at_", "_ac_"), "ac", "dev")).toBe("malformed");
  });

  test("of a kind that there is not, with a right checksum", () => {
    const body = `rc_zz_dev_${"0".repeat(43)}`;
    expect(checkCredential(body + toBase62(crc32(body)), "at", "dev")).toBe("malformed");
  });

  test("of an environment that there is not, with a right checksum", () => {
    const body = `rc_at_test_${"0".repeat(43)}`;
    expect(checkCredential(body + toBase62(crc32(body)), "at", "dev")).toBe("malformed");
  });

  test.each([
    ["nothing", ""],
    ["one character less", credential.slice(0, -1)],
    ["one character more", `${credential}0`],
    ["a line feed behind", `${credential}\n`],
    ["a space before", ` ${credential}`],
    ["a zero character behind", `${credential}\u0000`],
    ["upper-case letters", credential.toUpperCase()],
    ["lower-case letters", credential.toLowerCase()],
    ["no prefix", credential.slice(10)],
    ["a quoted one", `"${credential}"`],
    ["full-width digits", credential.replace(/\d/, "\uff11")],
    ["a very long one", `rc_at_dev_${"0".repeat(1_000_000)}`],
  ])("%s", (_name, value) => {
    expect(checkCredential(value, "at", "dev")).toBe("malformed");
  });
});
