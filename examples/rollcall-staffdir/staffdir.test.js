import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { describeProvider, registerChecks } from "@rollcall/provider/conformance";
import provider, { conformance } from "./index.js";
import { toEmployee } from "./readers.js";

registerChecks(describeProvider(provider, conformance), { describe, test });

test("who starts later is pending", () => {
  const person = { id: 9, given: "Uma", family: "Berg", since: "2030-01-01" };
  const { employment_status: status } = toEmployee(person, { today: "2026-03-02", parameters: {} });
  assert.equal(status, "pending");
});
