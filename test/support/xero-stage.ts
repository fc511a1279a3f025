import type { Resource } from "../../src/model/index.ts";
import type { ProviderRequest, ProviderResponse } from "../../src/platform/outbound/index.ts";
import type {
  FetchParameters,
  MapContext,
  ReadContext,
  ResourceReader,
} from "../../src/providers/contract.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import { TestClock } from "./test-clock.ts";

export const session = {
  accessToken: "access",
  refreshToken: "refresh",
  expiresAt: "2026-03-02T10:30:00.000Z",
  tenantId: "tenant",
  country: "GB" as "GB" | "NZ" | "AU" | null | undefined,
  person: { sub: "user-1", name: "Ada Maple", email: "" },
};

export interface Asked {
  /** Without the base of the payroll. */
  path: string;
  page: number;
  query: Readonly<Record<string, unknown>>;
}

/** What Xero answers; undefined for a path that is not there. */
export type Answers = (asked: Asked) => unknown;

export function createContext(
  answers: Answers,
  clock = new TestClock(),
  statusOf: (asked: Asked) => number = () => 200,
  given: typeof session = session,
): ReadContext & { asked: Asked[] } {
  const asked: Asked[] = [];
  const request = async ({ url, query = {} }: ProviderRequest): Promise<ProviderResponse> => {
    const path = new URL(url).pathname.replace("/payroll.xro/2.0", "");
    asked.push({ path, page: Number(query["page"] ?? 1), query });
    const body = answers(asked.at(-1)!);
    const text = JSON.stringify(body) ?? "";
    return {
      status: body === undefined ? 404 : statusOf(asked.at(-1)!),
      headers: { "content-type": "application/json" },
      bytes: Buffer.from(text),
      text: () => text,
      json: () => JSON.parse(text) as unknown,
    };
  };
  const context = {
    asked,
    clock,
    cursor: undefined,
    application: { clientId: "rollcall", clientSecret: "secret" },
    http: () => ({ request }),
    withSession: async (work: (of: typeof session) => unknown) => await work(given),
    isWanted: () => true,
    continueFrom: () => undefined,
  };
  return context as unknown as ReadContext & { asked: Asked[] };
}

const everyDay = { start: "2000-01-01", end: "2100-12-31" };

/** The raw records of a resource. */
export async function fetchRaw(
  reader: Pick<ResourceReader, "fetch">,
  context: ReadContext,
  parameters: FetchParameters = { range: everyDay },
): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const page of reader.fetch(context, session, parameters))
    all.push(...("records" in page ? page.records : page));
  return all;
}

/** The records of a resource, as they are mapped; null for one that is left out. */
export async function readMapped<R extends Resource>(
  reader: ResourceReader<R>,
  answers: Answers,
  parameters: FetchParameters = { range: everyDay },
  mapping: Partial<MapContext> & { country?: typeof session.country } = {},
): Promise<(SourceRecord<R> | null)[]> {
  const { country = session.country } = mapping;
  const context = createContext(answers, undefined, undefined, { ...session, country });
  const raw = await fetchRaw(reader, context, parameters);
  return raw.map((one) =>
    reader.map(one as never, { today: "2026-03-02", parameters, ...mapping } as MapContext<R>),
  );
}
