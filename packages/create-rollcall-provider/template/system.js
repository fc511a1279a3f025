// @ts-check
/**
 * How Acme is asked.
 * @param {import("@rollcall/provider").Kit} kit
 */
export const defineSystem = (kit) => {
  const api = kit.rest({
    // What is stored of a sign-in.
    session: kit.z.strictObject({ key: kit.z.string(), company: kit.z.string() }),
    origin: "https://api.acme.example",
    auth: ({ key }) => kit.auth.bearer(key),
    draws: ({ company }) => ({ company }),
    errors: { 404: "absent" },
  });
  /** @type {Parameters<ReturnType<typeof api.with>["pages"]>[0]} */
  const people = {
    path: "/people",
    paging: { by: "page", parameter: "page", size: ["per_page", 100] },
    items: kit.recordsAt("data"),
  };
  /** @type {typeof people} */
  const teams = { path: "/teams", paging: { by: "none" }, items: kit.recordsAt("data") };
  return { api, people, teams };
};

/**
 * Who signed in.
 * @param {{ get(path: string): Promise<unknown> }} client
 * @returns {Promise<{ name: string, email: string, company: { id: unknown } }>}
 */
export const readMe = async (client) => /** @type {any} */ (await client.get("/me"));
