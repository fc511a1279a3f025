import { withoutFields, type Mode, type Resource } from "../../model/index.ts";
import { MacKey } from "../../platform/crypto/index.ts";
import type { OnExchange } from "../../platform/outbound/index.ts";
import { letOthersRun } from "../../platform/let-others-run.ts";
import {
  isProviderFailure,
  ProviderBug,
  type Cursor,
  type FetchParameters,
  type ProviderHost,
  type RawPage,
  type Session,
  type SessionSource,
  type Settings,
  type SourceRecord,
} from "../../providers/index.ts";
import type { KeptPages, ReadServices } from "../call-services.ts";
import { IdleLimit } from "./idle-limit.ts";
import { PageKeeper } from "./page-keeper.ts";
import type { ReadAnswer, ReadProgress } from "./read-answer.ts";
import { RecordList, type EncodedList } from "./record-list.ts";
import { RenewedSessions } from "./renewed-sessions.ts";
import { SourceMac } from "./source-mac.ts";

/** All that one read needs. Plain data, so that another process can do the read. */
export interface ReadTask {
  /** Whose read it is: clients share what a process has. */
  clientId: string;
  provider: string;
  mode: Mode;
  resource: Resource;
  /** What narrows the read, as the text that names it, and as the adapter takes it. */
  parameters: string;
  fetchParameters: FetchParameters;
  session: Session;
  /** YYYY-MM-DD, UTC. */
  today: string;
  /** The subkeys of the connection that mint its ids and its fingerprints. */
  idKey: Uint8Array;
  fingerprintKey: Uint8Array;
  /** The version that is stored, and the MAC of the answer that it comes from. */
  stored: { version: string; sourceMac: Uint8Array | null; isSteady: boolean } | undefined;
  /** The number of the session. */
  sessionVersion: number;
  settings: Settings;
  /** Fields of the resource that are not wanted: null in each record, whatever the adapter gives. */
  fieldsOff?: readonly string[];
  /** Whether the list is compared with a later one. Employees are in any case. */
  isCompared?: boolean;
  /** What earlier runs of this read kept. */
  kept: KeptReading | undefined;
  /** The stored list on which changes build. With it, only what changed since is read. */
  base: StoredList | undefined;
  bounds: ReadBounds;
  /**
   * The read ends when the provider answers nothing within this time. Without it, only the time for each page counts.
   */
  firstAnswerMs?: number | undefined;
}

/** A stored list, and where its changes go on. */
export interface StoredList {
  cursor: Cursor;
  /** The reply as JSON, compressed as `br`. */
  body: Uint8Array;
  /** See `encodeEmployeeIndex`. */
  index: Uint8Array;
  limited: readonly string[];
}

/** The pages of the earlier runs of a read, and where it goes on. */
export interface KeptReading extends Omit<KeptPages, "records" | "count"> {
  /** The records of each time that pages were kept. */
  parts: readonly Uint8Array[];
}

/** A read that exceeds one of these is broken. */
export interface ReadBounds {
  /** Of the provider's answers. */
  maxBytes: number;
  /** Of the list that is made of them, which is held in memory until it is whole. */
  maxListBytes: number;
  maxRecords: number;
  /** A read that makes no page for so long ends. */
  maxPageMs: number;
}

export interface ReadHooks {
  signal: AbortSignal;
  /** Called after each page. The next page is read when it resolves. `heldBytes` is what the read has in memory. */
  onPage: (progress: ReadProgress, heldBytes: number) => Promise<void> | void;
  /** Called with what there was before a failure. */
  onFailed?: (progress: ReadProgress) => void;
  /** Called before the list is encoded, which takes as much memory again. */
  beforeEncoding?: () => Promise<void>;
  onSession: (session: Session) => void;
  /** Called with each secret that the provider gives, such as a cookie. */
  onSecret?: (secret: string) => void;
  /** Told of each request, for traces. */
  onExchange?: OnExchange | undefined;
  /** Without them, requests are not counted, the session is not renewed, and no page is kept. */
  services?: ReadServices;
}

const mostLimitedFields = 200;
const mostUnknownFields = 20;
const fieldName = /^[a-z][A-Za-z_]{0,39}\d?(\.[a-z][A-Za-z_]{0,39}\d?){0,3}$/;
/** An answer up to this size is kept as it came until it is known whether it is the stored one. */
const mostRawBytes = 16 * 1024 * 1024;
/** About how many bytes of memory a parsed byte takes. */
const memoryPerRawByte = 4;

/**
 * Reads a resource to its end and makes what is stored of it. An answer that is the same as the stored one is
 * not mapped. Throws one of the contract's errors.
 */
export async function readWhole(
  host: ProviderHost,
  task: ReadTask,
  hooks: ReadHooks,
): Promise<ReadAnswer> {
  const { base, ...whole } = task;
  if (base && host.hasChanges(task)) {
    try {
      return await new RunningRead(host, task, hooks).run();
    } catch (error) {
      if (!isProviderFailure(error) || !mayBeReadWhole.has(error.kind)) throw error;
    }
  }
  return await new RunningRead(host, { ...whole, base: undefined }, hooks).run();
}

