// @ts-check
import { defineTables } from "./fields.js";
import { defineSignIn, mode } from "./sign-in.js";
import { defineSystem } from "./system.js";

/** @param {import("@rollcall/provider").Kit} kit */
export default (kit) => {
  const system = defineSystem(kit);
  return kit.defineProvider({
    apiVersion: 1,
    name: "acme",
    title: "Acme",
    limits: { quotas: { company: { perMinute: 60 } } },
    modes: {
      [mode]: {
        ...defineSignIn(kit, system),
        ...defineAccount(kit, system),
        resources: defineReaders(kit, system),
      },
    },
  });
};

/**
 * Who signed in, and what the account may read.
 * @param {import("@rollcall/provider").Kit} kit
 * @param {import("./system.js").System} system
 */
const defineAccount = (kit, { api, people, teams, readMe }) => ({
  /** @type {import("@rollcall/provider").ProviderMode["check"]} */
  check: (context, session) => {
    const client = api.with(context, session);
    return kit.findRights(context, [
      { resources: ["employees"], ask: () => client.get(people.path, { query: { per_page: 1 } }) },
      { resources: ["groups"], ask: () => client.get(teams.path) },
    ]);
  },
  /** @type {import("@rollcall/provider").ProviderMode["identity"]} */
  identity: async (context, session) => {
    const { name, email } = await readMe(api.with(context, session));
    return { name, email, phone_number: null };
  },
});

/**
 * What is read.
 * @param {import("@rollcall/provider").Kit} kit
 * @param {import("./system.js").System} system
 * @returns {import("@rollcall/provider").ProviderMode["resources"]}
 */
const defineReaders = (kit, { api, people, teams }) => {
  const { employees, groups } = defineTables(kit);
  return {
    employees: kit.defineReader({
      // Whoever is deleted meanwhile moves the others to an earlier page.
      isPagedByOffset: true,
      async *fetch(context) {
        for await (const { items, next } of api.inRead(context).pages(people, context.cursor))
          yield next === null ? items : { records: items, cursor: next };
      },
      table: employees,
    }),
    groups: kit.defineReader({
      async *fetch(context) {
        yield await api.inRead(context).all(teams);
      },
      table: groups,
    }),
  };
};
