import {
  fieldsToSwitch,
  fieldsWithout,
  resourceRecords,
  resources,
  type RecordOf,
  type Resource,
} from "../../model/index.ts";

/** How many records have a field. Of fewer than ten nobody is told how many they are. */
type FilledCount = number | "some" | "none";

/** What is filled of the records of a list. */
export interface FilledFields {
  records: number;
  /** By the name of the field. Members of `employments` stand behind a point. */
  fields: Readonly<Record<string, FilledCount>>;
}

/** A number with a bit for each field that a record has. */
export type FilledMask = number;

const fewest = 10;
/** The fields that clients can switch off are of a kind that is not even counted. */
const neverCounted: ReadonlySet<string> = new Set(fieldsWithout(fieldsToSwitch));
const jobFields = Object.keys(resourceRecords.employees.shape.employments.element.shape);

const counted: ReadonlyMap<Resource, readonly string[]> = new Map(
  resources.map((resource) => {
    const names = Object.keys(resourceRecords[resource].shape);
    const isCounted = (name: string): boolean =>
      resource !== "employees" || !neverCounted.has(name);
    return [resource, names.filter(isCounted)];
  }),
);

function countedOf(resource: Resource): readonly string[] {
  return counted.get(resource) ?? [];
}

/** Which fields a record has: what is null or empty, and what has nothing but that inside, counts as missing. */
export function maskFilled<R extends Resource>(resource: R, record: RecordOf<R>): FilledMask {
  const values = record as Readonly<Record<string, unknown>>;
  let [mask, bit] = [0, 1];
  for (const name of countedOf(resource)) {
    if (isFilled(values[name])) mask += bit;
    bit *= 2;
  }
  if (resource !== "employees") return mask;
  const { employments } = record as RecordOf<"employees">;
  for (const name of jobFields) {
    for (const job of employments) {
      if (!isFilled(job[name as keyof typeof job])) continue;
      mask += bit;
      break;
    }
    bit *= 2;
  }
  return mask;
}

function isFilled(value: unknown): boolean {
  if (typeof value !== "object") return value !== "" && value !== undefined;
  if (value === null) return false;
  return Array.isArray(value) ? value.some(isFilled) : isAnyFilled(value);
}

/** A loop over the values costs a fifth of one over the names, and every record that is stored pays for it. */
function isAnyFilled(members: object): boolean {
  for (const member of Object.values(members)) if (isFilled(member)) return true;
  return false;
}

export function countFilled(resource: Resource, masks: Iterable<FilledMask>): FilledFields {
  const alike = new Map<FilledMask, number>();
  let records = 0;
  for (const mask of masks) {
    alike.set(mask, (alike.get(mask) ?? 0) + 1);
    records += 1;
  }
  const names = [
    ...countedOf(resource),
    ...(resource === "employees" ? jobFields.map((name) => `employments.${name}`) : []),
  ];
  const fields = names.map((name, position) => {
    let count = 0;
    for (const [mask, times] of alike) if (hasBit(mask, position)) count += times;
    return [name, toldCount(count)] as const;
  });
  return { records, fields: Object.fromEntries(fields) };
}

/** Bitwise operators see 32 bits of a number. */
function hasBit(mask: FilledMask, position: number): boolean {
  return Math.floor(mask / 2 ** position) % 2 === 1;
}

function toldCount(count: number): FilledCount {
  if (count >= fewest) return count;
  return count > 0 ? "some" : "none";
}
