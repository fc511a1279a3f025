import type { EmploymentStatus, RecordOf, Resource } from "../../model/index.ts";
import { compress, compressParts, decompress } from "../../platform/compression.ts";
import type { MacKey } from "../../platform/crypto/index.ts";
import {
  daysOf,
  encodeRecords,
  type ListedRecord,
  packList,
  type PackedList,
} from "../../platform/packed-list.ts";
import { letOthersRun } from "../../platform/let-others-run.ts";
import { ProviderBug, type FetchParameters, type SourceRecord } from "../../providers/index.ts";
import { arrangeRecords, placeRecord, type Place } from "./arrange-records.ts";
import { eachIndexEntry, encodeEmployeeIndex } from "./employee-index.ts";
import { countFilled, maskFilled, type FilledFields, type FilledMask } from "./filled-fields.ts";
import { createMint, type MintId } from "./mint-id.ts";
import { toRecord } from "./to-record.ts";

interface KeptRecord extends DescribedRecord {
  json: Buffer;
  /** A keyed hash of the JSON. */
  fingerprint: Buffer;
}

interface DescribedRecord extends Place {
  id: string;
  status: EmploymentStatus | null;
  filled: FilledMask;
}

interface EncodedRecord {
  described: DescribedRecord;
  text: string;
}

export interface RecordListOptions<R extends Resource> {
  resource: R;
  parameters: string;
  /** What the records were asked for by. */
  asked: FetchParameters;
  idKey: MacKey;
  fingerprintKey: MacKey;
  /** Whether the list of a resource other than the employees is compared with a later one. */
  isCompared?: boolean | undefined;
}

/** A whole list in the forms in which it is stored. */
export interface EncodedList {
  /** The reply as JSON, compressed as `br`. */
  body: Buffer;
  /** The length of the JSON. */
  bodyBytes: number;
  /** See `encodeEmployeeIndex`. Null for a resource that is served whole. */
  index: Buffer | null;
  /** Tells the difference of two lists of employees. Null for another resource. */
  packedList: PackedList | null;
  /** See `encodeRecords`, for another resource that is compared. Else null. */
  records: Buffer | null;
}

const recordsPerTurn = 100;
const fingerprintBytes = 32;
const partBytes = 1024 * 1024;
/** Large enough that the allocator gives it back to the system when it is freed. */
const blockBytes = 512 * 1024;
/** More than this has memory of its own, so that little of a block is left unused. */
const mostShared = blockBytes / 8;

/** Buffers that share a few large blocks of memory, so that those of a large list leave no gaps when they are freed. */
class RecordMemory {
  #block = Buffer.alloc(0);
  #taken = 0;

  take(bytes: number): Buffer {
    if (bytes > mostShared) return Buffer.allocUnsafeSlow(bytes);
    if (this.#taken + bytes > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#taken = 0;
    }
    return this.#block.subarray(this.#taken, (this.#taken += bytes));
  }
}

/**
 * The records of one read, encoded one by one as they come. What is kept of a record is its JSON, so the memory
 * of a list is about the length of the reply.
 */
export class RecordList<R extends Resource> {
  /** How often each field is null because its value could not be read or is none that it may have. */
  readonly nulledFields: Record<string, number> = {};
  readonly #options: RecordListOptions<R>;
  readonly #mint: MintId;
  readonly #memory = new RecordMemory();
  readonly #payruns: { id: string; remoteId: string }[] = [];
  #records: KeptRecord[] = [];
  #bytes = 0;
  /** How many of the records were packed, and how many may be. */
  #packed = 0;
  #marked = 0;
  #isArranged = false;
  #conflicts = 0;

  constructor(options: RecordListOptions<R>) {
    this.#options = options;
    this.#mint = createMint(options.idKey);
  }

  /** The bytes of JSON that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The ids that were issued for pay runs, for the requests of their payslips. */
  get payruns(): readonly { id: string; remoteId: string }[] {
    return this.#payruns;
  }

