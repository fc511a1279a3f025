import type { AuthErrorCode, Resource } from "../../model/index.ts";
import type { Company } from "./roster.ts";
import type { SandboxRights } from "./session.ts";

export interface Scenario {
  /** Every sign-in is refused with this code. */
  signInRefusal?: AuthErrorCode;
  /** How long a sign-in takes. */
  signInMs?: number;
  /** No sign-in reaches the system. */
  isAway?: boolean;
  /** What a sign-in asks after the password. */
  question?: "otp" | "choose" | "wait";
  /** How long a fetch takes. */
  latencyMs: number;
  fetchRefusal?: AuthErrorCode;
  isDown?: boolean;
  /** How long a first fetch is told to wait. */
  waitSeconds?: number;
  unsupported: readonly Resource[];
  rights?: SandboxRights;
  /** Null for a company without any records. */
  size: Pick<Company, "hires" | "recordsEvery"> | null;
  hasRequiredFieldsOnly?: boolean;
  pageSize: number;
}

const usual: Scenario = {
  latencyMs: 300,
  unsupported: [],
  size: { hires: 5, recordsEvery: 1 },
  pageSize: 25,
};

const byName: Record<string, Scenario> = {
  user_good: usual,
  user_mfa: { ...usual, question: "otp" },
  user_choose: { ...usual, question: "choose" },
  user_approve: { ...usual, question: "wait" },
  user_slow_sign_in: { ...usual, signInMs: 8_000 },
  user_away: { ...usual, isAway: true },
  user_bad_password: { ...usual, signInRefusal: "incorrect_username_or_password" },
  user_captcha: { ...usual, signInRefusal: "captcha_challenge" },
  user_setup_required: { ...usual, signInRefusal: "additional_account_setup_required" },
  user_no_permission: { ...usual, signInRefusal: "insufficient_permission" },
  user_expired: { ...usual, fetchRefusal: "reauthentication_required" },
  user_slow: { ...usual, latencyMs: 10_000 },
  user_down: { ...usual, isDown: true },
  user_limited: { ...usual, waitSeconds: 5 },
  user_no_payroll: { ...usual, unsupported: ["payruns", "payslips"] },
  user_fewer_fields: { ...usual, rights: { limited: ["bank_account", "tax_id"], forbidden: [] } },
  user_fewer_rights: { ...usual, rights: { limited: [], forbidden: ["time-off-entries"] } },
  user_sparse: { ...usual, hasRequiredFieldsOnly: true },
  // 10,000 people with the core people and the trainees. One in 48 hires has absences and
  // timesheets, so that a month of either stays at a few thousand records.
  user_large: { ...usual, size: { hires: 9_963, recordsEvery: 48 }, pageSize: 500 },
  user_empty: { ...usual, size: null },
};

/** What the simulated system does, by user name. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map(Object.entries(byName));