/** Failures of reading changes after which everything is read: the provider may have forgotten where they go on. */
const mayBeReadWhole: ReadonlySet<string> = new Set(["not-supported", "bug"]);

class RunningRead<R extends Resource> {
  readonly #host: ProviderHost;
  readonly #task: ReadTask & { resource: R };
  readonly #hooks: ReadHooks;
  readonly #source: SourceMac;
  readonly #list: RecordList<R>;
  readonly #unknownFields = new Set<string>();
  readonly #progress: ReadProgress = { providerRequests: 0, pages: 0, records: 0, bytes: 0 };
  readonly #sessions: SessionSource | undefined;
  readonly #limited = new Set<string>();
  readonly #off: readonly string[];
  readonly #keeper: PageKeeper;
  /** Limits the wait for the provider's first answer. */
  readonly #silence: IdleLimit;
  #since: Cursor | undefined;
  /** The provider's ids of those who are gone since the stored list. */
  readonly #removed = new Set<string>();
  /** Those of all who are there still, where the provider lists them. */
  #present: Set<string> | undefined;
  /** Pages that are not mapped yet; undefined as soon as pages are mapped when they come. */
  #rawPages: RawPage<R>[] | undefined;

  constructor(host: ProviderHost, task: ReadTask & { resource: R }, hooks: ReadHooks) {
    this.#host = host;
    this.#task = task;
    this.#hooks = hooks;
    const fingerprintKey = new MacKey(task.fingerprintKey);
    // What the person chose can change what is made of the same answers.
    const { today, resource, parameters, settings, fieldsOff = [] } = task;
    this.#off = fieldsOff;
    const context = [today, resource, parameters, JSON.stringify(settings), fieldsOff.join()];
    this.#source = new SourceMac(fingerprintKey, context);
    this.#list = new RecordList<R>({
      resource: task.resource,
      parameters: task.parameters,
      asked: task.fetchParameters,
      idKey: new MacKey(task.idKey),
      fingerprintKey,
      isCompared: task.isCompared,
    });
    this.#sessions = hooks.services && new RenewedSessions(task, hooks.services);
    const keptPages = task.kept?.pages ?? 0;
    this.#keeper = new PageKeeper(hooks.services, { list: this.#list, keptPages });
    this.#rawPages = task.stored?.sourceMac && !task.kept && !task.base ? [] : undefined;
    this.#silence = new IdleLimit(task.firstAnswerMs ?? task.bounds.maxPageMs);
    this.#since = task.kept?.since;
    this.#noteLimited(task.kept?.limited ?? task.base?.limited ?? []);
  }

  async run(): Promise<ReadAnswer> {
    try {
      await this.#restore();
      await this.#readPages();
      const { base } = this.#task;
      if (base && !this.#isAsBefore) await this.#list.carryOver(base, this.#removed, this.#present);
    } catch (error) {
      // What was read before the failure is kept as far as it can be; the failure is what counts.
      await this.#keeper.flush().catch(() => undefined);
      this.#hooks.onFailed?.(this.#progress);
      throw error;
    } finally {
      await this.#keeper.stop();
    }
    const { stored, kept, base } = this.#task;
    const sourceMac = kept || base ? null : this.#source.digest();
    const isSameSource = stored?.sourceMac && this.#rawPages && sourceMac?.equals(stored.sourceMac);
    if (stored && (isSameSource || this.#isAsBefore)) {
      const { version, isSteady } = stored;
      return this.#answer({ version, isSteady, sourceMac, list: null, filled: null, payruns: [] });
    }
    await this.#mapRawPages();
    const version = this.#list.version();
    const { payruns, conflicts } = this.#list;
    const filled = this.#list.filled();
    const isWhole = base !== undefined || (!kept && !this.#host.isPagedByOffset(this.#task));
    // Of two people with one id, one is not there: nobody counts as gone because of that.
    const isSteady = isWhole && conflicts === 0;
    const list = version === stored?.version ? null : await this.#encode();
    return this.#answer({ version, isSteady, sourceMac, list, filled, payruns });
  }

  async #encode(): Promise<EncodedList> {
    await this.#hooks.beforeEncoding?.();
    return await this.#list.encode();
  }

  /** With what was noted until now, so all pages have to be mapped before. */
  #answer(
    made: Pick<ReadAnswer, "version" | "isSteady" | "sourceMac" | "list" | "filled" | "payruns">,
  ): ReadAnswer {
    return {
      ...made,
      isFull: this.#task.base === undefined,
      since: this.#since ?? null,
      limited: [...this.#limited].toSorted(),
      nulledFields: this.#list.nulledFields,
      unknownFields: [...this.#unknownFields].toSorted(),
      progress: this.#progress,
    };
  }

  /** Whether changes of the stored list were asked for, and none was told. */
  get #isAsBefore(): boolean {
    const { base, stored } = this.#task;
    if (!base || !stored) return false;
    return this.#list.count === 0 && this.#removed.size === 0 && this.#present === undefined;
  }

  async #restore(): Promise<void> {
    const { kept } = this.#task;
    if (!kept) return;
    for (const part of kept.parts) await this.#list.restore(Buffer.from(part));
    this.#progress.pages = kept.pages;
    this.#progress.records = this.#list.count;
  }

  async #readPages(): Promise<void> {
    const { clientId, provider, mode, resource, session, fetchParameters, today, bounds } =
      this.#task;
    const { services } = this.#hooks;
    const idle = new IdleLimit(bounds.maxPageMs);
    const silence = this.#silence;
    idle.start();
    silence.start();
    try {
      for await (const page of this.#host.read({
        clientId,
        provider,
        mode,
        resource,
        session,
        parameters: fetchParameters,
        today,
        settings: this.#task.settings,
        fieldsOff: this.#off,
        cursor: this.#task.kept?.cursor,
        since: this.#task.base?.cursor,
        // The next read wants all changes since the first page, which an earlier run of this read may have read.
        onContinueFrom: (since) => void (this.#since = this.#task.kept?.since ?? since),
        sessions: this.#sessions,
        quotas:
          services && this.#keeper.countedBy(silence.pausedBy(idle.pausedBy(services.quotas))),
        onLimited: (fields) => this.#noteLimited(fields),
        onUnknown: (field) => this.#noteUnknown(field),
        onNulled: (field) => this.#list.noteNulled(field),
        signal: AbortSignal.any([this.#hooks.signal, idle.signal, silence.signal]),
        onRequest: () => void (this.#progress.providerRequests += 1),
        onExchange: this.#hooks.onExchange,
        onAnswer: (body) => this.#noteAnswer(body),
        onSession: this.#hooks.onSession,
        ...(this.#hooks.onSecret && { onSecret: this.#hooks.onSecret }),
      })) {
        idle.stop();
        silence.stop();
        await this.#take(page);
        idle.start();
      }
    } finally {
      idle.stop();
      silence.stop();
    }
  }

  #noteLimited(fields: readonly string[]): void {
    const wanted = fields.filter((field) => !this.#off.includes(field));
    for (const field of wanted.slice(0, mostLimitedFields)) this.#limited.add(field.slice(0, 100));
  }

  /** A name of another form may be data of a person. */
  #noteUnknown(field: string): void {
    if (this.#unknownFields.size < mostUnknownFields)
      this.#unknownFields.add(fieldName.test(field) ? field : "another");
  }

  #noteAnswer(body: Uint8Array): void {
    this.#silence.stop();
    this.#progress.bytes += body.length;
    this.#refuseTooMuch(this.#progress.bytes, this.#task.bounds.maxBytes, "bytes");
    this.#source.addAnswer(body);
  }

  async #take(page: RawPage<R>): Promise<void> {
    this.#progress.pages += 1;
    this.#progress.records += page.raw.length;
    this.#refuseTooMuch(this.#progress.records, this.#task.bounds.maxRecords, "records");
    this.#source.addPage(page.raw);
    if (this.#rawPages && !page.cursor && this.#progress.bytes <= mostRawBytes) {
      this.#rawPages.push(page);
    } else {
      await this.#mapRawPages();
      await this.#map(page);
    }
    await this.#hooks.onPage({ ...this.#progress }, this.#list.bytes + this.#rawBytes());
    for (const remoteId of page.removed ?? []) this.#removed.add(remoteId);
    if (page.present) this.#present = new Set([...(this.#present ?? []), ...page.present]);
    const { cursor } = page;
    const limited = [...this.#limited];
    if (cursor)
      this.#keeper.note({ cursor, since: this.#since, limited, pages: this.#progress.pages });
    await letOthersRun();
  }

  #rawBytes(): number {
    return this.#rawPages ? this.#progress.bytes * memoryPerRawByte : 0;
  }

  async #mapRawPages(): Promise<void> {
    const pages = this.#rawPages ?? [];
    this.#rawPages = undefined;
    for (const page of pages) await this.#map(page);
  }

  async #map({ raw, map }: RawPage<R>): Promise<void> {
    await this.#list.add(mapEach(raw, map, this.#off));
    this.#refuseTooMuch(this.#list.bytes, this.#task.bounds.maxListBytes, "bytes");
  }

  #refuseTooMuch(count: number, most: number, what: string): void {
    if (count > most) throw new ProviderBug(`the provider's answer has more than ${most} ${what}`);
  }
}

function* mapEach<R extends Resource>(
  raw: readonly unknown[],
  map: RawPage<R>["map"],
  fieldsOff: readonly string[],
): Generator<SourceRecord<R>> {
  for (const item of raw) {
    const source = map(item);
    if (source !== null) yield withoutFields(source, fieldsOff);
  }
}
