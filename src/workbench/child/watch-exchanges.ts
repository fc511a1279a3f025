import {
  providerPackages,
  type ProbeContext,
  type ProviderContext,
  type ProviderDefinition,
} from "../../providers/index.ts";
import type { SeenExchange } from "../../recordings/index.ts";

type ClientOptions = NonNullable<Parameters<ProviderContext["http"]>[1]>;
type Client = ReturnType<ProviderContext["http"]>;
type ProviderRequest = Parameters<Client["request"]>[0];
type ProviderResponse = Awaited<ReturnType<Client["request"]>>;

/** A request, how it ended, and what it was counted against. */
export interface WatchedExchange {
  origin: string;
  method: string;
  path: string;
  /** The names of its query. */
  queryNames: readonly string[];
  /** Undefined when nothing was answered, with the failure in words. */
  status?: number;
  failure?: string;
  ms: number;
  bytes: number;
  draws: Readonly<Record<string, string>>;
  /** What was sent and answered, when it was answered. */
  seen?: SeenExchange;
}

/** Gets each request as it ends. With `baseUrl`, all requests go there, whichever origin they are for. */
export interface ExchangeWatch {
  onExchange: (exchange: WatchedExchange) => void;
  baseUrl?: string;
}

/** The same provider, each of whose requests is watched. */
export function watchExchanges(
  definition: ProviderDefinition,
  watch: ExchangeWatch,
): ProviderDefinition {
  const see = <Context extends ProbeContext>(context: Context): Context => ({
    ...context,
    http: (origin: string, options?: ClientOptions) => watchClient(context, watch, origin, options),
  });
  return providerPackages.wrap(definition, {
    context: see,
    probe: see,
    reader: (_resource, reader) => ({
      ...reader,
      map: (raw, context) => reader.map(raw, context),
      fetch: (context, session, parameters) => reader.fetch(see(context), session, parameters),
    }),
  });
}

function watchClient(
  context: ProbeContext,
  { onExchange, baseUrl }: ExchangeWatch,
  origin: string,
  options: ClientOptions = {},
): Client {
  const client = context.http(baseUrl ?? origin, options);
  const knownCookies = new Set(listCookies(client));
  return {
    exportCookies: () => client.exportCookies(),
    request: async (request) => {
      const target = providerPackages.aimRequest(request.url, origin, baseUrl);
      const startedAt = performance.now();
      const told = (rest: Partial<WatchedExchange>): void =>
        onExchange({
          origin: URL.parse(origin)?.origin ?? origin,
          ...describe(request),
          ms: Math.round(performance.now() - startedAt),
          bytes: 0,
          draws: options.draws ?? {},
          ...rest,
        });
      try {
        const answer = await client.request({ ...request, url: target });
        const cookies = listCookies(client).filter((cookie) => !knownCookies.has(cookie));
        for (const cookie of cookies) knownCookies.add(cookie);
        told({
          status: answer.status,
          bytes: answer.bytes.length,
          seen: toSeen(request, answer, cookies),
        });
        return answer;
      } catch (error) {
        told({ failure: error instanceof Error ? error.name : "failed" });
        throw error;
      }
    },
  };
}

function describe(request: ProviderRequest): {
  method: string;
  path: string;
  queryNames: string[];
} {
  const { path, query } = split(request);
  return {
    method: request.method ?? "GET",
    path,
    queryNames: [...new Set(query.map(([name]) => name))],
  };
}

function split({ url, query = {} }: ProviderRequest): { path: string; query: [string, string][] } {
  const target = URL.parse(String(url));
  const added = Object.entries(query).flatMap(([name, values]) =>
    [values]
      .flat()
      .flatMap((value) => (value === undefined ? [] : [[name, String(value)] as [string, string]])),
  );
  return {
    path: target?.pathname ?? String(url),
    query: [...(target?.searchParams ?? []), ...added] as [string, string][],
  };
}

function toSeen(
  request: ProviderRequest,
  answer: ProviderResponse,
  cookies: readonly string[],
): SeenExchange {
  return {
    method: request.method ?? "GET",
    ...split(request),
    sent: sentOf(request),
    status: answer.status,
    headers: { ...answer.headers, ...(cookies.length > 0 && { "set-cookie": cookies.join("\n") }) },
    body: answer.text(),
  };
}

function sentOf({ json, form, body }: ProviderRequest): string | null {
  if (json !== undefined) return JSON.stringify(json);
  if (form) return new URLSearchParams(form).toString().replaceAll("+", "%20");
  return body === undefined ? null : Buffer.from(body).toString();
}

/** As `name=value`. */
function listCookies(client: Client): string[] {
  const { cookies = [] } = JSON.parse(client.exportCookies()) as {
    cookies?: { key: string; value: string }[];
  };
  return cookies.map(({ key, value }) => `${key}=${value}`);
}
