import { resourceRecords, type Resource } from "../../model/index.ts";
import { MacKey } from "../../platform/crypto/index.ts";
import {
  type FetchParameters,
  isProviderFailure,
  providerPackages,
  type RawPage,
} from "../../providers/index.ts";
import { arrangeRecords, createMint, placeRecord, toRecord } from "../../reading/records/index.ts";
import type { RunRecord } from "./messages.ts";

/** Ids of one run are those of another one, and of no connection. */
const key = new Uint8Array(32).fill(7);

/** Makes the records of one read, and tells of each what was lost on the way. */
export class RecordMapper {
  readonly #resource: Resource;
  readonly #parameters: FetchParameters;
  readonly #mint = createMint(new MacKey(key));
  readonly #nulled = new Set<string>();
  readonly #unknown = new Set<string>();
  readonly #records: unknown[] = [];

  constructor(resource: Resource, parameters: FetchParameters) {
    this.#resource = resource;
    this.#parameters = parameters;
  }

  noteNulled(field: string): void {
    this.#nulled.add(field);
  }

  noteUnknown(field: string): void {
    this.#unknown.add(field);
  }

  map(page: Pick<RawPage<Resource>, "map">, raw: unknown): RunRecord {
    this.#nulled.clear();
    this.#unknown.clear();
    const made = this.#make(page, raw);
    this.#records.push(made.record);
    return {
      resource: this.#resource,
      source: raw,
      nulled: [...this.#nulled],
      unknown: [...this.#unknown],
      ...made,
    };
  }

  /** The provider's ids of pay runs, in the order of our replies. */
  listPayruns(): string[] {
    const placed = this.#records.flatMap((record) => {
      const { data } = resourceRecords.payruns.safeParse(record);
      const place = data && placeRecord("payruns", data, this.#parameters.range);
      if (!data || !place) return [];
      return [{ ...place, json: Buffer.from(JSON.stringify(record)), remoteId: data.remote_id }];
    });
    return arrangeRecords(placed).records.map(({ remoteId }) => remoteId);
  }

  #make(page: Pick<RawPage<Resource>, "map">, raw: unknown): Pick<RunRecord, "record" | "leftOut"> {
    const onNulled = (field: string): void => this.noteNulled(field);
    try {
      const source = page.map(raw);
      if (source === null) return { leftOut: "`map` gave null" };
      const options = { mint: this.#mint, asked: this.#parameters, onNulled };
      const { record, place } = toRecord(this.#resource, source, options);
      return { record, ...(!place && { leftOut: "it is outside of the range" }) };
    } catch (error) {
      if (!isProviderFailure(error)) throw error;
      return { leftOut: providerPackages.explainFailure(error) };
    }
  }
}
