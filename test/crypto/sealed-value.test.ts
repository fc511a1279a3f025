import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  DataKey,
  Keyring,
  sealedBytes,
  sealedJson,
  wrappedDataKey,
} from "../../src/platform/crypto/index.ts";

const refused = /unable to authenticate/;
const key = new DataKey(randomBytes(32));
const keyring = new Keyring([{ id: "test", key: randomBytes(32) }]);

describe("sealed bytes", () => {
  const body = sealedBytes({ name: "body", owner: ["connection", "resource", "version"] });
  const owner = { connection: "c1", resource: "employees", version: "7" };
  const bytes = Buffer.from([0, 255, 10, 0]);

  test("are opened as they were sealed", () => {
    expect(body.open(key, owner, body.seal(key, owner, bytes)).equals(bytes)).toBe(true);
  });

  test.each([
    ["connection", { ...owner, connection: "c2" }],
    ["resource", { ...owner, resource: "groups" }],
    ["version", { ...owner, version: "8" }],
    ["two parts, exchanged", { ...owner, connection: "employees", resource: "c1" }],
    ["parts, divided in another place", { ...owner, connection: "c1e", resource: "mployees" }],
  ])("do not open for an owner of another %s", (_name, other) => {
    expect(() => body.open(key, other, body.seal(key, owner, bytes))).toThrow(refused);
  });

  test("do not open as another kind with the same owner", () => {
    const index = sealedBytes({ name: "index", owner: ["connection", "resource", "version"] });
    expect(() => index.open(key, owner, body.seal(key, owner, bytes))).toThrow(refused);
  });

  test("are bound to the parts of the declaration, in its order, and to nothing else", () => {
    const sealed = body.seal(key, owner, bytes);
    const given = { version: "7", resource: "employees", connection: "c1", column: "body" };
    expect(body.open(key, given, sealed).equals(bytes)).toBe(true);
    const otherOrder = sealedBytes({ name: "body", owner: ["version", "resource", "connection"] });
    expect(() => otherOrder.open(key, owner, sealed)).toThrow(refused);
  });
});

describe("sealed JSON", () => {
  const pair = z.object({ user: z.string(), count: z.number().nullable() });
  const session = sealedJson({ name: "session", owner: ["connection"], schema: pair });
  const owner = { connection: "c1" };
  const value = { user: "\u{1f511} ü", count: null };

  test("is opened as the value that was sealed, under a data key or the keyring", () => {
    expect(session.open(key, owner, session.seal(key, owner, value))).toEqual(value);
    const sealed = session.seal(keyring, owner, value);
    expect(sealed.keyId).toBe("test");
    expect(session.open(keyring, owner, sealed)).toEqual(value);
  });

  test("does not open for another owner, as another kind, or under another key", () => {
    const sealed = session.seal(key, owner, value);
    const identity = sealedJson({ name: "identity", owner: ["connection"], schema: pair });
    expect(() => session.open(key, { connection: "c2" }, sealed)).toThrow(refused);
    expect(() => identity.open(key, owner, sealed)).toThrow(refused);
    expect(() => session.open(new DataKey(randomBytes(32)), owner, sealed)).toThrow(refused);
  });

  test("of another shape is an error that names the kind and quotes nothing", () => {
    const earlier = sealedJson({
      name: "session",
      owner: ["connection"],
      schema: z.record(z.string(), z.string()),
    });
    const sealed = earlier.seal(key, owner, { "secret-name": "secret-value" });
    const open = () => session.open(key, owner, sealed);
    expect(open).toThrow("the sealed session is not of its schema");
    expect(open).not.toThrow(/secret/);
  });
});

describe("a wrapped data key", () => {
  const connectionKey = wrappedDataKey({ name: "connection-key", owner: ["connection"] });
  const owner = { connection: "c1" };

  test("opens for its owner as the same key, and as another one for each owner", () => {
    const one = connectionKey.create(keyring, owner);
    const two = connectionKey.create(keyring, { connection: "c2" });
    const opened = connectionKey.open(keyring, owner, one.wrapped);
    expect(opened.mac("id", "7").equals(one.dataKey.mac("id", "7"))).toBe(true);
    expect(opened.mac("id", "7").equals(two.dataKey.mac("id", "7"))).toBe(false);
  });

  test("does not open for another owner, or as another kind", () => {
    const { wrapped } = connectionKey.create(keyring, owner);
    const flowKey = wrappedDataKey({ name: "flow-key", owner: ["connection"] });
    expect(() => connectionKey.open(keyring, { connection: "c2" }, wrapped)).toThrow(refused);
    expect(() => flowKey.open(keyring, owner, wrapped)).toThrow(refused);
  });
});
