import {
  providerPackages,
  type Cursor,
  type ProviderContext,
  type ProviderDefinition,
  type ProviderMode,
  type ReadContext,
  type ResourceReader,
  type Session,
} from "../providers/index.ts";

type Purpose = "sign-in" | "read";
type ClientOptions = NonNullable<Parameters<ProviderContext["http"]>[1]>;
type Client = ReturnType<ProviderContext["http"]>;

/** One request, with the quotas that it was counted against. */
export interface SeenRequest {
  purpose: Purpose;
  draws: Readonly<Record<string, string>>;
}

export interface SeenPage {
  records: readonly unknown[];
  cursor: Cursor | undefined;
}

/** What an adapter was seen to do, and what its next read begins with. */
export class Watch {
  readonly requests: SeenRequest[] = [];
  /** Those of the newest read. */
  pages: SeenPage[] = [];
  removed: string[] = [];
  /** The provider's ids of everybody who is there, when the changes name them. */
  present: string[] | undefined;
  limited: string[] = [];
  /** Where the newest read said that `changes` goes on. */
  next: Cursor | undefined;
  baseUrl: string | undefined;
  /** The next read gives the changes since then. */
  since: Cursor | undefined;

  beginRead(): void {
    this.pages = [];
    this.removed = [];
    this.present = undefined;
    this.limited = [];
    this.next = undefined;
  }
}

/** The same provider, watched. Its requests go to the fake, whichever origin they are for. */
export function watchProvider(definition: ProviderDefinition, watch: Watch): ProviderDefinition {
  const modes = Object.entries(definition.modes).map(([name, mode]) => [
    name,
    watchMode(mode, watch),
  ]);
  return { ...definition, modes: Object.fromEntries(modes) as ProviderDefinition["modes"] };
}

function watchMode(mode: ProviderMode, watch: Watch): ProviderMode {
  const { resume, refresh, logOut } = mode;
  const see = <Context extends ProviderContext>(context: Context): Context =>
    watchContext(context, "sign-in", watch);
  return {
    ...mode,
    login: (context, formValues) => mode.login(see(context), formValues),
    ...(resume && {
      resume: (context, state, answer) => resume.call(mode, see(context), state, answer),
    }),
    ...(refresh && { refresh: (context, session) => refresh.call(mode, see(context), session) }),
    ...(logOut && { logOut: (context, session) => logOut.call(mode, see(context), session) }),
    check: (context, session) => mode.check(see(context), session),
    identity: (context, session) => mode.identity(see(context), session),
    resources: Object.fromEntries(
      Object.entries(mode.resources).map(([resource, reader]) => [
        resource,
        watchReader(reader, watch),
      ]),
    ),
  };
}

function watchReader(reader: ResourceReader, watch: Watch): ResourceReader {
  return {
    ...reader,
    map: (raw, context) => reader.map(raw, context),
    async *fetch(context, session, parameters) {
      watch.beginRead();
      const { since } = watch;
      const watched: ReadContext = {
        ...watchContext(context, "read", watch),
        limited: (fields) => {
          watch.limited.push(...fields);
          context.limited(fields);
        },
        continueFrom: (next) => {
          watch.next = next;
          context.continueFrom(next);
        },
      };
      const pages = since
        ? listChanges(reader, watched, session, since, watch)
        : providerPackages.requirePages(reader.fetch(watched, session, parameters), "fetch");
      for await (const page of pages) {
        const isPlain = Array.isArray(page);
        const { records, cursor: next } = isPlain
          ? { records: page as readonly unknown[], cursor: undefined }
          : (page as { records: readonly unknown[]; cursor?: Cursor });
        watch.pages.push({ records, cursor: next });
        yield page;
      }
    },
  };
}

/** The changes as pages of records. Those who are gone are noted. */
async function* listChanges(
  reader: ResourceReader,
  context: ReadContext,
  session: Session,
  since: Cursor,
  watch: Watch,
): AsyncGenerator<readonly unknown[]> {
  if (!reader.changes) return;
  const pages = providerPackages.requirePages(reader.changes(context, session, since), "changes");
  for await (const { changed, removed = [], present } of pages) {
    watch.removed.push(...removed);
    if (present) watch.present = [...(watch.present ?? []), ...present];
    yield changed;
  }
}

function watchContext<Context extends ProviderContext>(
  context: Context,
  purpose: Purpose,
  watch: Watch,
): Context {
  const http = (origin: string, options: ClientOptions = {}): Client => {
    const { draws = {} } = options;
    const client = context.http(watch.baseUrl ?? origin, options);
    return {
      exportCookies: () => client.exportCookies(),
      request: async (request) => {
        watch.requests.push({ purpose, draws });
        return await client.request({ ...request, url: aim(request.url, origin, watch.baseUrl) });
      },
    };
  };
  return { ...context, http };
}

/** A request to another origin than the client's stays as it is, so that the client refuses it. */
function aim(url: string | URL, origin: string, baseUrl: string | undefined): string | URL {
  const target = URL.parse(String(url));
  if (baseUrl === undefined || !target || target.origin !== URL.parse(origin)?.origin) return url;
  return new URL(`${target.pathname}${target.search}`, baseUrl);
}
