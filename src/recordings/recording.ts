import { z } from "zod";
import { modes, resources } from "../model/index.ts";

const text = z.string();
const pairs = z.array(z.tuple([text, text])).readonly();

/** A request of an adapter, and its answer. */
export const exchangeSchema = z.strictObject({
  method: text,
  /** Behind the origin, without the query. */
  path: text,
  query: pairs,
  /** The body that was sent, as text. */
  sent: text.nullable(),
  status: z.int(),
  /** Those that say something of the answer. Cookies are under `set-cookie`, one on each line. */
  headers: z.record(text, text),
  body: text,
});

const range = z.strictObject({ start: text, end: text });

const stepSchema = z.strictObject({
  resource: z.enum(resources),
  /** What the read was narrowed by. */
  range: range.exactOptional(),
  /** How many pages and records the adapter gave. */
  pages: z.int(),
  records: z.int(),
  exchanges: z.array(exchangeSchema).readonly(),
});

const meaningSchema = z.union([
  z.strictObject({ record: z.record(text, z.unknown()), only: text.exactOptional() }),
  z.strictObject({ refusal: text }),
  z.strictObject({ notTold: text }),
]);

export const recordingSchema = z.strictObject({
  format: z.literal(1),
  provider: text,
  mode: z.enum(modes),
  /** The day of the recording, shifted as all its dates are. */
  today: text,
  /** What the form got, made up. Of the address of a system, the replay has its own. */
  formValues: z.record(text, text),
  addressFields: z.array(text).readonly(),
  /** What answered the challenges, made up. */
  answers: z.array(text).readonly(),
  /** Of an invented company: what shows each meaning. */
  meanings: z.record(text, meaningSchema).exactOptional(),
  signIn: z.array(exchangeSchema).readonly(),
  steps: z.array(stepSchema).readonly(),
  /** Fields of the adapter's tables that no record of it fills. Who makes the recording names them. */
  neverFilled: z.partialRecord(z.enum(resources), z.array(text).readonly()).exactOptional(),
});

/** What a system answered to an adapter: the sign-in, and one read of each resource. No value of it is a person's. */
export type Recording = z.output<typeof recordingSchema>;
export type Exchange = z.output<typeof exchangeSchema>;
