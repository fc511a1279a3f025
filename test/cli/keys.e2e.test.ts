import { describe, expect, test } from "vitest";
import { rollcall } from "../support/command-line.ts";
import { createTestDatabase } from "../support/database.ts";
import { startService } from "../support/service-process.ts";

const masterKeys = /^k\d{8}:[A-Za-z0-9+/]{43}=$/;

describe("keys generate", () => {
  test.each([
    ["dev", []],
    ["prod", ["--environment", "prod"]],
  ])(
    "prints the keys with which a hosted service starts in the environment %s",
    async (environment, args) => {
      const printed = await rollcall(["keys", "generate", ...args], {});
      expect({ code: printed.code, stderr: printed.stderr }).toEqual({ code: 0, stderr: "" });
      const values = Object.fromEntries(
        printed.stdout
          .trimEnd()
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
      );
      expect(values["MASTER_KEYS"]).toMatch(masterKeys);

      const database = await createTestDatabase();
      const service = await (
        await startService({
          DATABASE_URL: database.url,
          PUBLIC_URL: "https://api.example.com",
          TRUST_PROXY: "none",
          ENVIRONMENT: environment,
          ...values,
        })
      ).untilStarted();
      const reply = await service.http.get("/2023-03-01/xhr/identity", {
        bearer: values["SANDBOX_ACCESS_TOKEN"],
      });
      expect(reply.status).toBe(200);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
      await database.drop();
    },
  );

  test("prints JSON with the same names, and new values every time", async () => {
    const [one, two] = await Promise.all([
      rollcall(["keys", "generate", "--json"], {}),
      rollcall(["keys", "generate", "--json"], {}),
    ]);
    for (const { json } of [one, two])
      expect(json()).toEqual({
        MASTER_KEYS: expect.stringMatching(masterKeys),
        SANDBOX_ACCESS_TOKEN: expect.stringMatching(/^rc_at_dev_[0-9A-Za-z]{49}$/),
      });
    for (const name of ["MASTER_KEYS", "SANDBOX_ACCESS_TOKEN"])
      expect(one.json()[name]).not.toBe(two.json()[name]);
  });

  test("refuses an unknown environment with exit code 2", async () => {
    const refused = await rollcall(["keys", "generate", "--environment", "staging"], {});
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("staging");
  });
});
