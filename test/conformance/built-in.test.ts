import { describe, expect, test } from "vitest";
import { describeProvider, type Check } from "../../src/conformance/index.ts";
import { odoo } from "../../src/providers/odoo/index.ts";
import { sandboxConformances } from "../../src/providers/sandbox/conformance.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { odooConformance } from "../support/fake-odoo-conformance.ts";

const leftOut = (checks: readonly Check[]): string[] =>
  checks.flatMap((check) => (check.leftOut === undefined ? [] : [check.name]));
const runnable = (checks: readonly Check[]) =>
  checks.flatMap((check) =>
    check.leftOut === undefined ? [[`${check.subject} ${check.name}`, check] as const] : [],
  );

const ofSandbox = describeProvider(sandbox, sandboxConformances);
const ofOdoo = describeProvider(odoo, odooConformance);

describe("the sandbox conforms", () => {
  test.each(runnable(ofSandbox))("%s", async (_name, { run }) => {
    await expect(run()).resolves.not.toThrow();
  });

  test("and leaves out what it does not have or needs a network alone", () => {
    const inEachMode =
      "quotas changes expired-session expired-between-pages rate-limited-date rate-limited cut-off".split(
        " ",
      );
    expect(leftOut(ofSandbox)).toEqual([...inEachMode, ...inEachMode]);
  });
});

describe("Odoo conforms", () => {
  test.each(runnable(ofOdoo))("%s", async (_name, { run }) => {
    await expect(run()).resolves.not.toThrow();
  });

  test("and leaves out what it does not declare alone", () => {
    const { quotas } = odoo.limits ?? {};
    const { refresh, resources } = odoo.modes.xhr!;
    expect(leftOut(ofOdoo)).toEqual([
      ...(quotas ? [] : ["quotas"]),
      ...(resources.employees?.changes ? [] : ["changes"]),
      ...(refresh ? [] : ["expired-session", "expired-between-pages"]),
    ]);
  });
});
