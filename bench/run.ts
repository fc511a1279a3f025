// npm run bench: measures the cost of a poll and of its difference, as ratios against a reference in
// the same run.
import { availableParallelism } from "node:os";
import { benchDifference } from "./difference.ts";
import { benchPoll } from "./poll.ts";
import { report } from "./report.ts";

process.stdout.write(
  `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores\n\n`,
);
const holds = report([...benchDifference(), ...(await benchPoll())]);
process.exitCode = holds ? 0 : 1;
