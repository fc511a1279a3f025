import { z } from "zod";
import type { Cursor, ReadContext, Session } from "../contract.ts";
import { inParallel, openEmployer, type StaffologyClient } from "./staffology-client.ts";
import type { Stub } from "./wire-values.ts";

/** People move along this list: who does so during the read is read twice, and never missed. */
const statuses = ["Upcoming", "Current", "Former"] as const;
/** How many whole records one request asks for. Staffology does not say how many it gives. */
const recordsAtOnce = 50;

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
    const first = status === start?.status ? start.page : 0;
    const people = { path: `${path}/employees`, query: { status }, pageSize };
    for await (const page of client.pages(people, first))
      yield { stubs: page.stubs, cursor: { status, page: page.number + 1 } };
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
  readonly #client: StaffologyClient;
  readonly #path: string;
  #isListRefused = false;

  constructor(client: StaffologyClient, path: string) {
    this.#client = client;
    this.#path = path;
  }

  async read(ids: readonly string[]): Promise<WholeRecord[]> {
    const listed = await this.#list(ids);
    const missing = ids.filter((id) => !listed.has(id));
    for (const record of await inParallel(missing, (id) => this.#readOne(id)))
      if (record) listed.set(record.id, record);
    return ids.flatMap((id) => listed.get(id) ?? []);
  }

  async #list(ids: readonly string[]): Promise<Map<string, WholeRecord>> {
    if (this.#isListRefused) return new Map();
    const found = await this.#client.postUnlessRefused(`${this.#path}/list`, ids);
    const { data } = z.array(wholeRecord).safeParse(found);
    this.#isListRefused = data === undefined;
    return new Map(data?.map((record) => [record.id, record]));
  }

  async #readOne(id: string): Promise<WholeRecord | undefined> {
    const found = await this.#client.getUnless([404], `${this.#path}/${id}`);
    return found === undefined ? undefined : wholeRecord.parse(found);
  }
}
