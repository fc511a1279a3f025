import { modes, type Mode } from "../../model/index.ts";
import type { Conformance, FakeSystem, Scenario } from "../conformance.ts";

const users: Partial<Record<Scenario, string>> = {
  "wrong-password": "user_bad_password",
  "second-factor": "user_mfa",
  "wrong-second-factor": "user_mfa",
  "dead-session": "user_expired",
  "missing-rights": "user_no_permission",
  "rate-limited-seconds": "user_limited",
  "server-error": "user_down",
  nulls: "user_sparse",
};

/** Its user names play the scenarios. There is no server. */
export const sandboxConformances: readonly Conformance[] = modes.map((mode) => ({
  provider: "sandbox",
  mode,
  start: async (scenario) => startSandbox(scenario, mode),
  leavesOut: {
    "rate-limited-date": "the sandbox answers no HTTP; it asks to wait in seconds",
    "rate-limited": "the sandbox answers no HTTP; it asks to wait in seconds",
    "cut-off": "the sandbox has no network that could end in the middle",
  },
}));

function startSandbox(scenario: Scenario, mode: Mode): FakeSystem {
  const secret = mode === "xhr" ? { password: "any" } : { api_key: "any" };
  return {
    formValues: { username: users[scenario] ?? "user_good", ...secret },
    answers: [scenario === "wrong-second-factor" ? "000000" : "123456"],
    waitSeconds: 5,
    ...(scenario === "unicode" && { texts: ["Ångström", "Kjærholm"] }),
    close: () => undefined,
  };
}
