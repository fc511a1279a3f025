// An adapter run by hand, for who writes it: one resource, its requests, its records before and after the mapping, and a
// recording of what the system answered. It needs no database and no service. The commands of the CLI enter here; the
// adapter runs in a child process with the belt of the service.
export { readAdapterCode, RecordingCollector } from "./collect-recording.ts";
export { KeptSignIns, type SignInPlace } from "./kept-sign-ins.ts";
export { runInChild } from "./run-in-child.ts";
export type { RunDescription, RunEvent, RunTask, ToldChallenge } from "./child/messages.ts";
