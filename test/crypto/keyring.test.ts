import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DataKey, isSameDigest, Keyring, sha256 } from "../../src/platform/crypto/index.ts";

const makeKey = (id: string) => ({ id, key: randomBytes(32) });
const plaintext = Buffer.from("iban DE02120300000000202051 \u{1f511}");
const context = ["session", "0195"];
const refused = /unable to authenticate|not a sealed value/;
const noKey = /no master key is named/;

describe("a data key", () => {
  const dataKey = new DataKey(randomBytes(32));

  test("opens what it sealed, byte for byte, empty and large values included", () => {
    for (const value of [
      plaintext,
      Buffer.alloc(0),
      Buffer.of(0),
      randomBytes(1),
      randomBytes(3_000_000),
    ]) {
      expect(dataKey.open(dataKey.seal(value, context), context).equals(value)).toBe(true);
    }
  });

  test("seals the same value in another way each time, and never in the clear", () => {
    const sealed = Array.from({ length: 500 }, () => dataKey.seal(plaintext, context));
    expect(new Set(sealed.map((value) => value.toString("hex"))).size).toBe(500);
    for (const value of sealed) expect(value.includes("DE0212")).toBe(false);
  });

  test.each<[string, string[]]>([
    ["no context", []],
    ["another owner", ["session", "0196"]],
    ["another purpose", ["identity", "0195"]],
    ["a part less", ["session"]],
    ["a part more", ["session", "0195", ""]],
    ["the parts the other way round", ["0195", "session"]],
    ["the parts in one", ["session0195"]],
    ["the parts in one, with a comma", ["session,0195"]],
    ["the parts parted elsewhere", ["sessio", "n0195"]],
    ["what looks like both parts", ['session","0195']],
    ["another case", ["Session", "0195"]],
    ["a zero character", ["session", "0195\u0000"]],
  ])("does not open a value in another context: %s", (_name, other) => {
    const sealed = dataKey.seal(plaintext, context);
    expect(() => dataKey.open(sealed, other)).toThrow(refused);
  });

  test("does not open a value with any one byte changed", () => {
    const sealed = dataKey.seal(plaintext, context);
    for (let position = 0; position < sealed.length; position += 1) {
      for (const bits of [0x01, 0x80, 0xff]) {
        const changed = Buffer.from(sealed);
        changed[position]! ^= bits;
        expect(() => dataKey.open(changed, context), `byte ${position}`).toThrow(refused);
      }
    }
  });

  test("does not open a value that was cut off, at any place, or that has more behind it", () => {
    const sealed = dataKey.seal(plaintext, context);
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => dataKey.open(sealed.subarray(0, length), context), `${length} bytes`).toThrow(
        refused,
      );
    expect(() => dataKey.open(Buffer.concat([sealed, Buffer.of(0)]), context)).toThrow(refused);
    expect(() => dataKey.open(sealed.subarray(1), context)).toThrow(refused);
  });

  test("does not open a value made of two", () => {
    const [one, two] = [
      dataKey.seal(plaintext, context),
      dataKey.seal(plaintext.toReversed() as Buffer, context),
    ];
    for (const cut of [7, 13, 20, 29, 40])
      expect(
        () => dataKey.open(Buffer.concat([one.subarray(0, cut), two.subarray(cut)]), context),
        `cut at ${cut}`,
      ).toThrow(refused);
  });

  test("does not open what another key sealed, and says nothing of the value", () => {
    const sealed = dataKey.seal(plaintext, context);
    const open = () => new DataKey(randomBytes(32)).open(sealed, context);
    expect(open).toThrow(refused);
    expect(open).not.toThrow("DE0212");
  });

  test("of the same bytes opens it", () => {
    const key = randomBytes(32);
    expect(
      new DataKey(key).open(new DataKey(key).seal(plaintext, context), context).equals(plaintext),
    ).toBe(true);
  });

  test.each([0, 16, 31, 33, 64])("of %i bytes is refused", (length) => {
    expect(() => new DataKey(randomBytes(length))).toThrow(/32 bytes/);
  });

  test("makes the same code of the same words, and another one under another purpose or key", () => {
    const codes = [
      dataKey.mac("id", "employee", "7"),
      dataKey.mac("digest", "employee", "7"),
      dataKey.mac("fingerprint", "employee", "7"),
      new DataKey(randomBytes(32)).mac("id", "employee", "7"),
      dataKey.mac("id", "employee", "8"),
    ];
    expect(new Set(codes.map((code) => code.toString("hex"))).size).toBe(codes.length);
    for (const code of codes) expect(code).toHaveLength(32);
    expect(dataKey.mac("id", "employee", "7").equals(codes[0]!)).toBe(true);
  });
});

