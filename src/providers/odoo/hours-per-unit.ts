import { ProviderBug } from "../errors.ts";
import { toNumber, toReference, type OdooRecord } from "./field-values.ts";
import type { OdooClient } from "./odoo-client.ts";
import { plainFields, type RecordReader } from "./record-reader.ts";

const unitFields = plainFields("factor", "relative_factor", "relative_uom_id", "category_id");
const hour = "uom.product_uom_hour";

/** How many hours each unit of time has, by its id. Without the hour every line would look like none of time. */
export async function readHoursPerUnit(
  odoo: OdooClient,
  reader: RecordReader,
): Promise<Map<number, number>> {
  const units = await reader.readAll("uom.uom", unitFields);
  const names = await odoo.listExternalIds(
    "uom.uom",
    units.map(({ id }) => id),
  );
  const hourId = [...names].find(([, name]) => name === hour)?.[0];
  const hoursPerUnit = toHoursPerUnit(units, hourId);
  if (hoursPerUnit.size === 0) throw new ProviderBug("Odoo does not say which unit is an hour");
  return hoursPerUnit;
}

/** Empty without the hour: then nothing can be converted. */
export function toHoursPerUnit(
  units: readonly OdooRecord[],
  hourId: number | undefined,
): Map<number, number> {
  const hours = units.find(({ id }) => id === hourId);
  const ofHour = hours && toNumber(hours, "factor");
  if (!hours || !ofHour) return new Map();
  return new Map(
    units.flatMap((unit) => {
      const factor = toNumber(unit, "factor");
      if (!factor || !isOfSameKind(units, unit, hours)) return [];
      // From version 19 on a factor counts the smallest unit; before, it says how many make the largest one.
      const ratio = "relative_factor" in hours ? factor / ofHour : ofHour / factor;
      return [[unit.id, ratio] as const];
    }),
  );
}

function isOfSameKind(units: readonly OdooRecord[], one: OdooRecord, other: OdooRecord): boolean {
  const category = toReference(other, "category_id");
  if (category) return toReference(one, "category_id")?.id === category.id;
  return findRoot(units, one) === findRoot(units, other);
}

/** From version 19 on there are no categories: units refer to each other. */
function findRoot(units: readonly OdooRecord[], unit: OdooRecord): number {
  const path = [unit.id];
  for (let next = toReference(unit, "relative_uom_id"); next && !path.includes(next.id);) {
    const { id } = next;
    path.push(id);
    next = toReference(units.find((candidate) => candidate.id === id) ?? null, "relative_uom_id");
  }
  return path.at(-1) ?? unit.id;
}
