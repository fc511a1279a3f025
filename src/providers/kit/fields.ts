import type { Resource } from "../../model/index.ts";
import type { DescribedField } from "../described-field.ts";
import { ProviderBug } from "../errors.ts";
import { employmentLists, sourceShapes } from "../source-fields.ts";
import type { SourceRecord } from "../source-records.ts";
import { isThere } from "./readers.ts";
import {
  fieldOf,
  type Derived,
  type Mapping,
  type PathOf,
  type Shape,
  type Source,
  type ValueAt,
} from "./source.ts";

/** The paths whose values the field takes. */
type PathsFor<Of extends Shape, Value> = {
  [Path in PathOf<Of>]: ValueAt<Of, Path> extends Value | null ? Path : never;
}[PathOf<Of>];

/** A list that is made is not changed any more. */
type AsMade<Value> = Value extends readonly (infer One)[] ? readonly One[] : Value;

type Entry<Of extends Shape, Value> =
  | PathsFor<Of, Value>
  | Derived<AsMade<Value> | null>
  | (NonNullable<Value> extends readonly unknown[]
      ? never
      : NonNullable<Value> extends object
        ? { readonly [Name in keyof NonNullable<Value>]: Entry<Of, NonNullable<Value>[Name]> }
        : never);

/** From each field of our record to where it comes from. */
export type FieldTable<Of extends Shape, Target> = {
  readonly [Name in keyof Target]: Entry<Of, Target[Name]>;
};

type NameIn<Target> = keyof Target & string;
/** By the names of fields. Those inside of a part stand behind a point. */
type Notes<Target> = {
  readonly [Name in NameIn<Target> | `${NameIn<Target>}${"." | "[]."}${string}`]?: string;
};

/** One field of the table, for people. */
export interface FieldOrigin {
  /** Of our record; those inside of a part behind a point. */
  field: string;
  /** Of the vendor's record. */
  paths: readonly string[];
}

/** A value that is the same in each record. */
export function always<const Value>(value: Value): Derived<Value> {
  const told =
    value === null
      ? ({ read: "nothing", isNull: "always" } as const)
      : ({ read: `always ${String(value)}`, isNull: "never" } as const);
  return { paths: [], isAny: false, told, read: () => value };
}

/** A list of one part, which is made of the record itself; null without what stands at the path. */
export function onlyOne<Of extends Shape, Target>(
  source: Source<Of>,
  path: PathOf<Of>,
  fields: Fields<Target>,
): Derived<readonly Target[] | null> {
  return {
    paths: pathsOf(fields),
    isAny: false,
    part: fields,
    told: { read: "one, of the record itself", isNull: "without it" },
    inside: insideOf(fields),
    read: (record, mapping, onUnreadable) =>
      source.read(record, path) === null ? null : [fields.map(record, mapping, onUnreadable)],
  };
}

/** A part of each record of a list; null without the list. */
export function each<Of extends Shape, Target>(
  source: Source<Of>,
  path: PathOf<Of>,
  fields: Fields<Target>,
): Derived<readonly Target[] | null> {
  return {
    paths: [path],
    isAny: false,
    told: { read: "one for each", isNull: "without it" },
    inside: insideOf(fields),
    part: {
      limitedBy: (hidden) =>
        [...hidden].includes(source.nameAt(path))
          ? fields.origins.map(({ field }) => field)
          : fields.limitedBy(hidden),
    },
    read: (record, mapping, onUnreadable) => {
      const records = source.read(record, path, onUnreadable) as readonly unknown[] | null;
      return records?.map((one) => fields.map(one, mapping, onUnreadable)) ?? null;
    },
  };
}

/** Several lists as one, which is empty without any of them. */
export function together<Value>(
  ...lists: readonly Derived<readonly Value[] | null>[]
): Derived<Value[]> {
  return {
    paths: lists.flatMap(({ paths }) => paths),
    isAny: false,
    told: { read: "all of them as one list, which may be empty", isNull: "never" },
    inside: unite(lists.flatMap(({ inside = [] }) => inside)),
    read: (record, mapping, onUnreadable) =>
      lists.flatMap(({ read }) => read(record, mapping, onUnreadable) ?? []),
  };
}