describe("a keyring", () => {
  test("has at least one key", () => {
    expect(() => new Keyring([])).toThrow(/at least one key/);
  });

  test("seals under its first key and names it", () => {
    const keyring = new Keyring([makeKey("new"), makeKey("old")]);
    expect(keyring.activeKeyId).toBe("new");
    expect(keyring.seal(plaintext, context).keyId).toBe("new");
    expect(keyring.createDataKey(context).wrapped.keyId).toBe("new");
  });

  test("opens what an earlier first key sealed for as long as it holds that key", () => {
    const [old, young] = [makeKey("old"), makeKey("young")];
    const sealed = new Keyring([old]).seal(plaintext, context);
    expect(new Keyring([young, old]).open(sealed, context).equals(plaintext)).toBe(true);
    expect(() => new Keyring([young]).open(sealed, context)).toThrow(noKey);
  });

  test("does not open a value under another key of the same name", () => {
    const sealed = new Keyring([makeKey("k")]).seal(plaintext, context);
    expect(() => new Keyring([makeKey("k")]).open(sealed, context)).toThrow(refused);
  });

  test("does not open a value under another of its keys", () => {
    const keyring = new Keyring([makeKey("one"), makeKey("two")]);
    const { bytes } = keyring.seal(plaintext, context);
    expect(() => keyring.open({ keyId: "two", bytes }, context)).toThrow(refused);
  });

  test("does not open a value in another context", () => {
    const keyring = new Keyring([makeKey("k")]);
    const sealed = keyring.seal(plaintext, ["client-secret", "A"]);
    expect(() => keyring.open(sealed, ["client-secret", "B"])).toThrow(refused);
    expect(() => keyring.open(sealed, ["connection-key", "A"])).toThrow(refused);
  });

  test("wraps a data key of its own for each caller, which opens in its own context only", () => {
    const keyring = new Keyring([makeKey("k")]);
    const [one, two] = [
      keyring.createDataKey(["connection-key", "1"]),
      keyring.createDataKey(["connection-key", "2"]),
    ];
    const sealed = one.dataKey.seal(plaintext, context);
    expect(
      keyring
        .openDataKey(one.wrapped, ["connection-key", "1"])
        .open(sealed, context)
        .equals(plaintext),
    ).toBe(true);
    expect(() => keyring.openDataKey(one.wrapped, ["connection-key", "2"])).toThrow(refused);
    expect(() =>
      keyring.openDataKey(two.wrapped, ["connection-key", "2"]).open(sealed, context),
    ).toThrow(refused);
  });

  test("recognises a secret by a digest that depends on the key, and that a plain hash does not give", () => {
    const keyring = new Keyring([makeKey("one"), makeKey("two")]);
    const digest = keyring.digest("one", "secret");
    expect(keyring.digest("one", "secret").equals(digest)).toBe(true);
    for (const other of [
      keyring.digest("two", "secret"),
      keyring.digest("one", "Secret"),
      keyring.digest("one", "secret\u0000"),
      sha256("secret"),
    ])
      expect(other.equals(digest)).toBe(false);
    expect(() => keyring.digest("three", "secret")).toThrow(noKey);
  });
});

describe("digests", () => {
  test("are the SHA-256 that everybody knows", () => {
    expect(sha256("abc").toString("hex")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(sha256(Buffer.from("abc")).equals(sha256("abc"))).toBe(true);
  });

  test("are the same when all their bytes are", () => {
    const digest = sha256("abc");
    expect(isSameDigest(digest, sha256("abc"))).toBe(true);
    for (let position = 0; position < digest.length; position += 1) {
      const other = Buffer.from(digest);
      other[position]! ^= 1;
      expect(isSameDigest(digest, other)).toBe(false);
    }
  });

  test("of unequal length are unequal, and no error", () => {
    expect(isSameDigest(sha256("abc"), sha256("abc").subarray(0, 31))).toBe(false);
    expect(isSameDigest(sha256("abc"), Buffer.alloc(0))).toBe(false);
    expect(isSameDigest(Buffer.alloc(0), Buffer.alloc(0))).toBe(true);
  });
});