  get count(): number {
    return this.#records.length;
  }

  /** How many records were left out because others have their ids: nobody knows which of them is right. */
  get conflicts(): number {
    return this.#conflicts;
  }

  noteNulled(field: string): void {
    this.nulledFields[field] = (this.nulledFields[field] ?? 0) + 1;
  }

  /** The records up to here are packed by the next `pack`. */
  mark(): void {
    this.#marked = this.#records.length;
  }

  /** The records up to the mark that were not packed before, for `restore`. */
  async pack(): Promise<{ records: Buffer; count: number }> {
    const unpacked = this.#records.slice(this.#packed, this.#marked);
    this.#packed = this.#marked;
    const entries = unpacked.map(({ json, fingerprint: _made, ...described }) => [
      described,
      json.toString(),
    ]);
    const records = await compress(Buffer.from(JSON.stringify(entries)), "br");
    return { records, count: unpacked.length };
  }

  /** Adds what an earlier run packed. */
  async restore(packed: Buffer): Promise<void> {
    const entries = JSON.parse((await decompress(packed)).toString()) as [
      DescribedRecord,
      string,
    ][];
    await this.#keepAll(
      entries.values().map(([described, text]) => {
        this.#noteIssued(() => JSON.parse(text) as RecordOf<R>);
        return { described, text };
      }),
    );
    this.#packed = this.#records.length;
  }

  /**
   * Adds the records of a stored list but those that are here already, and those that were removed, or are not among
   * those who are present, where these are known. Throws ProviderBug when somebody who is here is not present.
   */
  async carryOver(
    { body, index }: { body: Uint8Array; index: Uint8Array },
    removed: ReadonlySet<string>,
    present?: ReadonlySet<string>,
  ): Promise<void> {
    const isGone = (id: string): boolean => present?.has(id) === false;
    if (this.#records.some(({ identity }) => isGone(identity)))
      throw new ProviderBug("`present` of `changes` lacks somebody whom it gave as changed");
    const taken = new Set([...removed, ...this.#records.map(({ identity }) => identity)]);
    const plain = await decompress(Buffer.from(body));
    const { resource, asked } = this.#options;
    const texts = eachIndexEntry(Buffer.from(index)).map(({ start, end }) =>
      plain.toString("utf8", start, end),
    );
    const entries = texts.flatMap((text) => {
      const record = JSON.parse(text) as RecordOf<R>;
      const place = placeRecord(resource, record, asked.range);
      if (!place || taken.has(place.identity) || isGone(place.identity)) return [];
      return [{ described: { ...place, ...describe(resource, record) }, text }];
    });
    await this.#keepAll(entries);
  }

  /** Throws ProviderBug for a record that lacks what it must have. */
  async add(sources: Iterable<SourceRecord<R>>): Promise<void> {
    const described = Iterator.from(sources).map((source) => this.#describe(source));
    await this.#keepAll(described.filter((record) => record !== undefined));
  }

  /** The same records have the same version, in whatever order they came; other records have another one. */
  version(): string {
    const { resource, parameters, fingerprintKey } = this.#options;
    const version = fingerprintKey.macOf().update(`version\0${resource}\0${parameters}\0`);
    for (const { fingerprint } of this.#arranged()) version.update(fingerprint);
    return version.digest().toString("base64url", 0, 12);
  }

  /** How many records have each field. */
  filled(): FilledFields {
    const masks = this.#arranged().map(({ filled }) => filled);
    return countFilled(this.#options.resource, masks);
  }

  async encode(): Promise<EncodedList> {
    const records = this.#arranged();
    const { resource, isCompared } = this.#options;
    const hasEmployees = resource === "employees";
    const bodyBytes = lengthOf(records);
    return {
      body: await compressParts(partsOf(records), bodyBytes),
      bodyBytes,
      index: hasEmployees
        ? encodeEmployeeIndex(
            records.map(({ id, status, json }) => ({ id, status, bytes: json.length })),
          )
        : null,
      packedList: hasEmployees ? packList(eachFingerprint(records), records.length) : null,
      records: isCompared ? encodeRecords(describeRecords(records)) : null,
    };
  }

  /** Undefined for a record outside the requested range. */
  #describe(source: SourceRecord<R>): EncodedRecord | undefined {
    const { resource, asked } = this.#options;
    const onNulled = (field: string): void => this.noteNulled(field);
    const { record, place } = toRecord(resource, source, { mint: this.#mint, asked, onNulled });
    if (!place) return undefined;
    this.#noteIssued(() => record);
    const described = { ...place, ...describe(resource, record) };
    return { described, text: JSON.stringify(record) };
  }

  #noteIssued(record: () => RecordOf<R>): void {
    if (this.#options.resource !== "payruns") return;
    const { id, remote_id: remoteId } = record() as RecordOf<"payruns">;
    this.#payruns.push({ id, remoteId });
  }

  /** In turns, so that what else the process does goes on meanwhile. */
  async #keepAll(records: Iterable<EncodedRecord>): Promise<void> {
    let kept = 0;
    for (const record of records) {
      this.#keep(record);
      kept += 1;
      if (kept % recordsPerTurn === 0) await letOthersRun();
    }
  }

  /** At once, so that the record and its text are gone before the nursery of the process is full. */
  #keep({ described, text }: EncodedRecord): void {
    const json = this.#memory.take(Buffer.byteLength(text));
    json.write(text);
    const fingerprint = this.#memory.take(fingerprintBytes);
    this.#options.fingerprintKey.mac(json).copy(fingerprint);
    this.#records.push({ ...described, json, fingerprint });
    this.#bytes += json.length + 1;
  }

  #arranged(): readonly KeptRecord[] {
    if (this.#isArranged) return this.#records;
    this.#isArranged = true;
    const { records, conflicts } = arrangeRecords(this.#records);
    this.#records = records;
    this.#conflicts = conflicts;
    for (let count = 0; count < conflicts; count += 1) this.noteNulled("remote_id");
    return this.#records;
  }
}

function* eachFingerprint(records: readonly KeptRecord[]) {
  for (const { id, fingerprint } of records)
    yield { id: Buffer.from(id, "base64url"), contentHash: fingerprint };
}

/** One without an id is left out: nobody could say which one has changed. */
function describeRecords(listed: readonly KeptRecord[]): ListedRecord[] {
  return listed.flatMap(({ json, fingerprint, days }) => {
    const record = JSON.parse(json.toString()) as { id?: string | null };
    if (typeof record.id !== "string") return [];
    const id = Buffer.from(record.id, "base64url");
    return [{ id, contentHash: fingerprint, ...daysOf(days) }];
  });
}

function describe<R extends Resource>(
  resource: R,
  record: RecordOf<R>,
): Pick<KeptRecord, "id" | "status" | "filled"> {
  const filled = maskFilled(resource, record);
  if (resource !== "employees") return { id: "", status: null, filled };
  const { id, employment_status: status } = record as RecordOf<"employees">;
  return { id, status, filled };
}

/** The length of the JSON array. */
function lengthOf(records: readonly KeptRecord[]): number {
  const commas = Math.max(0, records.length - 1);
  return records.reduce((sum, { json }) => sum + json.length, 2 + commas);
}

/** The JSON array in parts of a size that suits the compression. All parts are made in the same memory. */
function* partsOf(records: readonly KeptRecord[]): Generator<Buffer> {
  const longest = records.reduce((most, { json }) => Math.max(most, json.length), 0);
  const part = Buffer.allocUnsafeSlow(Math.max(partBytes, longest) + 2);
  let length = part.write("[");
  for (const [position, { json }] of records.entries()) {
    if (length + json.length + 2 > part.length) {
      yield part.subarray(0, length);
      length = 0;
    }
    if (position > 0) length += part.write(",", length);
    length += json.copy(part, length);
  }
  length += part.write("]", length);
  yield part.subarray(0, length);
}
