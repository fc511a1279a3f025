import { z } from "zod";
import type { Cursor, ReadContext, Session } from "../contract.ts";
import { eachAtOnce, type Meanings, type RestClient } from "../kit/rest.ts";
import {
  byPage,
  openEmployer,
  parseStubs,
  requestsAtOnce,
  whatIsThere,
} from "./staffology-client.ts";
import type { Stub } from "./wire-values.ts";

/** People move along this list: who does so during the read is read twice, and never missed. */
const statuses = ["Upcoming", "Current", "Former"] as const;
/** How many whole records one request asks for. Staffology does not say how many it gives. */
const recordsAtOnce = 50;

/** Where Staffology does not take the request from this user, or not like this. */
const refusals: Meanings = Object.fromEntries(
  [400, 403, 404, 405, 413, 415, 422].map((status) => [status, "absent"]),
);

const cursor = z.object({ status: z.enum(statuses), page: z.int() });
const wholeRecord = z.looseObject({ id: z.string() });
type WholeRecord = z.output<typeof wholeRecord>;

/** Everybody of the employer, some at a time, with where to go on after them. */
export async function* listStaff(
  context: ReadContext,
  session: Session,
  pageSize: number,
): AsyncGenerator<{ stubs: readonly Stub[]; cursor: Cursor }> {
  const { client, path } = openEmployer(context, session);
  const start = cursor.safeParse(context.cursor).data;
  const from = start ? statuses.indexOf(start.status) : 0;
  for (const status of statuses.slice(from)) {
    const first = status === start?.status ? { page: start.page } : undefined;
    const people = {
      path: `${path}/employees`,
      query: { status },
      paging: byPage(pageSize),
      items: parseStubs,
    };
    for await (const { items, next } of client.pages(people, first))
      yield { stubs: items as readonly Stub[], cursor: { status, ...next } };
  }
}

/** The whole records of everybody. Who is deleted meanwhile is left out. */
export async function* readStaff(
  context: ReadContext,
  session: Session,
): AsyncGenerator<{ records: readonly WholeRecord[]; cursor: Cursor }> {
  const { client, path } = openEmployer(context, session);
  const employees = new EmployeeReader(client, `${path}/employees`);
  for await (const { stubs, cursor: next } of listStaff(context, session, recordsAtOnce))
    yield { records: await employees.read(stubs.map(({ id }) => id)), cursor: next };
}

/** Reads many at once, and one by one whom the answer lacks, or where the role of the user does not allow many. */
class EmployeeReader {
  readonly #client: RestClient;
  readonly #path: string;
  #isListRefused = false;

  constructor(client: RestClient, path: string) {
    this.#client = client;
    this.#path = path;
  }

  async read(ids: readonly string[]): Promise<WholeRecord[]> {
    const listed = await this.#list(ids);
    const missing = ids.filter((id) => !listed.has(id));
    for (const record of await eachAtOnce(missing, requestsAtOnce, (id) => this.#readOne(id)))
      if (record) listed.set(record.id, record);
    return ids.flatMap((id) => listed.get(id) ?? []);
  }

  async #list(ids: readonly string[]): Promise<Map<string, WholeRecord>> {
    if (this.#isListRefused) return new Map();
    const found = await this.#client.post(`${this.#path}/list`, {
      json: ids,
      isIdempotent: true,
      errors: refusals,
    });
    const { data } = z.array(wholeRecord).safeParse(found);
    this.#isListRefused = data === undefined;
    return new Map(data?.map((record) => [record.id, record]));
  }

  async #readOne(id: string): Promise<WholeRecord | undefined> {
    const found = await this.#client.get(`${this.#path}/${id}`, whatIsThere);
    return found === null ? undefined : wholeRecord.parse(found);
  }
}
