import { utcDay, type Clock } from "../../platform/clock.ts";
import { toRelated, toText } from "./field-values.ts";
import type { OdooClient } from "./odoo-client.ts";
import { plainFields, type RecordReader } from "./record-reader.ts";

const workingHours = { company_id: { resource_calendar_id: plainFields("tz") } };

/** Today as YYYY-MM-DD, in the time zone of the account, else of its company, else in UTC. */
export async function readToday(
  odoo: OdooClient,
  reader: RecordReader,
  clock: Clock,
): Promise<string> {
  const { timeZone } = await odoo.sessionInfo();
  return toDay(clock.now(), timeZone ?? (await readCompanyTimeZone(odoo, reader)));
}

async function readCompanyTimeZone(odoo: OdooClient, reader: RecordReader): Promise<string | null> {
  const own = [["id", "=", odoo.uid]] as const;
  const [user] = (await reader.readAllIfAllowed("res.users", workingHours, own)) ?? [];
  const company = toRelated(user ?? null, "company_id");
  return toText(toRelated(company, "resource_calendar_id"), "tz");
}

/** In UTC when there is no such time zone: Odoo knows some that were given up. */
function toDay(moment: Date, timeZone: string | null): string {
  if (timeZone === null) return utcDay(moment);
  try {
    // The day of Sweden is written as YYYY-MM-DD.
    return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(moment);
  } catch (error) {
    if (error instanceof RangeError) return utcDay(moment);
    throw error;
  }
}
