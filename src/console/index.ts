// The pages on which operators and developers see what is going on, and what to do about it: who is signed in, the list
// of problems, and the forms that change something. It asks the other rooms for everything it shows; nobody asks it but
// the composition root and the command line.
export { ConsoleSessions, removeOldRows, sessionSeconds } from "./sessions.ts";
export type { OperatorIssuer } from "./organisation/is-operator.ts";
export { noteCounts } from "./counts/note-counts.ts";
export { findProblems } from "./problems/find-problems.ts";
export { findEndedProblems } from "./problems/find-ended.ts";
export { noteProblems } from "./problems/note-problems.ts";
export { registerProblemRoute, toEntry } from "./problems/problem-routes.ts";
export { registerConsole } from "./routes/register-console.ts";
