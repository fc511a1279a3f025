// Doing something again and again. `repeat` is for work in the background that never ends by itself: renewals of
// leases, the progress of reads, the keys of a process, the listener of the database. `Schedules` are repetitions of a
// worker whose last success is known. `waitUntil` looks for something until it is there: processes of the embedded
// Postgres, the end of a copy in Redis. `tellWhile` tells that work goes on.
// What is tried again because it failed is of retry/.
export { repeat, type Repetition } from "./repeat.ts";
export { Schedules } from "./schedules.ts";
export { tellWhile } from "./tell-while.ts";
export { waitUntil } from "./wait-until.ts";
