import type { EmploymentStatus, RecordOf, Resource } from "../../model/index.ts";
import { compressParts } from "../../platform/compression.ts";
import type { MacKey } from "../../platform/crypto/index.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import { packList, type PackedList } from "../../platform/packed-list.ts";
import type { DateRange, SourceRecord } from "../../providers/index.ts";
import { arrangeRecords, placeRecord, type Place } from "./arrange-records.ts";
import { encodeEmployeeIndex } from "./employee-index.ts";
import { createMint, type MintId } from "./mint-id.ts";
import { toRecord } from "./to-record.ts";

interface ListedRecord extends Place {
  id: string;
  status: EmploymentStatus | null;
  json: Buffer;
  /** A keyed hash of the JSON. */
  fingerprint: Buffer;
}

export interface RecordListOptions<R extends Resource> {
  resource: R;
  parameters: string;
  range: DateRange | undefined;
  idKey: MacKey;
  fingerprintKey: MacKey;
  onNulled: (field: string) => void;
}

/** A whole list in the forms in which it is stored. */
export interface EncodedList {
  /** The reply as JSON, compressed as `br`. */
  body: Buffer;
  /** See `encodeEmployeeIndex`. Null for a resource that is served whole. */
  index: Buffer | null;
  /** For the difference of two lists. Null for a resource that is not compared. */
  fingerprints: PackedList | null;
}

const recordsPerTurn = 100;
const partBytes = 1024 * 1024;

/**
 * The records of one read, encoded one by one as they come. What is kept of a record is its JSON, so the memory
 * of a list is about the length of the reply.
 */
export class RecordList<R extends Resource> {
  readonly #options: RecordListOptions<R>;
  readonly #mint: MintId;
  readonly #payruns: { id: string; remoteId: string }[] = [];
  #records: ListedRecord[] = [];
  #bytes = 0;
  #isArranged = false;

  constructor(options: RecordListOptions<R>) {
    this.#options = options;
    this.#mint = createMint(options.idKey);
  }

  /** The bytes of JSON that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#records.length;
  }

  /** The ids that were issued for pay runs, for the requests of their payslips. */
  get payruns(): readonly { id: string; remoteId: string }[] {
    return this.#payruns;
  }

  /** Throws ProviderBug for a record that lacks what it must have. */
  async add(sources: Iterable<SourceRecord<R>>): Promise<void> {
    let done = 0;
    for (const source of sources) {
      this.#addOne(source);
      done += 1;
      if (done % recordsPerTurn === 0) await nextTurn();
    }
  }

  /** The same records have the same version, in whatever order they came; other records have another one. */
  version(): string {
    const { resource, parameters, fingerprintKey } = this.#options;
    const version = fingerprintKey.macOf().update(`version\0${resource}\0${parameters}\0`);
    for (const { fingerprint } of this.#arranged()) version.update(fingerprint);
    return version.digest().toString("base64url", 0, 12);
  }

  async encode(): Promise<EncodedList> {
    const records = this.#arranged();
    const isCompared = this.#options.resource === "employees";
    return {
      body: await compressParts(partsOf(records), this.#bytes),
      index: isCompared
        ? encodeEmployeeIndex(
            records.map(({ id, status, json }) => ({ id, status, bytes: json.length })),
          )
        : null,
      fingerprints: isCompared ? packList(eachFingerprint(records), records.length) : null,
    };
  }

  #addOne(source: SourceRecord<R>): void {
    const { resource, range, fingerprintKey, onNulled } = this.#options;
    const record = toRecord(resource, source, this.#mint, onNulled);
    const place = placeRecord(resource, record, range);
    if (!place) return;
    const json = Buffer.from(JSON.stringify(record));
    this.#bytes += json.length + 1;
    const fingerprint = fingerprintKey.mac(json);
    this.#records.push({ ...place, ...describe(resource, record), json, fingerprint });
    if (resource === "payruns") {
      const { id, remote_id: remoteId } = record as RecordOf<"payruns">;
      this.#payruns.push({ id, remoteId });
    }
  }

  #arranged(): readonly ListedRecord[] {
    if (!this.#isArranged) this.#records = arrangeRecords(this.#records);
    this.#isArranged = true;
    return this.#records;
  }
}

function* eachFingerprint(records: readonly ListedRecord[]) {
  for (const { id, fingerprint } of records)
    yield { id: Buffer.from(id, "base64url"), contentHash: fingerprint };
}

function describe<R extends Resource>(
  resource: R,
  record: RecordOf<R>,
): Pick<ListedRecord, "id" | "status"> {
  if (resource !== "employees") return { id: "", status: null };
  const { id, employment_status: status } = record as RecordOf<"employees">;
  return { id, status };
}

/** The JSON array in parts of a size that suits the compression. */
function* partsOf(records: readonly ListedRecord[]): Generator<Buffer> {
  let part: Buffer[] = [Buffer.from("[")];
  let bytes = 0;
  for (const [position, { json }] of records.entries()) {
    if (position > 0) part.push(comma);
    part.push(json);
    bytes += json.length;
    if (bytes >= partBytes) {
      yield Buffer.concat(part);
      part = [];
      bytes = 0;
    }
  }
  part.push(Buffer.from("]"));
  yield Buffer.concat(part);
}

const comma = Buffer.from(",");
