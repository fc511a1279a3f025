import { z } from "zod";
import {
  defineProvider,
  defineReader,
  type Cursor,
  type ProviderContext,
  type ProviderMode,
  type ReadContext,
  type Session,
} from "../../../src/providers/contract.ts";
import { AuthError, OperationNotSupported, ProviderDown } from "../../../src/providers/errors.ts";
import { formField } from "../../../src/providers/form-field.ts";

/**
 * The adapter of people-vendor.ts: it names the ids of everybody first and then asks for each person, within the
 * requests that the vendor takes.
 */
interface PeopleSession extends Session {
  url: string;
  account: string;
  access: string;
  refresh: string;
}

interface RawPerson {
  id: string;
  first: string;
  last: string;
  jobTitle?: string;
  email?: string;
}

const perPage = 5;
const optionalFields = { jobTitle: "job_title", email: "work_email" } as const;

async function get<Content>(
  context: Pick<ProviderContext, "http">,
  session: Session,
  path: string,
): Promise<Content | undefined> {
  const { url, account, access } = session as PeopleSession;
  const http = context.http(url, account.includes("unlimited") ? {} : { draws: { account } });
  const reply = await http.request({
    url: `${url}${path}`,
    headers: { authorization: `Bearer ${access}` },
  });
  if (reply.status === 401) throw new AuthError("reauthentication_required");
  if (reply.status === 403) throw new AuthError("insufficient_permission");
  if (reply.status === 404) return undefined;
  if (reply.status === 410) throw new OperationNotSupported("the cursor is forgotten");
  if (reply.status !== 200) throw new ProviderDown(`it answered ${reply.status}`);
  return reply.json() as Content;
}

async function requestTokens(
  context: Pick<ProviderContext, "http">,
  url: string,
  body: Record<string, string>,
): Promise<{ access: string; refresh: string }> {
  const reply = await context
    .http(url)
    .request({ method: "POST", url: `${url}/token`, json: body, isIdempotent: false });
  if (reply.status !== 200) throw new AuthError("reauthentication_required");
  return reply.json() as { access: string; refresh: string };
}

async function listIds(context: ReadContext): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await context.withSession((session) =>
      get<{ ids: string[] }>(context, session, `/people?offset=${offset}`),
    );
    ids.push(...(page?.ids ?? []));
    if ((page?.ids.length ?? 0) < 100) return ids;
  }
}

async function* fetchPeople(context: ReadContext) {
  const kept = context.cursor as { ids: string[]; next: number } | undefined;
  const ids = kept?.ids ?? (await listIds(context));
  for (let next = kept?.next ?? 0; next < ids.length; next += perPage) {
    const records: RawPerson[] = [];
    for (const id of ids.slice(next, next + perPage)) {
      const person = await context.withSession((session) =>
        get<RawPerson>(context, session, `/people/${id}`),
      );
      if (person) records.push(person);
    }
    const missing = Object.entries(optionalFields).filter(([field]) =>
      records.some((record) => !(field in record)),
    );
    if (missing.length > 0) context.limited(missing.map(([, field]) => field));
    const cursor: Cursor = { ids, next: next + perPage };
    yield { records, cursor };
  }
}

interface RawChanges {
  next: number;
  changes: { id: string; isRemoved: boolean }[];
}

/** Only where the vendor is asked to tell them, by a user name that says so. */
async function readChanges(context: ReadContext, after: number): Promise<RawChanges> {
  const found = await context.withSession((session) =>
    get<RawChanges>(context, session, `/changes?after=${after}`),
  );
  if (!found) throw new OperationNotSupported("the vendor has no changes");
  return found;
}

async function* changesSince(context: ReadContext, { after }: Cursor) {
  const { next, changes } = await readChanges(context, Number(after));
  const changed: RawPerson[] = [];
  for (const { id } of changes.filter(({ isRemoved }) => !isRemoved)) {
    const person = await context.withSession((session) =>
      get<RawPerson>(context, session, `/people/${id}`),
    );
    if (person) changed.push(person);
  }
  yield { changed, removed: changes.filter(({ isRemoved }) => isRemoved).map(({ id }) => id) };
  context.continueFrom({ after: next });
}

const mode: ProviderMode = {
  form: z.object({
    url: formField({ title: "Address", isAddress: true }),
    username: formField({ title: "User name" }),
    password: formField({ title: "Password", isSecret: true }),
  }),
  login: async (context, { url = "", username = "" }) => ({
    session: {
      url,
      account: username,
      ...(await requestTokens(context, url, { username })),
    },
  }),
  check: async () => ({ unsupported: [] }),
  identity: async (_context, session) => ({
    name: (session as PeopleSession).account,
    email: "",
    phone_number: null,
  }),
  refresh: async (context, session) => {
    const { url, refresh } = session as PeopleSession;
    return { ...session, ...(await requestTokens(context, url, { refresh })) };
  },
  resources: {
    employees: defineReader<"employees", RawPerson>({
      fetch: async function* fetchAll(context, session) {
        const tellsChanges = (session as PeopleSession).account.includes("changes");
        const start = tellsChanges
          ? (await readChanges(context, 0).catch(() => undefined))?.next
          : undefined;
        if (start !== undefined) context.continueFrom({ after: start });
        yield* fetchPeople(context);
      },
      changes: (context, _session, since) => changesSince(context, since),
      changesNameRemovals: true,
      map: (raw) => ({
        remote_id: raw.id,
        first_name: raw.first,
        last_name: raw.last,
        job_title: raw.jobTitle ?? null,
        work_email: raw.email ?? null,
        employment_status: "active",
      }),
    }),
    groups: defineReader<"groups", { id: string; name: string }>({
      fetch: async function* fetchGroups(context) {
        const groups = await context.withSession((session) =>
          get<{ id: string; name: string }[]>(context, session, "/groups"),
        );
        yield groups ?? [];
      },
      map: ({ id, name }) => ({ remote_id: id, name, type: "team" }),
    }),
    company: defineReader<"company", { name: string }>({
      fetch: async function* fetchCompany(context) {
        const me = await context.withSession((session) =>
          get<{ name: string }>(context, session, "/me"),
        );
        yield me ? [me] : [];
      },
      map: ({ name }) => ({ remote_id: "company", display_name: name, legal_name: name }),
    }),
  },
};

const people = defineProvider({
  apiVersion: 1,
  name: "people",
  title: "People",
  modes: { xhr: mode },
  limits: { quotas: { account: { perMinute: 60, atOnce: 4 } } },
});

// oxlint-disable-next-line import/no-default-export
export { people as default };
