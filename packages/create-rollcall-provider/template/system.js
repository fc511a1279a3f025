// @ts-check
import { defineSession } from "./sign-in.js";

/**
 * How Acme is asked.
 * @param {import("@rollcall/provider").Kit} kit
 */
export const defineSystem = (kit) => {
  const api = kit.rest({
    ...defineSession(kit),
    origin: "https://api.acme.example",
    draws: ({ company }) => ({ company }),
    errors: { 404: "absent" },
    // Where answers are XML: format: kit.xml({ lists: { people: "person" } }). Of one list: `format` there.
  });
  /** @type {Parameters<ReturnType<typeof api.with>["pages"]>[0]} */
  const people = {
    path: "/people",
    paging: { by: "page", parameter: "page", size: ["per_page", 100] },
    items: kit.recordsAt("data"),
  };
  /** @type {typeof people} */
  const teams = { path: "/teams", paging: { by: "none" }, items: kit.recordsAt("data") };
  return { api, people, teams, readMe };
};

/** @typedef {ReturnType<typeof defineSystem>} System */

/**
 * Who signed in.
 * @param {{ get(path: string): Promise<unknown> }} client
 * @returns {Promise<{ id: unknown, name: string, email: string, company: { id: unknown } }>}
 */
const readMe = async (client) => /** @type {any} */ (await client.get("/me"));