function insideOf({ described }: Fields<unknown>): DescribedField[] {
  return described.map((one) => ({ ...one, field: `[].${one.field}` }));
}

/** A field that several tables have is one, which comes from what each of them has. */
function unite(fields: readonly DescribedField[]): DescribedField[] {
  return [...Map.groupBy(fields, ({ field }) => field).values()].flatMap((same) => {
    const [first] = same;
    const reads = new Set(same.map(({ read }) => read));
    const from = [...new Set(same.flatMap((one) => one.from))];
    return first ? [{ ...first, from, read: [...reads].join("; or ") }] : [];
  });
}

function pathsOf({ origins }: Fields<unknown>): string[] {
  return [...new Set(origins.flatMap(({ paths }) => paths))];
}

/** The fields of one kind of record: the mapping, and all that follows from knowing where each comes from. */
export class Fields<Target> {
  readonly #table: readonly [name: string, field: Field][];
  readonly #source: Source<Shape>;
  readonly #required: ReadonlySet<string>;
  readonly #what: string;
  #notes: Readonly<Record<string, string | undefined>> = {};

  constructor(
    source: Source<Shape>,
    table: object,
    { what, required }: { what: string; required: ReadonlySet<string> },
  ) {
    this.#table = Object.entries(table).map(([name, entry]) => [name, toField(source, entry)]);
    this.#source = source;
    this.#required = required;
    this.#what = what;
  }

