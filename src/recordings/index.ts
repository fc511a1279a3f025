// What a system answered to an adapter, kept to be answered again: taken by the operator's `provider run --record`, with
// every value made up, and played as the fake that a provider is checked beside. It knows no database and no queue.
export { compareRecordings } from "./compare-recordings.ts";
export { builtInFolder, findBuiltInRecordings } from "./built-in-recordings.ts";
export { findRecording, readRecording, writeRecording } from "./recording-folder.ts";
export { type Exchange, type Recording } from "./recording.ts";
export { conformanceOf, formValuesAt, noonOf, recordedCode } from "./replay-conformance.ts";
export { ReplayServer } from "./replay-server.ts";
export {
  keepRecording,
  LeftInRecording,
  scrubRecording,
  type SeenExchange,
  type SeenRecording,
  type SeenStep,
} from "./scrub-recording.ts";
