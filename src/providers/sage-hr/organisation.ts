import { defineReader } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { api, listOf, policiesPath } from "./client.ts";

const account = defineSource({ subdomain: text });

/** Sage HR tells nothing of the company but its subdomain. */
export const company = defineReader<"company", object>({
  async *fetch(context, session) {
    // A key that has ended shows here as everywhere else.
    await api.inRead(context).get(policiesPath);
    yield [{ subdomain: api.parse(session).subdomain }];
  },
  table: defineFields("company", account, { remote_id: "subdomain", display_name: "subdomain" }),
});

const team = defineSource({ id: text, name: text });

export const groups = defineReader<"groups", object>({
  async *fetch(context) {
    for await (const { items } of api.inRead(context).pages(listOf("/teams")))
      yield items as object[];
  },
  isPagedByOffset: true,
  table: defineFields("groups", team, { remote_id: "id", name: "name", type: always("team") }),
});
