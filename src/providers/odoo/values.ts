import { ProviderBug } from "../errors.ts";
import * as kit from "../kit/readers.ts";
import { unreadable, type Reader } from "../kit/readers.ts";
import { defineSource, type Parts, type Shape } from "../kit/source.ts";
import type { OdooRecord } from "./client.ts";

/** An empty value of any type but boolean is `false`. */
function unlessEmpty<Value>(reader: Reader<Value>): Reader<Value> {
  return { ...reader, read: (value) => (value === false ? null : reader.read(value)) };
}

export const text = unlessEmpty(kit.text);
export const number = unlessEmpty(kit.number);
/** Of a date or a timestamp. */
export const day = unlessEmpty(kit.day);
/** Odoo writes timestamps in UTC and without a zone. */
export const time = unlessEmpty(kit.instant("UTC"));
/** One of the values of a field of the type selection. */
export const choice = ((...given: Parameters<typeof kit.oneOf>) =>
  unlessEmpty(kit.oneOf(...given))) as typeof kit.oneOf;

/** An amount. An empty one is zero. */
export const amount: Reader<number> = {
  kind: "amount",
  read: (value) => {
    if (value === false) return 0;
    return typeof value === "number" && Number.isFinite(value) ? value : unreadable;
  },
};

/** Throws for an amount that is not there: it must not become nothing unnoticed. */
export function requireAmount(value: number | null, field: string): number {
  if (value === null) throw new ProviderBug(`the field ${field} has no amount`);
  return value;
}

/** The record that a field points to: Odoo writes its id and its name, as `[3, "Sales"]`. */
export const reference: Reader<{ id: number; label: string | null }> = unlessEmpty({
  kind: "reference",
  read: (value) => {
    const [id, label] = Array.isArray(value) ? (value as unknown[]) : [];
    if (typeof id !== "number") return unreadable;
    return { id, label: typeof label === "string" ? label : null };
  },
});

/** Null where there is none. */
export function idAt(record: OdooRecord, field: string): number | null {
  const found = reference.read(record[field]);
  return found && found !== unreadable ? found.id : null;
}

export const id: Reader<string> = {
  kind: "id",
  read: (value) => ofReference(value, (found) => String(found.id)),
};
export const label: Reader<string> = {
  kind: "name",
  read: (value) => ofReference(value, (found) => found.label),
};

function ofReference<Value>(
  value: unknown,
  pick: (found: { id: number; label: string | null }) => Value,
): Value | null | typeof unreadable {
  const found = reference.read(value);
  return found === null || found === unreadable ? found : pick(found);
}

/** The records that a field points to, with these fields of each. */
export interface Many<Of extends Shape> extends Reader<readonly Parts<Of>[]> {
  readonly related: Of;
}

export function many<const Of extends Shape>(related: Of): Many<Of> {
  const source = defineSource<{ one: Shape }>({ one: related });
  return {
    kind: "records",
    related,
    read: (value) =>
      Array.isArray(value)
        ? value.map((one: unknown) => source.read({ one }, "one") as unknown as Parts<Of>)
        : null,
  };
}

/** A number of days or hours without the last digits of a sum of fractions, such as 22.799999999999997. */
export function withoutNoise(count: number): number {
  return Math.round(count * 1e6) / 1e6;
}
