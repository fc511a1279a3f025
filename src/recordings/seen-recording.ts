import type { Mode, Resource } from "../model/index.ts";
import type { DateRange, FormValues } from "../providers/index.ts";
import { recordingSchema, type Exchange, type Recording } from "./recording.ts";

/** A request and its answer as they were. */
export type SeenExchange = Exchange;

/** A recording before anything of it is made up. */
export interface SeenRecording {
  provider: string;
  mode: Mode;
  today: string;
  formValues: FormValues;
  secretFields: readonly string[];
  /** What may name words of the answers, such as the codes of pay. */
  settingFields: readonly string[];
  addressFields: readonly string[];
  answers: readonly string[];
  /** Where the adapter sent its requests. */
  origins: readonly string[];
  signIn: readonly SeenExchange[];
  steps: readonly SeenStep[];
}

export interface SeenStep {
  resource: Resource;
  range?: DateRange;
  pages: number;
  records: number;
  exchanges: readonly SeenExchange[];
}

/** Stands for the address of the system. The replay has its own there. */
export const originPlace = "{origin}";

/** The recording of a system whose data are invented: only its address is replaced. */
export function keepRecording({
  provider,
  mode,
  today,
  formValues,
  addressFields,
  answers,
  origins,
  signIn,
  steps,
}: SeenRecording): Recording {
  const recording = { provider, mode, today, formValues, addressFields, answers, signIn, steps };
  const written = origins.reduce(
    (text, origin) => text.replaceAll(origin, originPlace),
    JSON.stringify({ format: 1, ...recording }),
  );
  return recordingSchema.parse(JSON.parse(written));
}
