import { z } from "zod";
import { InvalidRequest } from "../model/index.ts";
import { toProtocolRefusal } from "../platform/http/index.ts";

/**
 * The refusal of a query. Unknown parameters are ignored, so where a required one is missing, an unknown one that
 * looks like it is named.
 */
export function refuseQuery(error: Error, query: unknown, schema: z.ZodObject | undefined): Error {
  const said = toProtocolRefusal(error)?.validationError;
  if (said === undefined || !schema) return error;
  const sent = query as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(sent).filter(
    (name) => !(name in schema.shape) && /^\w[\w-]{0,19}$/.test(name),
  );
  const hints = Object.entries(schema.shape)
    .filter(([name, field]) => !sent[name] && !z.safeParse(field, undefined).success)
    .flatMap(([name]) => {
      const meant = unknown.find((candidate) => isNear(candidate, name));
      return meant ? [`${meant} is unknown and ignored: did you mean ${name}?`] : [];
    });
  return hints.length > 0 ? new InvalidRequest([said, ...hints].join("; ")) : error;
}

/** `start`, `startDate` and `start-date` are near `start_date`, and `employee_id` is near `id`. */
function isNear(candidate: string, name: string): boolean {
  const [given, wanted] = [fold(candidate), fold(name)];
  const isBeginning = given.length >= 3 && wanted.startsWith(given);
  return isBeginning || given.startsWith(wanted) || given.endsWith(wanted);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
