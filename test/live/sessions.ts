import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import { customer, refusal, signInAs, url } from "./live-odoo.ts";

/** With an account of their own, because they spoil it. */
export function describeSessions(): void {
  describe("what happens to an account after the sign-in", () => {
    let administrator: OdooAdministrator;
    let login: string;
    let id: number;
    beforeEach(async () => {
      administrator = await OdooAdministrator.at(url);
      login = `spoiled-${randomUUID()}`;
      id = await administrator.ensureAccount({ login, groups: ["hr.group_hr_manager"] });
    });
    afterEach(async () => await change({ active: false }));

    const change = async (values: object): Promise<void> => {
      await administrator.rpc.call("res.users", "write", [[id], values]);
    };

    it("a new password ends the session", async () => {
      const reader = customer("xhr");
      const session = await signInAs(reader, login);
      expect(await reader.read("groups", session)).not.toEqual([]);
      await change({ password: `${login}-new` });
      await expect(reader.read("groups", session)).rejects.toEqual(
        refusal("reauthentication_required"),
      );
    });

    it("a key that was removed reads nothing", async () => {
      const reader = customer("official");
      const session = await signInAs(reader, login);
      expect(await reader.read("groups", session)).not.toEqual([]);
      await administrator.rpc.removeApiKeys("admin", [["user_id", "=", id]]);
      await expect(reader.read("groups", session)).rejects.toEqual(
        refusal("reauthentication_required"),
      );
    });

    it.each(["xhr", "official"] as const)("an archived one reads nothing, as %s", async (mode) => {
      const reader = customer(mode);
      const session = await signInAs(reader, login);
      await change({ active: false });
      await expect(reader.read("groups", session)).rejects.toEqual(
        refusal("reauthentication_required"),
      );
    });

    it.each(["xhr", "official"] as const)(
      "a right that is taken away is a refusal, and never an empty company, as %s",
      async (mode) => {
        const reader = customer(mode);
        const session = await signInAs(reader, login);
        expect(await reader.read("employees", session)).not.toEqual([]);
        const user = await administrator.idOf("base.group_user");
        await change({ group_ids: [[6, 0, [user]]] });
        await expect(reader.read("employees", session)).rejects.toEqual(
          refusal("insufficient_permission"),
        );
        expect(await reader.read("groups", session)).not.toEqual([]);
      },
    );
  });
}
