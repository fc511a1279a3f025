import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import { FieldError } from "../errors.ts";
import { explanations } from "./explanations.ts";
import { isRedirect, readReply } from "./odoo-reply.ts";

/** The answer of every version, without a session and whatever the databases. */
const versionInfo = z.object({
  server_version: z.string(),
  server_version_info: z.tuple([z.union([z.int(), z.string()])], z.unknown()),
  protocol_version: z.number(),
});
const databaseList = z.array(z.string()).min(1);

/** A password is sent only to a server that has answered as Odoo does. */
export async function requireOdoo(http: ProviderHttp, url: string): Promise<{ version: number }> {
  const { data } = versionInfo.safeParse(await ask(http, `${url}/web/webclient/version_info`));
  if (!data) throw new FieldError("url", explanations.notOdoo);
  // On odoo.com a version between two others is called such as `saas~18`.
  const [major] = data.server_version_info;
  return { version: Number(/\d+/.exec(String(major))?.[0] ?? 0) };
}

/** The database that the person typed, else the only one. */
export async function requireDatabase(
  http: ProviderHttp,
  url: string,
  typed: string,
): Promise<string> {
  const database = await findDatabase(http, url, typed);
  if (database === null) throw new FieldError("database", explanations.hiddenDatabases);
  return database;
}

/**
 * The same, or null when nothing was typed and the server does not list its databases. Avoids a failed
 * sign-in at a database that is not there. Where a server does not list its databases, the sign-in itself
 * finds out.
 */
export async function findDatabase(
  http: ProviderHttp,
  url: string,
  typed: string,
): Promise<string | null> {
  const { data: listed } = databaseList.safeParse(await ask(http, `${url}/web/database/list`));
  if (typed !== "") {
    if (listed && !listed.includes(typed))
      throw new FieldError("database", explanations.unknownDatabase);
    return typed;
  }
  if (!listed) return null;
  const [only, ...others] = listed;
  if (only === undefined || others.length > 0)
    throw new FieldError("database", explanations.severalDatabases);
  return only;
}

/** Undefined when the answer is a fault, or not from Odoo. */
async function ask(http: ProviderHttp, url: string): Promise<unknown> {
  const response = await http.request({
    method: "POST",
    url,
    json: { jsonrpc: "2.0", method: "call", params: {} },
    isIdempotent: true,
  });
  if (isRedirect(response)) throw new FieldError("url", explanations.moved);
  const reply = readReply(response);
  return reply && "result" in reply ? reply.result : undefined;
}