  /**
   * Throws ProviderBug, with the names of the record and the field, for a required one that is missing. A part of a
   * record gives `onUnreadable` of the field that it is in.
   */
  map(record: unknown, mapping: Mapping, onUnreadable?: (path: string) => void): Target {
    const missing = this.#source.required.find((name) => !isThere(fieldOf(record, name)));
    if (missing !== undefined)
      throw new ProviderBug(`the source of ${this.#what} has no ${missing}`);
    const mapped: Record<string, unknown> = {};
    for (const [name, field] of this.#table) {
      const note = onUnreadable ?? ((path: string) => mapping.onUnreadable?.(path, name));
      const value = field.read(record, mapping, note);
      if (value === null && this.#required.has(name))
        throw new ProviderBug(`${this.#what} has no ${name}${ofPaths(field)}`, { fields: [name] });
      mapped[name] = value;
    }
    return mapped as Target;
  }

  /** Where each field comes from. */
  get origins(): FieldOrigin[] {
    return this.#table.flatMap(([name, field]) => field.origins(name));
  }

  /** Each field with how it is made, those inside of parts and of the items of lists too: for people, and for checks. */
  get described(): DescribedField[] {
    return this.#table
      .flatMap(([name, field]) => field.describe(name))
      .map((one) => {
        const note = this.#notes[one.field];
        const isNull = this.#required.has(one.field) ? "never" : one.isNull;
        return { ...one, isNull, ...(note !== undefined && { note }) };
      });
  }

  /** What a person has to know of these fields, and the table does not tell, such as the rule of a function. */
  says(notes: Notes<Target>): this {
    const known = new Set(this.described.map(({ field }) => field));
    const unknown = Object.keys(notes).find((field) => !known.has(field));
    if (unknown !== undefined)
      throw new TypeError(`the table has no ${unknown} to say something of`);
    this.#notes = notes;
    return this;
  }

  /** The names of the vendor's record that serve fields of ours which are not wanted, and no other one. */
  unwanted(isWanted: (field: string) => boolean): ReadonlySet<string> {
    const namesOf = (areWanted: boolean): string[] =>
      this.origins
        .filter(({ field }) => isWanted(field.split(".", 1)[0] ?? "") === areWanted)
        .flatMap(({ paths }) => paths.map((path) => this.#source.nameAt(path)));
    return new Set(namesOf(false)).difference(new Set(namesOf(true)));
  }

  /**
   * The fields of our record that are lost, wholly or in part, when the account may not read these names of the vendor's
   * record. What an employment is made of counts for each of the three lists that are made of employments.
   */
  limitedBy(hidden: Iterable<string>): string[] {
    const names = new Set(hidden);
    return this.#table.flatMap(([name, field]) => {
      if (name === "employments" && field.part) return listsWithout(field.part.limitedBy(names));
      return field.isLostWithout(names) ? [name] : [];
    });
  }
}

/** The table of a resource's records. */
export function defineFields<R extends Resource, const Of extends Shape>(
  resource: R,
  source: Source<Of>,
  table: FieldTable<Of, SourceRecord<R>>,
): Fields<SourceRecord<R>> {
  const shape = Object.entries(sourceShapes[resource]);
  const required = shape.filter(([, schema]) => !schema.safeParse(null).success);
  return new Fields(source, table, {
    what: `a record of ${resource}`,
    required: new Set(required.map(([name]) => name)),
  });
}

/** The table of a part of records, such as one employment. */
export function definePart<Target>() {
  return <const Of extends Shape>(
    source: Source<Of>,
    table: FieldTable<Of, Target>,
  ): Fields<Target> =>
    new Fields(source, table, {
      what: "a part of a record",
      required: new Set(),
    });
}

/** The lists of an employee in which one of these fields of an employment stands. */
function listsWithout(lost: readonly string[]): string[] {
  return Object.entries(employmentLists)
    .filter(([, fields]) => lost.some((field) => fields.has(field)))
    .map(([list]) => list);
}

interface Field {
  part?: Derived<unknown>["part"];
  read: Derived<unknown>["read"];
  origins(name: string): FieldOrigin[];
  describe(name: string): DescribedField[];
  isLostWithout(hidden: ReadonlySet<string>): boolean;
}

function toField(source: Source<Shape>, entry: unknown): Field {
  if (typeof entry === "string") return ofDerived(source, source.first(entry as never));
  return isDerived(entry) ? ofDerived(source, entry) : ofPart(source, entry as object);
}

function ofDerived(source: Source<Shape>, derived: Derived<unknown>): Field {
  const { paths, isAny, part, told, inside = [] } = derived;
  return {
    ...(part && { part }),
    read: derived.read,
    origins: (field) => [{ field, paths }],
    describe: (field) => [
      {
        field,
        from: [...new Set(paths.map((path) => source.vendorPathOf(path)))],
        ...(told ?? ownRule),
      },
      ...inside.map((one) => ({ ...one, field: `${field}${one.field}` })),
    ],
    isLostWithout: (hidden) => {
      const isHidden = (path: string): boolean => hidden.has(source.nameAt(path));
      return paths.length > 0 && (isAny ? paths.every(isHidden) : paths.some(isHidden));
    },
  };
}

const ownRule = { read: "a rule of the adapter", isNull: "by a rule" } as const;

/** Null when nothing of it is known. */
function ofPart(source: Source<Shape>, table: object): Field {
  const fields = Object.entries(table).map(
    ([name, entry]) => [name, toField(source, entry)] as const,
  );
  return {
    read: (record, mapping, onUnreadable) => {
      const part = fields.map(
        ([name, field]) => [name, field.read(record, mapping, onUnreadable)] as const,
      );
      return part.every(([, value]) => value === null) ? null : Object.fromEntries(part);
    },
    origins: (name) => fields.flatMap(([inner, field]) => field.origins(`${name}.${inner}`)),
    describe: (name) => fields.flatMap(([inner, field]) => field.describe(`${name}.${inner}`)),
    isLostWithout: (hidden) => fields.some(([, field]) => field.isLostWithout(hidden)),
  };
}

function isDerived(entry: unknown): entry is Derived<unknown> {
  return typeof entry === "object" && entry !== null && "paths" in entry && "isAny" in entry;
}

function ofPaths(field: Field): string {
  const paths = field.origins("").flatMap(({ paths: of }) => of);
  return paths.length > 0 ? ` (${paths.join(", ")})` : "";
}
