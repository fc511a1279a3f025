import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { InvalidConfiguration, readConfig } from "../src/config/index.ts";
import { secretVariables } from "../src/config/secret-files.ts";

const folder = mkdtempSync(join(tmpdir(), "rollcall-secrets-"));
const hosted = {
  DATABASE_URL: "postgres://rollcall@db/rollcall",
  REDIS_URL: "redis://redis:6379",
  PUBLIC_URL: "https://api.example.com",
  TRUST_PROXY: "10.0.0.1/32",
  MASTER_KEYS: `k1:${randomBytes(32).toString("base64")}`,
};
const hardPassword = "p@ss:w/r%d?#&é 1";

function secretFile(content: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

describe("a secret in a file", () => {
  test("is read for every variable that holds one", () => {
    const values: Record<string, string> = {
      ...hosted,
      DATABASE_PASSWORD: "one",
      REDIS_PASSWORD: "two",
    };
    const files = Object.fromEntries(
      secretVariables
        .filter((name) => values[name] !== undefined)
        .map((name) => [`${name}_FILE`, secretFile(`${values[name]}\n`)]),
    );
    const { PUBLIC_URL, TRUST_PROXY } = hosted;
    const fromFiles = readConfig({ PUBLIC_URL, TRUST_PROXY, ...files });
    const { config, secrets } = readConfig(values);
    const secretFiles = secretVariables.flatMap((name) => files[`${name}_FILE`] ?? []);
    expect(fromFiles).toEqual({ config: { ...config, secretFiles }, secrets });
  });

  test("is read for the secret of an application at a provider", () => {
    const { secrets } = readConfig({
      ...hosted,
      PROVIDER_MY_HR_CLIENT_ID: "rollcall",
      PROVIDER_MY_HR_CLIENT_SECRET_FILE: secretFile("s+cr%t\n"),
    });
    expect(secrets.providerApplications).toEqual({
      "my-hr": { clientId: "rollcall", clientSecret: "s+cr%t" },
    });
  });

  test.each([
    ["beside the variable", { MASTER_KEYS_FILE: secretFile("x") }, /MASTER_KEYS is set too/],
    ["missing", { REDIS_PASSWORD_FILE: join(folder, "none") }, /cannot be read \(ENOENT\)/],
    ["empty", { REDIS_PASSWORD_FILE: secretFile("\n") }, /is empty/],
  ])("%s is refused by name, without its content", (_, more, message) => {
    expect(() => readConfig({ ...hosted, ...more })).toThrow(InvalidConfiguration);
    expect(() => readConfig({ ...hosted, ...more })).toThrow(message);
  });
});

test("a password beside the address may hold any character", () => {
  const { secrets } = readConfig({
    ...hosted,
    DATABASE_PASSWORD: hardPassword,
    REDIS_PASSWORD: hardPassword,
  });
  expect(new Client(secrets.databaseUrl).password).toBe(hardPassword);
  expect(decodeURIComponent(new URL(secrets.redisUrl ?? "").password)).toBe(hardPassword);
});

test("a password in the address stays", () => {
  const given = "postgres://rollcall:in-it@db/rollcall";
  const { secrets } = readConfig({
    ...hosted,
    DATABASE_URL: given,
    DATABASE_PASSWORD: "other",
  });
  expect(secrets.databaseUrl).toBe(given);
});

describe("master keys by a command", () => {
  const { MASTER_KEYS, ...rest } = hosted;
  const read = (command: string, more = {}) =>
    readConfig({ ...rest, PATH: process.env["PATH"], MASTER_KEYS_COMMAND: command, ...more });
  const refusalOf = (command: string, more = {}): string => {
    try {
      read(command, more);
      return "";
    } catch (error) {
      return (error as InvalidConfiguration).problems.join("; ");
    }
  };

  test("are what it prints, with the environment of the process", () => {
    const given = { KEY_MANAGER: MASTER_KEYS };
    const { secrets } = read('echo "a word" >&2; echo "$KEY_MANAGER"', given);
    expect(secrets.masterKeys).toEqual(readConfig(hosted).secrets.masterKeys);
  });

  test.each([
    ["that fails", "echo s3cret; exit 3", {}, "ended with exit code 3"],
    ["that prints nothing", "true", {}, "printed nothing"],
    ["that is ended", "echo s3cret; kill -9 $$", {}, "was ended by SIGKILL"],
    ["beside the keys", "echo s3cret", { MASTER_KEYS }, "MASTER_KEYS is set too"],
    ["that prints no key", "echo s3cret", {}, "MASTER_KEYS: "],
  ])("of a command %s are refused, without what it printed", (_, command, more, says) => {
    const refusal = refusalOf(command, more);
    expect(refusal).toContain(says);
    expect(refusal).not.toContain("s3cret");
  });

  test("that do not come are no reason to make others", () => {
    expect(refusalOf("exit 3")).toBe(
      "MASTER_KEYS_COMMAND: the command ended with exit code 3; run it by hand to see why",
    );
    expect(() => readConfig({ ...rest, MASTER_KEYS_FILE: "/nowhere" })).toThrow(
      expect.objectContaining({
        problems: ["MASTER_KEYS_FILE: /nowhere cannot be read (ENOENT)"],
      }),
    );
  });
});
