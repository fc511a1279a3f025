// What a system answered to an adapter, kept to be answered again: taken by the operator's `provider run --record`, with
// its values made up, and played as the fake that a provider is checked beside. It knows no database and no queue.
import { builtInFolder, findBuiltInRecordings } from "./built-in-recordings.ts";
import { compareRecordings } from "./compare-recordings.ts";
import { findRecording, readRecording, writeRecording } from "./recording-folder.ts";
import {
  checkedPayruns,
  conformanceOf,
  formValuesAt,
  noonOf,
  recordedCode,
} from "./replay-conformance.ts";

export { LeftInRecording } from "./left-in-recording.ts";
export type { Recording } from "./recording.ts";
export { ReplayServer } from "./replay-server.ts";
export { scrubRecording } from "./scrub-recording.ts";
export {
  keepRecording,
  type SeenExchange,
  type SeenRecording,
  type SeenStep,
} from "./seen-recording.ts";

/** Recordings as folders. */
export const recordings = {
  find: findRecording,
  read: readRecording,
  write: writeRecording,
  compare: compareRecordings,
  builtInFolder,
  findBuiltIn: findBuiltInRecordings,
};

/** What an adapter meets that reads a recording. */
export const replay = {
  conformanceOf,
  formValuesAt,
  noonOf,
  code: recordedCode,
  checkedPayruns,
};
