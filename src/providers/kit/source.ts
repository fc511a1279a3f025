import { isRecord } from "../../platform/is-record.ts";
import type { DescribedField } from "../described-field.ts";
import { readValue, unreadable, type Reader } from "./readers.ts";

export { isRecord };

/** What stands under a name of a vendor's record, as it is. */
export function fieldOf(record: unknown, name: string): unknown {
  return (record as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** What an adapter reads of a vendor's record: a reader for each name, and the same again for what is inside. */
export interface Shape {
  readonly [name: string]: Reader<unknown> | Shape;
}

type Read<Of> = Of extends Reader<infer Value> ? Value : Of extends Shape ? Parts<Of> : never;

/** The values of a part of a record. */
export type Parts<Of extends Shape> = { readonly [Name in keyof Of]: Read<Of[Name]> | null };

/** The names of a shape, and those inside of its parts behind a point, such as `job.title`. */
export type PathOf<Of extends Shape> = {
  [Name in keyof Of & string]: Of[Name] extends Reader<unknown>
    ? Name
    : Of[Name] extends Shape
      ? Name | `${Name}.${PathOf<Of[Name]>}`
      : never;
}[keyof Of & string];

/** What stands at a path; null when it is absent, empty or not to be read. */
export type ValueAt<
  Of extends Shape,
  Path extends string,
> = Path extends `${infer Name}.${infer Rest}`
  ? Of[Name] extends Shape
    ? ValueAt<Of[Name], Rest>
    : never
  : Read<Of[Path]> | null;

type ValuesAt<Of extends Shape, Paths extends readonly string[]> = {
  [Index in keyof Paths]: ValueAt<Of, Paths[Index]>;
};

type PathsOfText<Of extends Shape> = {
  [Path in PathOf<Of>]: ValueAt<Of, Path> extends string | null ? Path : never;
}[PathOf<Of>];

/** What else is known while a record is mapped. */
export interface Mapping {
  /** YYYY-MM-DD, UTC. */
  readonly today: string;
  /** Hears of each value that could not be read, by its path, and of the field of our record that is null for it. */
  readonly onUnreadable?: (path: string, field: string) => void;
}

/** A value that is made of a record, and the paths that it is made of. */
export interface Derived<Value> {
  readonly paths: readonly string[];
  /** Any one of the paths is enough, so the value is not lost with one of them. */
  readonly isAny: boolean;
  /** How it is made, for people; absent for a rule of the adapter's own. */
  readonly told?: Pick<DescribedField, "read" | "isNull">;
  /** Of a list: the fields of each item, each behind `[].`. */
  readonly inside?: readonly DescribedField[];
  /** The table of each of its parts. */
  readonly part?: { limitedBy(hidden: Iterable<string>): string[] };
  read(record: unknown, mapping: Mapping, onUnreadable: OnUnreadable): Value;
}

type OnUnreadable = (path: string) => void;
type Reading = (record: unknown, onUnreadable?: OnUnreadable) => unknown;

/** What an adapter reads of one kind of a vendor's records. A path that the shape lacks does not compile. */
export class Source<Of extends Shape> {
  readonly shape: Of;
  /** Without these a record is none that we know: its fields would look as if they had been emptied. */
  readonly required: readonly string[];
  readonly #readings = new Map<string, Reading>();

  constructor(shape: Of, required: readonly (keyof Of & string)[]) {
    this.shape = shape;
    this.required = required;
  }

  /** The names of the record itself, such as a request asks for. */
  get names(): readonly string[] {
    return [...new Set(Object.entries(this.shape).map(([name, of]) => nameOf(name, of)))];
  }

  /** The vendor's name of the part of the record in which a path begins. */
  nameAt(path: string): string {
    const [name = ""] = path.split(".");
    const of = this.shape[name];
    return of ? nameOf(name, of) : name;
  }

  /** The vendor's names that lead to a value. */
  vendorPathOf(path: string): string {
    return this.#find(path)?.names.join(".") ?? path;
  }

  /** The value at a path. Null when it is absent, empty or not to be read. */
  read<const Path extends PathOf<Of>>(
    record: unknown,
    path: Path,
    onUnreadable?: OnUnreadable,
  ): ValueAt<Of, Path> {
    return this.#reading(path)(record, onUnreadable) as ValueAt<Of, Path>;
  }

  /** All that is read of a record. */
  parts(record: unknown): Parts<Of> {
    const paths = Object.keys(this.shape) as PathOf<Of>[];
    return Object.fromEntries(paths.map((path) => [path, this.read(record, path)])) as Parts<Of>;
  }

  /** A value that is made of those at these paths. */
  from<const Paths extends readonly PathOf<Of>[], Value>(
    paths: Paths,
    make: (...values: [...ValuesAt<Of, Paths>, Mapping]) => Value,
  ): Derived<Value> {
    const readings = paths.map((path) => this.#reading(path));
    return {
      paths,
      isAny: false,
      read: (record, mapping, onUnreadable) => {
        const values = readings.map((read) => read(record, onUnreadable));
        return make(...(values as [...ValuesAt<Of, Paths>]), mapping);
      },
    };
  }

  /** The first of these that is there. */
  first<const Paths extends readonly PathOf<Of>[]>(
    ...paths: Paths
  ): Derived<ValueAt<Of, Paths[number]>> {
    const readings = paths.map((path) => this.#reading(path));
    return {
      paths,
      isAny: true,
      told: this.#tellFirst(paths),
      read: (record, _mapping, onUnreadable) => {
        for (const read of readings) {
          const value = read(record, onUnreadable);
          if (value !== null) return value as ValueAt<Of, Paths[number]>;
        }
        return null as ValueAt<Of, Paths[number]>;
      },
    };
  }

  /** The texts at these paths as one, such as the lines of an address; null when none is there. */
  joined(paths: readonly PathsOfText<Of>[], separator: string = ", "): Derived<string | null> {
    const joined = this.from(paths, (...values) => {
      const texts = values.filter((value) => typeof value === "string");
      return texts.length > 0 ? texts.join(separator) : null;
    });
    return { ...joined, told: { read: "as one text", isNull: "without all of them" } };
  }

  /** The value at a path, or this one. */
  or<const Path extends PathOf<Of>, Value extends ValueAt<Of, Path>>(
    path: Path,
    otherwise: NonNullable<Value>,
  ): Derived<NonNullable<ValueAt<Of, Path>>> {
    const kind = this.#kindAt(path);
    const other = otherwise === "" ? "an empty text" : String(otherwise);
    return {
      ...this.from([path], (value) => value ?? otherwise),
      told: { read: `${kind}; ${other} without it`, isNull: "never" },
    };
  }

  /** What the record has besides the names of the shape and these, for `custom_fields`. */
  others(record: unknown, known: readonly string[] = []): Record<string, unknown> {
    const names = new Set([...this.names, ...known]);
    return Object.fromEntries(
      Object.entries(isRecord(record) ? record : {}).filter(([name]) => !names.has(name)),
    );
  }

  /** Of each path it is made once. */
  #reading(path: string): Reading {
    const known = this.#readings.get(path) ?? this.#makeReading(path);
    this.#readings.set(path, known);
    return known;
  }

  /** What reads the value at a path, and the vendor's names that lead to it. */
  #find(path: string): { of: Reader<unknown> | Shape; names: readonly string[] } | undefined {
    const names = path.split(".");
    const of = names.reduce<unknown>(
      (part, name) => (isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined),
      this.shape,
    ) as Reader<unknown> | Shape | undefined;
    return of && { of, names: [...names.slice(0, -1), nameOf(names.at(-1) ?? "", of)] };
  }

  #kindAt(path: string): string {
    const of = this.#find(path)?.of;
    return isReader(of) ? of.kind : "part";
  }

  #tellFirst(paths: readonly string[]): NonNullable<Derived<unknown>["told"]> {
    const kinds = [...new Set(paths.map((path) => this.#kindAt(path)))].join(" or ");
    return paths.length > 1
      ? { read: `${kinds}; the first that is there`, isNull: "without all of them" }
      : { read: kinds, isNull: "without it" };
  }

  /** Throws for a path that the shape lacks: an adapter in JavaScript has no compiler. */
  #makeReading(path: string): Reading {
    const found = this.#find(path);
    if (!found) throw new TypeError(`the source has no ${path}`);
    const { of, names } = found;
    return (record, onUnreadable) => {
      const value = names.reduce<unknown>(
        (part, name) => (isRecord(part) ? part[name] : undefined),
        record,
      );
      const noteInside = within(path, onUnreadable);
      const read = isReader(of)
        ? readValue(of, value, noteInside)
        : readPart(of, value, noteInside);
      if (read !== unreadable) return read;
      onUnreadable?.(path);
      return null;
    };
  }
}

export function defineSource<const Of extends Shape>(
  shape: Of,
  { required = [] }: { required?: readonly (keyof Of & string)[] } = {},
): Source<Of> {
  return new Source(shape, required);
}

/** What is inside of one value, such as of each thing of a list. */
export function part<const Of extends Shape>(shape: Of): Reader<Parts<Of>> {
  return {
    kind: "part",
    read: (value, onUnreadable) =>
      readPart(shape, value, onUnreadable) as Parts<Of> | typeof unreadable,
  };
}

function readPart(
  shape: Shape,
  value: unknown,
  onUnreadable: OnUnreadable | undefined,
): Parts<Shape> | null | typeof unreadable {
  if (value === undefined || value === null) return null;
  if (!isRecord(value)) return unreadable;
  return Object.fromEntries(
    Object.entries(shape).map(([name, of]) => {
      const noteInside = within(name, onUnreadable);
      const read = isReader(of)
        ? readValue(of, value[nameOf(name, of)], noteInside)
        : readPart(of, value[name], noteInside);
      if (read === unreadable) onUnreadable?.(name);
      return [name, read === unreadable ? null : read];
    }),
  );
}

function within(path: string, onUnreadable: OnUnreadable | undefined): OnUnreadable | undefined {
  return onUnreadable && ((inner) => onUnreadable(`${path}.${inner}`));
}

function nameOf(name: string, of: Reader<unknown> | Shape): string {
  return isReader(of) ? (of.name ?? name) : name;
}

function isReader(of: unknown): of is Reader<unknown> {
  return isRecord(of) && typeof of["read"] === "function" && typeof of["kind"] === "string";
}
