import { z } from "zod";
import { defineProvider, defineReader, type Session } from "../../../src/providers/contract.ts";
import { ProviderDown } from "../../../src/providers/errors.ts";
import { formField } from "../../../src/providers/form-field.ts";
import type { SourceRecord } from "../../../src/providers/source-records.ts";

type Employee = SourceRecord<"employees">;

interface PagedSession extends Session {
  url: string;
  company: string;
}

/** The adapter of paged-vendor.ts: one request for each page, and nothing to map. */
const paged = defineProvider({
  apiVersion: 1,
  name: "paged",
  title: "Paged",
  modes: {
    xhr: {
      form: z.object({
        url: formField({ title: "Address", isAddress: true }),
        username: formField({ title: "Company" }),
      }),
      login: async (_context, { url, username }) => ({ session: { url, company: username } }),
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Pat Example", email: "", phone_number: null }),
      resources: {
        employees: defineReader<"employees", Employee>({
          async *fetch(context, session) {
            const { url, company } = session as PagedSession;
            for (let page = 1, isLast = false; !isLast; page += 1) {
              const reply = await context
                .http(url)
                .request({ url: `${url}/employees?company=${company}&page=${page}` });
              if (reply.status !== 200) throw new ProviderDown(`it answered ${reply.status}`);
              const content = reply.json() as { records: Employee[]; isLast: boolean };
              ({ isLast } = content);
              yield content.records;
            }
          },
          map: (record) => record,
        }),
      },
    },
  },
});

// oxlint-disable-next-line import/no-default-export
export { paged as default };
