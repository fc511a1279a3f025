import { z } from "zod";
import { defineProvider, defineReader } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { mark } from "./markers.ts";

/**
 * A provider whose server is asked over HTTP, with marked values in every part of a request. A service finds it by
 * `PROVIDERS`.
 */
// oxlint-disable-next-line import/no-default-export
export default defineProvider({
  apiVersion: 1,
  name: "roster",
  title: "Roster",
  modes: {
    xhr: {
      form: z.object({
        url: formField({ title: "Address" }),
        password: formField({ title: "Password", isSecret: true }),
      }),
      login: async (_context, { url = "", password = "" }) => ({ session: { url, password } }),
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: mark("identity"), email: "a@b.example", phone_number: null }),
      resources: {
        employees: defineReader<"employees", { id: string; name: string }>({
          async *fetch(context, { url, password }) {
            const origin = String(url);
            context.log.warn({}, "the roster is asked");
            const { json } = await context.http(origin).request({
              url: `${origin}/${mark("path")}`,
              query: { of: mark("query") },
              headers: { "x-key": `${mark("header")}-${String(password)}` },
            });
            yield json() as { id: string; name: string }[];
          },
          map: ({ id, name }) => ({
            remote_id: id,
            first_name: name,
            last_name: mark("last-name"),
            bank_account: { iban: mark("iban") },
          }),
        }),
      },
    },
  },
});
