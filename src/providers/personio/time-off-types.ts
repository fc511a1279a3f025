import type { SourceRecord } from "../source-records.ts";
import { toId, toObject, toText, type JsonObject } from "./json-values.ts";
import type { Ask } from "./personio-client.ts";
import { readOffsetPages } from "./read-lists.ts";

type Balance = SourceRecord<"time-off-balances">;

export interface TimeOffType {
  id: string;
  name: string | null;
  category: string | null;
  unit: "days" | "hours" | null;
}

const pageSize = 200;

/** By id. */
export async function readTimeOffTypes(ask: Ask): Promise<Record<string, TimeOffType>> {
  const list = { path: "/v1/company/time-off-types", limit: pageSize, counts: "records" } as const;
  const types: TimeOffType[] = [];
  for await (const { records } of readOffsetPages(ask, list))
    types.push(...records.map(toTimeOffType).filter((type) => type !== null));
  return Object.fromEntries(types.map((type) => [type.id, type]));
}

/** A type, `{ type, attributes: { id, name, category, unit } }`. */
export function toTimeOffType(record: JsonObject): TimeOffType | null {
  const { id, name, category, unit } = toObject(record["attributes"]) ?? {};
  const known = toId(id);
  if (known === null) return null;
  return { id: known, name: toText(name), category: toText(category), unit: toUnit(unit) };
}

function toUnit(unit: unknown): TimeOffType["unit"] {
  switch (unit) {
    case "day":
      return "days";
    case "hour":
      return "hours";
    default:
      return null;
  }
}

export function toPolicyType(category: string | null): Balance["policy_type"] {
  switch (category) {
    case "paid_vacation":
      return "vacation";
    case "sick_leave":
      return "sick";
    case "public_duty":
      return "jury_duty";
    default:
      return null;
  }
}

/** Who works at home is at work. */
export function isAtWork(category: string | null): boolean {
  return category === "offsite_work";
}
