import { randomBytes } from "node:crypto";
import { compress, decompress } from "../src/platform/compression.ts";
import { difference } from "../src/platform/packed-list.ts";
import type { ProviderHost } from "../src/providers/index.ts";
import type { ReadAnswer } from "../src/reading/records/read-answer.ts";
import { readWhole, type ReadTask } from "../src/reading/records/read-whole.ts";
import { makeEmployee } from "./people.ts";
import { rounds } from "./options.ts";
import type { Claim } from "./report.ts";

const employees = 10_000;
const perPage = 200;
const task: ReadTask = {
  clientId: "bench",
  provider: "bench",
  mode: "xhr",
  resource: "employees",
  parameters: "",
  fetchParameters: {},
  session: {},
  today: "2026-01-01",
  idKey: randomBytes(32),
  fingerprintKey: randomBytes(32),
  stored: undefined,
  sessionVersion: 1,
  settings: {},
  kept: undefined,
  base: undefined,
  bounds: { maxBytes: 1e9, maxListBytes: 1e9, maxRecords: 1e6, maxPageMs: 60_000 },
};
const hooks = {
  signal: new AbortController().signal,
  onPage: () => undefined,
  onSession: () => undefined,
};

interface Page {
  bytes: Buffer;
  /** Parsed beforehand where only our part is measured. */
  records: unknown[] | undefined;
}

/**
 * The cost of the job after the provider's answer, without the database: of an answer that is the
 * same as before, of one with 1 % changed, and against parsing, encoding and compressing the same
 * records and nothing else.
 */
export async function benchPoll(): Promise<Claim[]> {
  const people = Array.from({ length: employees }, (_, index) => makeEmployee(index + 1));
  const changedPeople = people.map((employee, index) =>
    index % 100 === 0 ? makeEmployee(index + 1, "Shift Lead") : employee,
  );
  const known = await read(toPages(people, { isParsed: true }));
  const { version, sourceMac, isSteady } = known;
  const stored = { version, sourceMac, isSteady };
  const floorRecords = await publicRecords(known);
  const recognised: number[] = [];
  const toFloor: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [same, other] = [
      toPages(people, { isParsed: true }),
      toPages(changedPeople, { isParsed: true }),
    ];
    const unchanged = await cpuOf(async () => {
      if ((await read(same, stored)).list) throw new Error("the same answer was not recognised");
    });
    const changed = await cpuOf(async () => {
      const { list } = await read(other, stored);
      const change = difference(known.list!.packedList!, list!.packedList!);
      if (change.updated.length !== employees / 100) throw new Error("the difference is wrong");
    });
    const unparsed = toPages(changedPeople, { isParsed: false });
    const job = await cpuOf(async () => void (await read(unparsed, stored)));
    const floor = await cpuOf(() => parseEncodeCompress(unparsed, floorRecords));
    recognised.push(changed / unchanged);
    toFloor.push(floor / job);
  }
  return [
    { name: "unchanged against changed poll: CPU", target: 11, ratios: recognised },
    {
      name: "floor (parse, stringify and brotli of the same records) against the whole job: CPU",
      target: 0.62,
      ratios: toFloor,
    },
  ];
}

function toPages(people: readonly object[], { isParsed }: { isParsed: boolean }): Page[] {
  return Array.from({ length: people.length / perPage }, (_, page) => {
    const bytes = Buffer.from(JSON.stringify(people.slice(page * perPage, (page + 1) * perPage)));
    return { bytes, records: isParsed ? parse(bytes) : undefined };
  });
}

function parse(bytes: Buffer): object[] {
  return JSON.parse(bytes.toString()) as object[];
}

/** A host whose provider has answered these pages. */
function hostOf(pages: readonly Page[]): ProviderHost {
  const readPages = async function* ({ onAnswer }: { onAnswer: (body: Uint8Array) => void }) {
    for (const { bytes, records } of pages) {
      onAnswer(bytes);
      yield { raw: records ?? parse(bytes), map: (raw: unknown) => raw };
    }
  };
  return { read: readPages, isPagedByOffset: () => false } as unknown as ProviderHost;
}

async function read(pages: readonly Page[], stored?: ReadTask["stored"]): Promise<ReadAnswer> {
  return await readWhole(hostOf(pages), { ...task, stored }, hooks);
}

async function publicRecords({ list }: ReadAnswer): Promise<object[]> {
  return parse(await decompress(list!.body));
}

async function parseEncodeCompress(
  pages: readonly Page[],
  records: readonly object[],
): Promise<void> {
  for (const { bytes } of pages) parse(bytes);
  const texts = records.map((record) => JSON.stringify(record));
  await compress(Buffer.from(`[${texts.join(",")}]`), "br");
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
