import { z } from "zod";
import type { ProviderContext, Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import type { Paging } from "../kit/paging.ts";
import { auth, rest, type Meanings } from "../kit/rest.ts";
import { stub, type Stub } from "./wire-values.ts";

/** How many requests of a user run at once. Staffology publishes no limit. */
export const requestsAtOnce = 4;

export const api = rest({
  session: z.strictObject({
    key: z.string(),
    /** Whose key it is; empty while they sign in. */
    userId: z.string(),
    /** The one employer that the person chose. A key often sees many. */
    employerId: z.string(),
  }),
  origin: "https://api.staffology.co.uk",
  auth: ({ key }) => auth.basic("rollcall", key),
  draws: ({ userId }): Record<string, string> => (userId === "" ? {} : { user: userId }),
});

/** For what may have been deleted since its id was read. */
export const whatIsThere: { errors: Meanings } = { errors: { 404: "absent" } };

/**
 * Staffology names no total, and how large its pages may be is not known: a short page may be cut, so that only a page
 * with nothing that came before is the end.
 */
export function byPage(count: number): Paging {
  return { by: "page", parameter: "pageNum", first: 0, size: ["pageSize", count], end: "repeated" };
}

/** The client of a session, and the path of its employer. */
export function openEmployer(context: ProviderContext, session: Session) {
  const { employerId } = api.parse(session);
  return { client: api.with(context, session), employerId, path: `/employers/${employerId}` };
}

const stubs = z.array(stub);

export function parseStubs(body: unknown): Stub[] {
  const { data } = stubs.safeParse(body);
  if (!data)
    throw new ProviderBug("a list of Staffology does not have the shape that it describes");
  return data;
}
