import { recipe } from "./recipe.js";
import { askStaffDir } from "./staffdir-client.js";

/** Fields that StaffDir shows to its administrators alone. */
const privateFields = ["date_of_birth", "tax_id"];

/**
 * The form, and what happens with what a person types into it.
 * @param {import("@rollcall/provider").Kit} kit
 * @returns {Omit<import("@rollcall/provider").ProviderMode, "resources">}
 */
export function createSignIn(kit) {
  return {
    form: createForm(kit),
    recipe,

    async login(context, { company = "", username = "", password = "" }) {
      const tenant = toTenant(company);
      requireSameCompany(kit, context, tenant);
      const answer = await askStaffDir(
        kit,
        context,
        { company: tenant },
        { method: "POST", path: "/session", json: { company: tenant, username, password } },
      );
      if (answer.error === "no_such_company")
        throw new kit.FieldError("company", "StaffDir does not know this company.");
      if (answer.ticket === undefined) return { session: toSession(tenant, answer) };
      return {
        challenge: {
          kind: "otp",
          prompt: "Code from the text message that StaffDir sent you",
          state: { company: tenant, ticket: answer.ticket },
        },
      };
    },

    async resume(context, { company, ticket }, answer) {
      const answered = await askStaffDir(
        kit,
        context,
        { company: String(company) },
        { method: "POST", path: "/session/code", json: { ticket, code: answer } },
      );
      return { session: toSession(company, answered) };
    },

    account: ({ company = "", username = "" }) => ({
      tenant: toTenant(company),
      login: username.trim().toLowerCase(),
    }),

    async check(context, session) {
      const me = await askStaffDir(kit, context, accountOf(session), { path: "/me" });
      if (!me.may_list_people) throw new kit.AuthError("insufficient_permission");
      return { unsupported: [], limited: me.is_admin ? {} : { employees: privateFields } };
    },

    async identity(context, session) {
      const me = await askStaffDir(kit, context, accountOf(session), { path: "/me" });
      return { name: me.name, email: me.email, phone_number: me.phone ?? null };
    },

    // A token of StaffDir lasts an hour. What renews it works once.
    async refresh(context, { company, renewal }) {
      const answer = await askStaffDir(
        kit,
        context,
        { company: String(company) },
        { method: "POST", path: "/session/renew", json: { renewal } },
      );
      return toSession(company, answer);
    },

    async logOut(context, session) {
      await askStaffDir(kit, context, accountOf(session), { method: "DELETE", path: "/session" });
    },
  };
}

/** @param {import("@rollcall/provider").Kit} kit */
function createForm({ z, formField }) {
  return z.object({
    company: formField({
      title: "Company",
      placeholder: "lindgren",
      help: "The name before .staffdir.example in your browser.",
    }),
    username: formField({ title: "Work email", autocomplete: "username" }),
    password: formField({
      title: "Password",
      isSecret: true,
      autocomplete: "current-password",
    }),
  });
}

/**
 * @param {import("@rollcall/provider").Session} session
 * @returns {{ company: string, token: string }}
 */
export function accountOf({ company, token }) {
  return { company: String(company), token: String(token) };
}

/**
 * Of who signs in again: the records of another company would be taken for those that are known.
 * @param {import("@rollcall/provider").Kit} kit
 * @param {import("@rollcall/provider").SignInContext} context
 * @param {string} company
 */
function requireSameCompany(kit, { previousSession: before }, company) {
  if (before && accountOf(before).company !== company)
    throw new kit.FieldError(
      "company",
      "This is another company than the one that is connected. Please use the same one as before.",
    );
}

/**
 * @param {unknown} company
 * @param {{ token: string, renewal: string }} answer
 */
function toSession(company, { token, renewal }) {
  return { company, token, renewal };
}

/** @param {string} typed */
function toTenant(typed) {
  return typed.trim().toLowerCase();
}
